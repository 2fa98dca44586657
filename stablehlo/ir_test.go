package stablehlo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

// function returns a function of one block with an argument and a return of it.
func function(name, visibility string, t Type) *Op {
	f := NewOp("func.func", nil, nil,
		NamedAttribute{"sym_name", StringAttr{Value: name}},
		NamedAttribute{"function_type", TypeAttr{&FunctionType{Inputs: []Type{t}, Results: []Type{t}}}},
		NamedAttribute{"arg_attrs", &ArrayAttr{Elems: []Attribute{
			&DictAttr{Entries: []NamedAttribute{{"jax.arg", UnitAttr{}}}}}}},
		NamedAttribute{"test.other", Bool(true)})
	if visibility != "" {
		f.SetAttr("sym_visibility", StringAttr{Value: visibility})
	}
	b := f.AddRegion().AddBlock(t)
	b.Append(NewOp("func.return", []*Value{b.Args[0]}, nil))
	return f
}

func TestModule(t *testing.T) {
	m := NewModule()
	inner := NewModule().Op
	inner.SetAttr("sym_name", StringAttr{Value: "inner"})
	inner.Regions[0].Blocks[0].Append(function("g", "private", I32))
	m.Body().Append(function("f", "", F32), inner)

	f := m.Func("f")
	if f == nil || m.Func("inner") != nil || m.Func("none") != nil {
		t.Fatal("Func finds the wrong operation")
	}
	if f.IsPrivate() || f.FuncType().Inputs[0] != F32 || f.ArgAttrs(0).Get("jax.arg") == nil || f.ResultAttrs(0) != nil {
		t.Error("the function is not as it was made")
	}
	if f.Parent() != m.Op || m.Op.Parent() != nil {
		t.Error("Parent is wrong")
	}
	ret := f.Regions[0].Terminator()
	g := inner.FindSymbol("g")
	for ref, want := range map[string]*Op{"f": f, "inner": inner, "inner g": g, "g": nil} {
		names := strings.Fields(ref)
		if got := ret.Resolve(&SymbolRef{Root: names[0], Nested: names[1:]}); got != want {
			t.Errorf("Resolve(%s) = %v", ref, got)
		}
	}
	if !g.IsPrivate() || g.Regions[0].Terminator().Resolve(Symbol("g")) != g {
		t.Error("the inner module does not resolve its own symbols")
	}
	var names []string
	for o := range m.Op.Walk() {
		names = append(names, o.Name)
	}
	want := []string{"builtin.module", "func.func", "func.return", "builtin.module", "func.func", "func.return"}
	if !slices.Equal(names, want) {
		t.Errorf("Walk: %v", names)
	}
	if got := len(slices.Collect(m.Funcs())); got != 1 {
		t.Errorf("%d functions", got)
	}
}

// TestSetAttr: attributes that the row names are apart from others, both sorted.
func TestSetAttr(t *testing.T) {
	o := NewOp("stablehlo.sort", nil, nil)
	for _, name := range []string{"z", "is_stable", "a", "dimension", "z"} {
		o.SetAttr(name, StringAttr{Value: name})
	}
	text := string(AppendDict(nil, o.Props)) + string(AppendDict(nil, o.Attrs))
	if want := `{dimension = "dimension", is_stable = "is_stable"}{a = "a", z = "z"}`; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestDiff(t *testing.T) {
	make := func(change func(m *Module)) *Module {
		m := NewModule()
		m.Body().Append(function("f", "", F32))
		o := NewOp("stablehlo.custom_call", nil, []Type{F32}, NamedAttribute{"call_target_name", StringAttr{Value: "x"}})
		m.Body().Append(o)
		change(m)
		return m
	}
	last := func(m *Module) *Op { return m.Body().Ops[1] }
	base := make(func(*Module) {})
	for want, change := range map[string]func(*Module){
		"":                           func(*Module) {},
		"the operation is a.b":       func(m *Module) { last(m).Name = "a.b" },
		"attribute call_target_name": func(m *Module) { last(m).SetAttr("call_target_name", StringAttr{Value: "y"}) },
		"result 0 has type f32":      func(m *Module) { last(m).Results[0].Type = I32 },
		"numbers of operands":        func(m *Module) { last(m).AddRegion() },
		"the location differs":       func(m *Module) { last(m).Loc = &NameLoc{Name: "x"} },
		"the resources differ":       func(m *Module) { m.Resources = []Resource{{Key: "k"}} },
		"argument 0 of block 0":      func(m *Module) { m.Func("f").Regions[0].Blocks[0].Args[0].Type = I1 },
		"block 0 has 1 arguments":    func(m *Module) { m.Func("f").Regions[0].Blocks[0].Ops = nil },
		"operand 0 is another value": func(m *Module) {
			m.Func("f").Regions[0].Terminator().Operands[0] = last(m).Results[0]
		},
		"a region has 1 blocks, in th": func(m *Module) { m.Func("f").Regions[0].AddBlock() },
	} {
		got := Diff(base, make(change), true)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	explicit := make(func(m *Module) { last(m).SetAttr("has_side_effect", Bool(false)) })
	if diff := Diff(base, explicit, true); diff != "" {
		t.Errorf("a default that is written out differs: %s", diff)
	}
}

func TestElements(t *testing.T) {
	splat := NewDenseInts(I8, []int64{3}, []int64{-1, -1, -1})
	if v, ok := splat.Ints(); !ok || !splat.Splat || len(splat.Data) != 1 || !slices.Equal(v, []int64{-1, -1, -1}) {
		t.Errorf("splat %v %v", splat, v)
	}
	list := NewDenseInts(IntegerType{Width: 16, Sign: Unsigned}, []int64{2}, []int64{1, 65535})
	if v, ok := list.Ints(); !ok || list.Splat || !slices.Equal(v, []int64{1, 65535}) || list.NumElements() != 2 {
		t.Errorf("list %v %v", list, v)
	}
	a := Int64Array(3, -4)
	if v, ok := a.Ints(); !ok || a.Len() != 2 || !slices.Equal(v, []int64{3, -4}) || a.String() != "array<i64: 3, -4>" {
		t.Errorf("array %v", a)
	}
	if b := BoolArray(true, false); b.String() != "array<i1: true, false>" {
		t.Errorf("array %v", b)
	}
}

func TestElementType(t *testing.T) {
	for want, typ := range map[shape.ElementType]Type{
		shape.Pred: I1, shape.S32: I32, shape.U64: UI64, shape.BF16: BF16, shape.S4: IntegerType{Width: 4, Sign: Signed},
		shape.C64: &ComplexType{Elem: F32}, shape.C128: &ComplexType{Elem: F64}, shape.F8E5M2: F8E5M2,
		shape.S8: &QuantizedType{Storage: I8},
	} {
		if got, ok := ElementType(typ); got != want || !ok {
			t.Errorf("%s: %v", typ, got)
		}
	}
	for _, typ := range []Type{IntegerType{Width: 3}, TF32, &ComplexType{Elem: F16}, &TupleType{}, NoneType{}} {
		if got, ok := ElementType(typ); ok {
			t.Errorf("%s: %v", typ, got)
		}
	}
}

func TestErrorText(t *testing.T) {
	cause := errors.New("4 is not in [0, 2)")
	for want, e := range map[string]*Error{
		"f.mlir:12:5: stablehlo.reverse: dimensions: 4 is not in [0, 2) (reverse_c2) at \"a.py\":3:4": {
			File: "f.mlir", Pos: Pos{12, 5}, Op: "stablehlo.reverse", Attr: "dimensions", Rule: "reverse_c2",
			Loc: &FileLoc{File: "a.py", Line: 3, Col: 4}, Err: cause},
		"f.mlirbc:byte 77: 4 is not in [0, 2)": {File: "f.mlirbc", Pos: Pos{Col: 77}, Err: cause},
		"4 is not in [0, 2)":                   {Loc: UnknownLoc{}, Err: cause},
	} {
		if e.Error() != want || !errors.Is(e, cause) {
			t.Errorf("got  %s\nwant %s", e, want)
		}
	}
}

// TestEnums: every word is found by its value and its text.
func TestEnums(t *testing.T) {
	for _, k := range enumKinds {
		if FindEnum(k.Dialect, k.Name) != k {
			t.Errorf("%s.%s is not found", k.Dialect, k.Name)
		}
		for value, word := range k.Words {
			a, ok := k.Of(value)
			b, found := k.Parse(word)
			if ok != (word != "") || ok != found || (ok && (a != b || a.Word() != word)) {
				t.Errorf("%s: %q is %v, %v", k.Name, word, a, b)
			}
		}
		if _, ok := k.Of(len(k.Words)); ok {
			t.Errorf("%s has a value too many", k.Name)
		}
	}
}

// TestFloatCorners: what does not fit, and NaN, in the narrow formats.
func TestFloatCorners(t *testing.T) {
	for _, c := range []struct {
		t    FloatType
		v    float64
		bits uint64
	}{
		{F16, 65520, 0x7c00}, {F16, 65519, 0x7bff}, {F16, -1e9, 0xfc00}, {F16, 1e-9, 0}, {F16, 3e-8, 1},
		{BF16, 1.00390625, 0x3f80}, {F8E4M3FN, 1e9, 0x7f}, {F8E4M3FN, 448, 0x7e}, {F8E4M3FNUZ, 1e9, 0x80},
		{F8E4M3FNUZ, -1e-9, 0}, {F4E2M1FN, 100, 7}, {F4E2M1FN, 0.25, 0}, {F4E2M1FN, 0.75, 2},
		{F8E8M0FNU, 3, 0x80}, {F8E8M0FNU, 3.1, 0x81}, {F8E8M0FNU, -1, 0xff}, {F8E8M0FNU, 1e300, 0xff},
		{F8E5M2, 61440, 0x7c}, {F6E3M2FN, 28, 0x1f}, {TF32, 1.5, 0x1fe00},
	} {
		if got := c.t.FromFloat64(c.v); got != c.bits {
			t.Errorf("%v of %v: %#x, want %#x", c.v, c.t, got, c.bits)
		}
	}
}
