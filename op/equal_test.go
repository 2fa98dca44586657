package op

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// fillers make a random value of a field's type. Every type of opsByType has one.
var fillers = map[reflect.Type]func(r *rand.Rand, f Field) any{
	reflect.TypeFor[int]():     func(r *rand.Rand, _ Field) any { return r.IntN(4) },
	reflect.TypeFor[bool]():    func(r *rand.Rand, _ Field) any { return r.IntN(2) == 1 },
	reflect.TypeFor[string]():  func(r *rand.Rand, _ Field) any { return []string{"", "a", "\"b\x80"}[r.IntN(3)] },
	reflect.TypeFor[float32](): func(r *rand.Rand, _ Field) any { return float32(r.IntN(3)) / 1000 },
	reflect.TypeFor[Word]():    func(r *rand.Rand, f Field) any { return randomWord(r, f.Name) },
	reflect.TypeFor[OptInt]():  func(r *rand.Rand, _ Field) any { return []OptInt{{}, Some(0), Some(7)}[r.IntN(3)] },
	reflect.TypeFor[[]int]():   func(r *rand.Rand, _ Field) any { return randomInts(r) },
	reflect.TypeFor[[][]int](): func(r *rand.Rand,
		_ Field) any {
		return [][][]int{nil, {}, {{1, 2}}, {{1}, {2}}}[r.IntN(4)]
	},
	reflect.TypeFor[[]bool](): func(r *rand.Rand,
		_ Field) any {
		return [][]bool{nil, {}, {true}, {true, false}}[r.IntN(4)]
	},
	reflect.TypeFor[[]Precision](): func(r *rand.Rand, _ Field) any {
		return [][]Precision{nil, {0, 0}, {1, 2}, {2, 1}}[r.IntN(4)]
	},
	reflect.TypeFor[TriState]():       func(r *rand.Rand, _ Field) any { return TriState(r.IntN(3)) },
	reflect.TypeFor[Direction]():      func(r *rand.Rand, _ Field) any { return Direction(r.IntN(7)) },
	reflect.TypeFor[ComparisonType](): func(r *rand.Rand, _ Field) any { return ComparisonType(r.IntN(5)) },
	reflect.TypeFor[TransposeKind]():  func(r *rand.Rand, _ Field) any { return TransposeKind(r.IntN(4)) },
	reflect.TypeFor[FftType]():        func(r *rand.Rand, _ Field) any { return FftType(r.IntN(4)) },
	reflect.TypeFor[Distribution]():   func(r *rand.Rand, _ Field) any { return Distribution(r.IntN(3)) },
	reflect.TypeFor[RngAlgorithm]():   func(r *rand.Rand, _ Field) any { return RngAlgorithm(r.IntN(3)) },
	reflect.TypeFor[ResultAccuracy](): func(r *rand.Rand, _ Field) any {
		return []ResultAccuracy{{}, {Mode: "highest"}, {HasTolerance: true, ULPs: 2},
			{HasTolerance: true, ATol: 1}}[r.IntN(4)]
	},
	reflect.TypeFor[Window](): func(r *rand.Rand, _ Field) any {
		w := UnitWindow(r.IntN(3))
		for i := range w.Dims {
			w.Dims[i].Size, w.Dims[i].PaddingLow, w.Dims[i].Stride = 1+r.IntN(2), r.IntN(2), 1+r.IntN(2)
		}
		return w
	},
	reflect.TypeFor[Padding](): func(r *rand.Rand,
		_ Field) any {
		return []Padding{nil, {{1, 0, 0}}, {{1, 0, 1}}}[r.IntN(3)]
	},
	reflect.TypeFor[SliceRanges](): func(r *rand.Rand,
		_ Field) any {
		return []SliceRanges{nil, {{1, 2, 1}}, {{1, 2, 2}}}[r.IntN(3)]
	},
	reflect.TypeFor[DimLabels](): func(r *rand.Rand, _ Field) any {
		d, err := ParseDimLabels([]string{"bf_io->bf", "b0f_0io->b0f", "b?f_?io->b?f"}[r.IntN(3)])
		d.Given = err == nil && r.IntN(4) > 0
		return d
	},
	reflect.TypeFor[ReplicaGroups](): func(r *rand.Rand, _ Field) any {
		m := Mesh{Axes: []MeshAxis{{"a", 2}, {"b", 2}}, Devices: Devices{Dims: []int{2, 2}}}
		return []ReplicaGroups{{}, {Groups: [][]int{{0, 1}}}, {Groups: [][]int{{0}, {1}}},
			{Tiles: &Devices{Dims: []int{1, 2}, Iota: &IotaForm{Reshape: []int{2}}}},
			{Mesh: &m, Axes: []AxisRef{{Name: "a"}}}}[r.IntN(5)]
	},
	reflect.TypeFor[[]OutputAliasing](): func(r *rand.Rand, _ Field) any {
		return [][]OutputAliasing{nil, {}, {{Operand: 1}}, {{OutputIndex: []int{1}}}}[r.IntN(4)]
	},
	reflect.TypeFor[*SparsityConfig](): func(r *rand.Rand, _ Field) any {
		return []*SparsityConfig{nil, {}, {LHS: &Sparsity{A: 2, B: 4}}, {RHS: &Sparsity{A: 2, B: 4}}}[r.IntN(4)]
	},
	reflect.TypeFor[*OperandLayouts](): func(r *rand.Rand, _ Field) any {
		return []*OperandLayouts{nil, {}, {[]shape.Shape{shape.Make(shape.F32, 2)}},
			{[]shape.Shape{shape.MakeToken()}}}[r.IntN(4)]
	},
	reflect.TypeFor[DomainSpec](): func(r *rand.Rand, _ Field) any {
		return []DomainSpec{{}, {"sharding", &Sharding{}, &Sharding{Kind: ShardingManual}},
			{"sharding", &Sharding{}, &Sharding{}}}[r.IntN(3)]
	},
	reflect.TypeFor[shape.Shape](): func(r *rand.Rand, _ Field) any {
		return []shape.Shape{{}, shape.Make(shape.F32, 2), shape.Make(shape.F32, 3), shape.MakeTuple()}[r.IntN(4)]
	},
	reflect.TypeFor[literal.Literal](): func(r *rand.Rand, _ Field) any { return randomLiteral(r) },
}

func randomWord(r *rand.Rand, attr string) Word {
	words := Words(attr)
	w, _ := ParseWord(attr, words[r.IntN(len(words))])
	return w
}

func randomInts(r *rand.Rand) []int {
	return [][]int{nil, {}, {0}, {1}, {0, 1}, {1, 0}}[r.IntN(6)]
}

func randomLiteral(r *rand.Rand) literal.Literal {
	one := literal.New(shape.Make(shape.U8, 2))
	one.Bytes()[1] = 1
	return []literal.Literal{{}, one, literal.New(shape.Make(shape.U8, 2)), literal.New(shape.Make(shape.S8, 2)),
		literal.MakeTuple(one, one), literal.MakeTuple(one), literal.Elided(shape.Make(shape.U8, 2), 5)}[r.IntN(7)]
}

func TestFillersCoverAllTypes(t *testing.T) {
	for typ := range opsByType {
		if fillers[typ] == nil {
			t.Errorf("no random values of %v", typ)
		}
		if f := (Field{Name: "kind", Type: typ}); f.Form() == "" {
			t.Errorf("no form of %v", typ)
		}
	}
}

// fill sets one field of a at random.
func fill(r *rand.Rand, a Attrs, f Field) {
	if v := reflect.ValueOf(fillers[f.Type](r, f)); v.IsValid() {
		f.Value(a).Set(v)
	}
}

func textOf(a Attrs) string {
	var dst []byte
	for _, f := range Plan(a) {
		dst = f.AppendValue(append(dst, ' '), a)
	}
	return string(dst)
}

// TestAttrsProperties draws random attributes of every operation: the text is the same each time, a
// clone is equal and hashes alike, and after a change of one field equality says the same as the text.
func TestAttrsProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for _, c := range Codes() {
		for range 60 {
			a := NewAttrs(c)
			for _, f := range Plan(a) {
				fill(r, a, f)
			}
			b := CloneAttrs(a)
			for _, where := range []Where{BeforeCalls, AfterCalls, LatePart} {
				if x, y := AppendAttrs(nil, a, where, nil), AppendAttrs(nil, b, where, nil); string(x) != string(y) {
					t.Fatalf("%v: one text is %s, another %s", c, x, y)
				}
			}
			if !EqualAttrs(a, b) || HashAttrs(a) != HashAttrs(b) {
				t.Fatalf("%v: a clone of %s is not equal or hashes to %x, not %x", c, textOf(a), HashAttrs(b),
					HashAttrs(a))
			}
			if fields := Plan(a); len(fields) > 0 {
				before := textOf(a)
				f := fields[r.IntN(len(fields))]
				fill(r, b, f)
				changed += checkChange(t, c, f, a, b)
				if after := textOf(a); after != before {
					t.Fatalf("%v: a change of the clone changed %s to %s", c, before, after)
				}
			}
		}
	}
	if changed < 500 {
		t.Errorf("only %d changes were seen, the values are not random enough", changed)
	}
}

// checkChange compares a and b, which differ at most in f, and counts a difference as 1.
func checkChange(t *testing.T, c Code, f Field, a, b Attrs) int {
	t.Helper()
	same := f.IsZero(a) == f.IsZero(b) && (f.IsZero(a) || string(f.AppendValue(nil, a)) == string(f.AppendValue(nil,
		b)))
	if f.Type == reflect.TypeFor[literal.Literal]() {
		same = EqualAttrs(a, b) // an elided value has the text of its elements
	}
	if EqualAttrs(a, b) != same || EqualAttrs(b, a) != same {
		t.Fatalf("%v: %s is %s and %s: equal is %v", c, f.Name, f.AppendValue(nil, a), f.AppendValue(nil, b), !same)
	}
	if same && HashAttrs(a) != HashAttrs(b) {
		t.Fatalf("%v: equal attributes %s and %s hash to %x and %x", c, textOf(a), textOf(b), HashAttrs(a),
			HashAttrs(b))
	}
	if same {
		return 0
	}
	return 1
}

func TestEqualAttrs(t *testing.T) {
	tests := []struct {
		a, b Attrs
		want bool
	}{
		{nil, nil, true},
		{nil, &UnaryAttrs{}, false},
		{&UnaryAttrs{}, nil, false},
		{&UnaryAttrs{}, &CallAttrs{}, false},
		{&ReduceAttrs{}, &ReduceAttrs{[]int{}}, true},
		{&ReduceAttrs{[]int{1}}, &ReduceAttrs{[]int{1}}, true},
		{&ReduceAttrs{[]int{1}}, &ReduceAttrs{[]int{1, 2}}, false},
		{&DotAttrs{OperandPrecision: []Precision{0, 0}}, &DotAttrs{}, true},
		{&DotAttrs{LHSBatch: []int{1}}, &DotAttrs{RHSBatch: []int{1}}, false},
		{&CustomCallAttrs{FeatureGroupCount: 1}, &CustomCallAttrs{}, true},
		{&CustomCallAttrs{FeatureGroupCount: 2}, &CustomCallAttrs{}, false},
		{&CustomCallAttrs{OperandLayouts: &OperandLayouts{}}, &CustomCallAttrs{}, false},
		{&ReshapeAttrs{Some(0)}, &ReshapeAttrs{}, false},
		{&ParameterAttrs{Number: 1}, &ParameterAttrs{Number: 2}, false},
		{&AllReduceAttrs{Mode: "flattened_id"}, &AllReduceAttrs{}, false},
	}
	for _, test := range tests {
		if got := EqualAttrs(test.a, test.b); got != test.want {
			t.Errorf("EqualAttrs(%+v, %+v) = %v", test.a, test.b, got)
		}
		if test.want && HashAttrs(test.a) != HashAttrs(test.b) {
			t.Errorf("%+v and %+v hash to %x and %x", test.a, test.b, HashAttrs(test.a), HashAttrs(test.b))
		}
	}
	if HashAttrs(&DotAttrs{LHSBatch: []int{1}}) == HashAttrs(&DotAttrs{RHSBatch: []int{1}}) {
		t.Error("the same value in two fields hashes alike")
	}
	if a := CloneAttrs(nil); a != nil {
		t.Errorf("clone of no attributes is %v", a)
	}
}

// TestHashAttrsIsStable pins a value: hashes are the same in every process.
func TestHashAttrsIsStable(t *testing.T) {
	got := fmt.Sprintf("%x", HashAttrs(&TransposeAttrs{[]int{1, 0}}))
	if want := "246c51af75e73e7d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEqualAndHashDoNotAllocate(t *testing.T) {
	a := &GatherAttrs{OffsetDims: []int{1}, SliceSizes: []int{1, 4}, IndicesAreSorted: true}
	b := CloneAttrs(a)
	if n := testing.AllocsPerRun(100, func() { _ = EqualAttrs(a, b) && HashAttrs(a) == 0 }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func BenchmarkEqualAttrs(b *testing.B) {
	x := &DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{0}}
	y := CloneAttrs(x)
	for b.Loop() {
		EqualAttrs(x, y)
	}
}

func BenchmarkHashAttrs(b *testing.B) {
	x := &DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{0}}
	for b.Loop() {
		HashAttrs(x)
	}
}

func BenchmarkAppendAttrs(b *testing.B) {
	x := &DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{0}}
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst = AppendAttrs(dst[:0], x, BeforeCalls, nil)
	}
}
