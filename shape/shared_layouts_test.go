package shape

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layoutExample is a row of conformance/seeds/layout_examples.json.
type layoutExample struct {
	Kind   string
	Inputs struct {
		Shape        string
		Dimensions   json.RawMessage
		Order        []string
		Dimension    int
		Rank         int
		A, B, C, D   int
		Array        [][]string
		MinorToMajor []int  `json:"minor_to_major"`
		PaddedDims   []int  `json:"padded_dimensions"`
		PaddingValue string `json:"padding_value"`
	}
	Expected      map[string]json.RawMessage
	expectedError string
}

func TestLayoutExamples(t *testing.T) {
	checks := map[string]func(*testing.T, *layoutExample){
		"rank": checkRank, "dimension_size": checkDimensionSize, "dimension_letters": checkLetters,
		"make_shape": checkMakeShape, "layout_fields": checkLayoutFields, "linear_order": checkLinearOrder,
		"default_layout": checkDefaultLayout, "padded_linear_order": checkPaddedOrder,
		"index_conversion": checkIndexConversion,
	}
	var rows []layoutExample
	if err := json.Unmarshal(sharedFile(t, "conformance/seeds/layout_examples.json"), &rows); err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		t.Run(fmt.Sprintf("%02d_%s", i, rows[i].Kind), func(t *testing.T) {
			check, ok := checks[rows[i].Kind]
			if !ok {
				t.Fatalf("unknown kind %s", rows[i].Kind)
			}
			rows[i].expectedError = decode[string](t, rows[i].Expected["error"])
			check(t, &rows[i])
		})
	}
	t.Logf("%d rows", len(rows))
}

func checkRank(t *testing.T, e *layoutExample) {
	s := mustParse(t, e.Inputs.Shape)
	rank, trueRank := decode[int](t, e.Expected["rank"]), decode[int](t, e.Expected["true_rank"])
	if s.Rank() != rank || s.TrueRank() != trueRank {
		t.Errorf("%v: got %d and %d, want %d and %d", s, s.Rank(), s.TrueRank(), rank, trueRank)
	}
}

func checkDimensionSize(t *testing.T, e *layoutExample) {
	named := decode[map[string]int](t, e.Inputs.Dimensions)
	s := Make(F32)
	for _, name := range e.Inputs.Order {
		s.Dims = append(s.Dims, named[name])
	}
	got, err := s.Dimension(e.Inputs.Dimension)
	if e.expectedError != "" {
		// "dimension 3 is outside [-3, 3)" is worded "is not in [-3, 3)" here.
		want := strings.Replace(e.expectedError, "outside", "not in", 1)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %d (%v), want %s", got, err, want)
		}
		return
	}
	if want := decode[int](t, e.Expected["size"]); err != nil || got != want {
		t.Errorf("got %d (%v), want %d", got, err, want)
	}
}

func checkLetters(t *testing.T, e *layoutExample) {
	letters := DimensionLetters(e.Inputs.Rank)
	if len(letters) != len(e.Expected) {
		t.Errorf("got %q, want %d letters", letters, len(e.Expected))
	}
	for i, letter := range letters {
		if want := decode[string](t, e.Expected[strconv.Itoa(i)]); string(letter) != want {
			t.Errorf("dimension %d: got %c, want %s", i, letter, want)
		}
	}
}

func checkMakeShape(t *testing.T, e *layoutExample) {
	s := Make(F32, e.Inputs.A, e.Inputs.B, e.Inputs.C, e.Inputs.D)
	if want := decode[[]int](t, e.Expected["dimensions"]); !slices.Equal(s.Dims, want) {
		t.Errorf("got %v, want %v", s.Dims, want)
	}
	if want := decode[string](t, e.Expected["shape"]); s.String() != want {
		t.Errorf("got %v, want %s", s, want)
	}
}

func checkLayoutFields(t *testing.T, e *layoutExample) {
	fields := reflect.TypeFor[PaddedLayout]()
	if fields.NumField() != len(e.Expected) {
		t.Errorf("got %d fields, want %d", fields.NumField(), len(e.Expected))
	}
	for i := range fields.NumField() {
		name, number, _ := strings.Cut(fields.Field(i).Tag.Get("proto"), ",")
		if want := decode[string](t, e.Expected[number]); !strings.HasPrefix(want, name+":") {
			t.Errorf("field %s: got %s, want %s", number, name, want)
		}
	}
}

// arrayMemory returns what lies in memory, element by element, when the rows of
// array are laid out by x; padding is "".
func arrayMemory(array [][]string, x *Indexing) []string {
	memory := make([]string, x.Len())
	for place, index := range x.Logical() {
		memory[place] = array[index[0]][index[1]]
	}
	return memory
}

func checkLinearOrder(t *testing.T, e *layoutExample) {
	order := e.Inputs.MinorToMajor
	s := Make(F32, decode[[]int](t, e.Inputs.Dimensions)...).WithLayout(MakeLayout(order...))
	x, err := NewIndexing(s)
	if err != nil {
		t.Fatal(err)
	}
	want := decode[[]string](t, e.Expected["memory"])
	if got := arrayMemory(e.Inputs.Array, x); !slices.Equal(got, want) {
		t.Errorf("memory: got %v, want %v", got, want)
	}
	minor, major := decode[int](t, e.Expected["most_minor"]), decode[int](t, e.Expected["most_major"])
	if order[0] != minor || order[1] != major {
		t.Errorf("most minor and major: got %v, want %d, %d", order, minor, major)
	}
	if rowMajor := decode[string](t, e.Expected["akin_to"]) == "row-major"; s.Layout.IsRowMajor() != rowMajor {
		t.Errorf("row-major: got %v, want %v", s.Layout.IsRowMajor(), rowMajor)
	}
}

func checkDefaultLayout(t *testing.T, e *layoutExample) {
	s := Make(F32, decode[[]int](t, e.Inputs.Dimensions)...)
	want := decode[[]int](t, e.Expected["minor_to_major"])
	if got := s.MinorToMajor(); !slices.Equal(got, want) || !MakeLayout(want...).IsDefault() {
		t.Errorf("got %v, want %v", got, want)
	}
}

func checkPaddedOrder(t *testing.T, e *layoutExample) {
	dims := decode[[]int](t, e.Inputs.Dimensions)
	l := PaddedLayout{e.Inputs.MinorToMajor, e.Inputs.PaddedDims, ZeroPad}
	if e.expectedError != "" {
		// The row counts "1 entry, the rank is 2"; the error here "1 entries, expected 2".
		want := strings.Replace(e.expectedError, "1 entry, the rank is", "1 entries, expected", 1)
		if err := l.Check(dims); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		return
	}
	var got []string
	for index, isPadding := range l.Order(dims) {
		if isPadding {
			got = append(got, e.Inputs.PaddingValue)
			continue
		}
		got = append(got, e.Inputs.Array[index[0]][index[1]])
	}
	if want := decode[[]string](t, e.Expected["memory"]); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func checkIndexConversion(t *testing.T, e *layoutExample) {
	dims := decode[[]int](t, e.Inputs.Dimensions)
	padded := PaddedLayout{MinorToMajor: e.Inputs.MinorToMajor, PaddedDims: e.Inputs.PaddedDims}
	layout, err := padded.Layout(dims)
	if err != nil {
		t.Fatal(err)
	}
	s := Make(F32, dims...).WithLayout(layout)
	for _, row := range decode[[][2]json.RawMessage](t, e.Expected["multi_to_linear"]) {
		index, want := decode[[]int](t, row[0]), decode[int](t, row[1])
		if got := padded.Linear(index, dims); got != want {
			t.Errorf("%v: padded layout: got %d, want %d", index, got, want)
		}
		if got, err := s.LinearIndex(index...); err != nil || got != want {
			t.Errorf("%v: %v: got %d (%v), want %d", index, s, got, err, want)
		}
		if got, ok, err := s.IndexAt(want); err != nil || !ok || !slices.Equal(got, index) {
			t.Errorf("place %d: %v: got %v (%v), want %v", want, s, got, err, index)
		}
	}
}
