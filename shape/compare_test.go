package shape

import "testing"

func TestCompare(t *testing.T) {
	f := func(dims ...int) Shape { return Make(F32, dims...) }
	bounded := MakeDynamic(F32, []int{2, 3}, []bool{true, false})
	unbounded := MakeDynamic(F32, []int{Unbounded, 3}, []bool{true, false})
	type verdict struct{ equal, ignoringLayout, exceptLayout, ignoringType, ignoringFloat bool }
	all := verdict{true, true, true, true, true}
	none := verdict{}
	tests := []struct {
		name string
		a, b Shape
		want verdict
	}{
		{"same", f(2, 3), f(2, 3), all},
		{"size", f(2, 3), f(2, 4), none},
		{"rank", f(2), f(2, 1), none},
		{"absent layout is the default", f(2, 3), f(2, 3).WithLayout(DefaultLayout(2)), all},
		{"layout", f(2, 3), f(2, 3).WithLayout(MakeLayout(0, 1)), verdict{false, true, true, true, true}},
		{"memory space", f(2), f(2).WithLayout(&Layout{MinorToMajor: []int{0}, MemorySpace: 5}),
			verdict{false, true, true, true, true}},
		{"tail padding of one is none", f(2), f(2).WithLayout(&Layout{MinorToMajor: []int{0}, TailPadding: 1}), all},
		{"float type", f(2), Make(BF16, 2), verdict{false, false, false, true, true}},
		{"integer type", f(2), Make(S32, 2), verdict{false, false, false, true, false}},
		{"bound", f(2, 3), bounded, verdict{false, true, false, true, true}},
		{"unbounded", f(2, 3), unbounded, verdict{false, true, false, true, true}},
		{"unbounded, other size differs", f(2, 4), unbounded, none},
		{"bounded and unbounded", bounded, unbounded, verdict{false, true, false, true, true}},
		{"unbounded twice", unbounded, MakeDynamic(F32, []int{Unbounded, 3}, nil), all},
		{"tuple", MakeTuple(f(2), MakeToken()), MakeTuple(f(2), MakeToken()), all},
		{"tuple element", MakeTuple(f(2)), MakeTuple(f(3)), none},
		{"tuple length", MakeTuple(f(2)), MakeTuple(f(2), f(2)), none},
		{"tuple and array", MakeTuple(f(2)), f(2), none},
		{"array and token", f(), MakeToken(), none},
		{"token and opaque", MakeToken(), Shape{Type: Opaque}, none},
		{"buffer", Shape{Type: Buffer, Elems: []Shape{f(2)}}, Shape{Type: Buffer, Elems: []Shape{f(3)}}, none},
	}
	for _, test := range tests {
		for _, pair := range [][2]Shape{{test.a, test.b}, {test.b, test.a}} {
			a, b := pair[0], pair[1]
			got := verdict{a.Equal(b), a.EqualIgnoringLayout(b), a.EqualExceptLayout(b),
				a.CompatibleIgnoringElementType(b), a.CompatibleIgnoringFloatPrecision(b)}
			if got != test.want {
				t.Errorf("%s: %v and %v: got %v, want %v", test.name, a, b, got, test.want)
			}
		}
	}
}

func TestAccepts(t *testing.T) {
	dyn := func(d int) Shape { return MakeDynamic(F32, []int{d}, []bool{true}) }
	tests := []struct {
		want, got Shape
		ok        bool
	}{
		{dyn(4), Make(F32, 3), true},
		{dyn(4), Make(F32, 4), true},
		{dyn(4), Make(F32, 5), false},
		{dyn(4), dyn(3), true},
		{dyn(4), dyn(5), false},
		{dyn(4), dyn(Unbounded), false},
		{dyn(Unbounded), dyn(5), true},
		{Make(F32, 4), Make(F32, 4), true},
		{Make(F32, 4), dyn(4), false},
		{Make(F32, 4), Make(F32, 3), false},
		{Make(F32, 4), Make(S32, 4), false},
		{MakeTuple(dyn(4)), MakeTuple(Make(F32, 2)), true},
		{MakeTuple(dyn(4)), MakeTuple(Make(F32, 6)), false},
		{MakeTuple(dyn(4)), MakeTuple(), false},
	}
	for _, test := range tests {
		if got := test.want.Accepts(test.got); got != test.ok {
			t.Errorf("(%v).Accepts(%v) = %v, want %v", test.want, test.got, got, test.ok)
		}
	}
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		layout *Layout
		isNil  bool
	}{
		{nil, true},
		{&Layout{}, true},
		{DefaultLayout(20), true},
		{&Layout{MinorToMajor: []int{1, 0}, TailPadding: 1}, true},
		{MakeLayout(0, 1), false},
		{MakeLayout(1, 1), false},
		{&Layout{MinorToMajor: []int{1, 0}, MemorySpace: 5}, false},
	}
	for _, test := range tests {
		if got := test.layout.Normalize() == nil; got != test.isNil {
			t.Errorf("%v: normalized to nil: %v, want %v", test.layout, got, test.isNil)
		}
	}
}

func TestMinorToMajorIsNeverNilForArrays(t *testing.T) {
	for _, s := range []Shape{Make(F32), Make(F32).WithLayout(&Layout{}), Make(F32, make([]int, 40)...)} {
		got := s.MinorToMajor()
		if got == nil || len(got) != s.Rank() || s.Rank() > 0 && got[0] != s.Rank()-1 {
			t.Errorf("%v: order %v", s, got)
		}
	}
	if got := MakeToken().MinorToMajor(); got != nil {
		t.Errorf("token: order %v, want none", got)
	}
}

func TestClone(t *testing.T) {
	s := Make(F32, 2, 3)
	s.Layout = &Layout{MinorToMajor: []int{0, 1}, Tiles: []Tile{{Dims: []int{2}}}}
	c := MakeTuple(s).Clone()
	c.Elems[0].Dims[0] = 7
	c.Elems[0].Layout.MinorToMajor[0] = 1
	c.Elems[0].Layout.Tiles[0].Dims[0] = 9
	if got := s.String(); got != "f32[2,3]{0,1:T(2)}" {
		t.Errorf("the clone shares memory with its source, which is now %s", got)
	}
}

func TestSameDims(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"f32[2,3]", "s8[2,3]{0,1}", true},
		{"f32[2,3]", "f32[2,?]", true},
		{"f32[2,<=3]", "f32[2,3]", true},
		{"f32[2,3]", "f32[2]", false},
		{"f32[2,3]", "f32[3,2]", false},
	}
	for _, test := range tests {
		if got := mustParse(t, test.a).SameDims(mustParse(t, test.b)); got != test.want {
			t.Errorf("%s and %s: got %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestLayoutEqual(t *testing.T) {
	texts := []string{"{1,0}", "{0,1}", "{1,0:T(2)}", "{1,0:T(2)(2)}", "{1,0:L(8)}", "{1,0:#(u32)}", "{1,0:*(u32)}",
		"{1,0:E(4)}", "{1,0:S(1)}", "{1,0:SC(0:1)}", "{1,0:SC(1:1)}", "{1,0:P(f32[6])}", "{1,0:P(f32[7])}", "{1,0:M(4)}"}
	for i, a := range texts {
		for j, b := range texts {
			l, err := ParseLayout(a)
			m, err2 := ParseLayout(b)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if l.Equal(m) != (i == j) || l.Equal(m.Clone()) != (i == j) {
				t.Errorf("%s and %s: equal: %v", a, b, l.Equal(m))
			}
		}
	}
	if !(*Layout)(nil).Equal(DefaultLayout(3)) || (*Layout)(nil).Equal(MakeLayout(0, 1)) {
		t.Error("nil must equal the default layout and no other")
	}
}

func TestProgramEqual(t *testing.T) {
	program := func(text string) Program {
		p, err := ParseProgram(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	tests := []struct {
		a, b                  string
		equal, ignoringLayout bool
	}{
		{"(x: f32[2,3]) -> f32[]", "(y: f32[2,3]) -> f32[]", true, true},
		{"(f32[2,3]) -> f32[]", "(f32[2,3]{0,1}) -> f32[]", false, true},
		{"() -> f32[2,3]", "() -> f32[2,3]{0,1}", false, true},
		{"(f32[]) -> f32[]", "(s32[]) -> f32[]", false, false},
		{"(f32[]) -> f32[]", "(f32[], f32[]) -> f32[]", false, false},
	}
	for _, test := range tests {
		a, b := program(test.a), program(test.b)
		if a.Equal(b) != test.equal || a.EqualIgnoringLayout(b) != test.ignoringLayout {
			t.Errorf("%s and %s: got %v, %v", test.a, test.b, a.Equal(b), a.EqualIgnoringLayout(b))
		}
	}
}
