package shape

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// strideExample is a row of conformance/seeds/stride_examples.json.
type strideExample struct {
	Kind   string
	Inputs struct {
		Sizes, Strides     json.RawMessage
		Order, Type        string
		Buffer             []string
		Index              []int
		Rank               int
		ToRank             int `json:"to_rank"`
		BufferBytes        int `json:"buffer_bytes"`
		Physical           string
		N, C, H, W         int
		Broadcast, Padding bool
	}
	Expected struct {
		Error                   string
		Strides, Sizes, Logical json.RawMessage
		Memory                  []string
		Distances               map[string]int
		Rank, Offset, Bytes     int
		Elements                int
		PhysicalElements        int `json:"physical_elements"`
		LogicalElements         int `json:"logical_elements"`
		Element, Highest        string
		MeaningRaw              json.RawMessage `json:"meaning"`
		Packed, Required        bool
		Offsets                 [][3]json.RawMessage
	}
}

func decode[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if len(raw) == 0 {
		return v
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// description returns the buffer that sizes and strides of the inputs describe.
func (e *strideExample) description(t *testing.T) Strided {
	elementType := F32
	if e.Inputs.Type != "" {
		elementType, _ = ParseElementType(e.Inputs.Type)
	}
	return Strided{elementType, decode[[]int](t, e.Inputs.Sizes), decode[[]int](t, e.Inputs.Strides)}
}

func TestStrideExamples(t *testing.T) {
	checks := map[string]func(*testing.T, *strideExample){
		"strides_of_order": checkStridesOfOrder, "gather": checkGather, "order_names": checkOrderNames,
		"offset": checkOffset, "offset_table": checkOffsetTable, "is_packed": checkPacked,
		"minimum_elements": checkMinElements, "minimum_bytes": checkMinBytes, "member_order": checkMemberOrder,
		"pad_rank": checkPadRank, "describe": checkDescribe, "strides_required": checkStridesRequired,
	}
	var rows []strideExample
	if err := json.Unmarshal(sharedFile(t, "conformance/seeds/stride_examples.json"), &rows); err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		t.Run(fmt.Sprintf("%02d_%s", i, rows[i].Kind), func(t *testing.T) {
			check, ok := checks[rows[i].Kind]
			if !ok {
				t.Fatalf("unknown kind %s", rows[i].Kind)
			}
			check(t, &rows[i])
		})
	}
	t.Logf("%d rows", len(rows))
}

// letters returns n names A, B, C, ...
func letters(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('A' + i))
	}
	return names
}

func checkStridesOfOrder(t *testing.T, e *strideExample) {
	canonical, err := CanonicalOrder(e.Inputs.Order)
	if err != nil {
		t.Fatal(err)
	}
	named := decode[map[string]int](t, e.Inputs.Sizes)
	want := decode[map[string]int](t, e.Expected.Strides)
	sizes := make([]int, len(canonical))
	for i, name := range canonical {
		sizes[i] = named[string(name)]
	}
	d, err := MakeStrided(F32, sizes, e.Inputs.Order)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range canonical {
		if d.Strides[i] != want[string(name)] {
			t.Errorf("stride of %c: got %d, want %d", name, d.Strides[i], want[string(name)])
		}
	}
	memory := make([]string, product(sizes))
	names := letters(len(memory))
	place := map[string]int{}
	i := 0
	for offset := range d.Offsets() {
		memory[offset], place[names[i]] = names[i], offset
		i++
	}
	if e.Expected.Memory != nil && !slices.Equal(memory, e.Expected.Memory) {
		t.Errorf("memory: got %v, want %v", memory, e.Expected.Memory)
	}
	for pair, want := range e.Expected.Distances {
		from, to, _ := strings.Cut(pair, "-")
		if got := place[to] - place[from]; got != want {
			t.Errorf("distance %s: got %d, want %d", pair, got, want)
		}
	}
}

// flatten lists the strings of nested lists in order.
func flatten(v any) []string {
	if list, ok := v.([]any); ok {
		var all []string
		for _, e := range list {
			all = append(all, flatten(e)...)
		}
		return all
	}
	return []string{v.(string)}
}

func checkGather(t *testing.T, e *strideExample) {
	d := e.description(t)
	var got []string
	for offset := range d.Offsets() {
		got = append(got, e.Inputs.Buffer[offset])
	}
	if want := flatten(decode[any](t, e.Expected.Logical)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := e.Expected.PhysicalElements; want > 0 {
		physical, err := d.MinElements()
		logical, err2 := d.Elements()
		if err != nil || err2 != nil || physical != want || logical != e.Expected.LogicalElements {
			t.Errorf("got %d and %d elements, want %d and %d", physical, logical, want, e.Expected.LogicalElements)
		}
	}
}

func checkOrderNames(t *testing.T, e *strideExample) {
	order := e.Inputs.Order
	if _, err := CanonicalOrder(order); err != nil {
		t.Fatal(err)
	}
	if len(order) != e.Expected.Rank || order[:1] != e.Expected.Highest {
		t.Errorf("%s: rank %d, highest %s", order, len(order), order[:1])
	}
	meaning := decode[string](t, e.Expected.MeaningRaw)
	if meaning != "" && IsRowMajorOrder(order) != (meaning == "row-major") {
		t.Errorf("%s is %s", order, meaning)
	}
}

func checkOffset(t *testing.T, e *strideExample) {
	if got := Dot(e.Inputs.Index, decode[[]int](t, e.Inputs.Strides)); got != e.Expected.Offset {
		t.Errorf("got %d, want %d", got, e.Expected.Offset)
	}
	if got := letters(12)[e.Expected.Offset]; got != e.Expected.Element {
		t.Errorf("got element %s, want %s", got, e.Expected.Element)
	}
}

func checkOffsetTable(t *testing.T, e *strideExample) {
	d := e.description(t)
	for _, row := range e.Expected.Offsets {
		index, want := decode[[]int](t, row[0]), decode[int](t, row[1])
		if got := d.Offset(index...); got != want || letters(12)[got] != decode[string](t, row[2]) {
			t.Errorf("%v: got %d, want %d", index, got, want)
		}
	}
}

func checkPacked(t *testing.T, e *strideExample) {
	if got := e.description(t).IsPacked(); got != e.Expected.Packed {
		t.Errorf("got %v, want %v", got, e.Expected.Packed)
	}
}

func checkMinElements(t *testing.T, e *strideExample) {
	if got, err := e.description(t).MinElements(); err != nil || got != e.Expected.Elements {
		t.Errorf("got %d (%v), want %d", got, err, e.Expected.Elements)
	}
}

func checkMinBytes(t *testing.T, e *strideExample) {
	d := e.description(t)
	if e.Expected.Error != "" {
		if err := d.CheckBuffer(e.Inputs.BufferBytes); err == nil || !strings.Contains(err.Error(), e.Expected.Error) {
			t.Errorf("got %v, want %s", err, e.Expected.Error)
		}
		return
	}
	elements, err := d.MinElements()
	bytes, err2 := d.MinBytes()
	if err != nil || err2 != nil || elements != e.Expected.Elements || bytes != e.Expected.Bytes {
		t.Errorf("got %d elements, %d bytes (%v, %v), want %d, %d",
			elements, bytes, err, err2, e.Expected.Elements, e.Expected.Bytes)
	}
}

func checkMemberOrder(t *testing.T, e *strideExample) {
	got, err := MemberOrder(e.Inputs.Rank)
	sizes, strides := decode[[]string](t, e.Expected.Sizes), decode[[]string](t, e.Expected.Strides)
	if err != nil || got != strings.Join(sizes, "") || got != strings.Join(strides, "") {
		t.Errorf("got %s (%v), want %v", got, err, sizes)
	}
}

func checkPadRank(t *testing.T, e *strideExample) {
	got, err := e.description(t).LeftPad(e.Inputs.ToRank)
	if want := decode[[]int](t, e.Expected.Sizes); err != nil || !slices.Equal(got.Sizes, want) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
}

func checkDescribe(t *testing.T, e *strideExample) {
	order, _, _ := strings.Cut(e.Inputs.Physical, " ")
	sizes := []int{e.Inputs.N, e.Inputs.C, e.Inputs.H, e.Inputs.W}
	explicit, err := MakeStrided(F32, sizes, order)
	if err != nil || !slices.Equal(sizes, decode[[]int](t, e.Expected.Sizes)) {
		t.Fatalf("%v (%v)", explicit, err)
	}
	if want := decode[[]int](t, e.Expected.Strides); want != nil {
		if !slices.Equal(explicit.Strides, want) {
			t.Errorf("got %v, want %v", explicit.Strides, want)
		}
		return
	}
	implicit := Strided{Type: F32, Sizes: sizes}
	want := decode[[]int](t, e.Expected.MeaningRaw)
	if got := implicit.ElementStrides(); !slices.Equal(got, want) || explicit.NeedsStrides() {
		t.Errorf("got %v, want %v", got, want)
	}
}

func checkStridesRequired(t *testing.T, e *strideExample) {
	sizes := []int{2, 4, 2, 3, 5}
	if len(e.Inputs.Physical) == 4 {
		sizes = sizes[1:]
	}
	d, err := MakeStrided(F32, sizes, e.Inputs.Physical)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case e.Inputs.Broadcast:
		d.Strides[1] = 0
	case e.Inputs.Padding:
		d.Strides[0]++
	}
	if got := d.NeedsStrides(); got != e.Expected.Required {
		t.Errorf("%v: got %v, want %v", d, got, e.Expected.Required)
	}
}
