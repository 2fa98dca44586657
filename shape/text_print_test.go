package shape

import "testing"

func TestPrint(t *testing.T) {
	tiled := &Layout{MinorToMajor: []int{1, 0}, Tiles: []Tile{{Dims: []int{8, 128}}, {Dims: []int{Combine, 2, 1}}},
		TailPadding: 8, IndexType: U32, PointerType: U64, ElementBits: 16, MemorySpace: 1,
		SplitConfigs: []SplitConfig{{Dim: 1, Indices: []int{4, 6}}, {Dim: 0, Indices: []int{3}}}, DynamicMetadataPrefix: 16}
	scalar := Make(S32)
	physical := Make(F32, 6)
	tests := []struct {
		shape         Shape
		full, without string
	}{
		{Make(F32, 2, 3), "f32[2,3]{1,0}", "f32[2,3]"},
		{Make(Pred), "pred[]", "pred[]"},
		{Make(F32).WithLayout(&Layout{}), "f32[]", "f32[]"},
		{Make(F32).WithLayout(&Layout{Tiles: []Tile{{Dims: []int{256}}}}), "f32[]{:T(256)}", "f32[]"},
		{Make(F32, 2, 3).WithLayout(MakeLayout(0, 1)), "f32[2,3]{0,1}", "f32[2,3]"},
		{Make(BF16, 16, 256).WithLayout(tiled),
			"bf16[16,256]{1,0:T(8,128)(*,2,1)L(8)#(u32)*(u64)E(16)S(1)SC(1:4,6)(0:3)M(16)}", "bf16[16,256]"},
		{Make(F32, 2, 3).WithLayout(&Layout{MinorToMajor: []int{1, 0}, Physical: &physical}),
			"f32[2,3]{1,0:P(f32[6]{0})}", "f32[2,3]"},
		{MakeDynamic(F32, []int{4, Unbounded, 3}, []bool{true, true, false}), "f32[<=4,?,3]{2,1,0}", "f32[<=4,?,3]"},
		{MakeDynamic(F32, []int{Unbounded}, nil), "f32[?]{0}", "f32[?]"},
		{MakeToken(), "token[]", "token[]"},
		{Shape{Type: Opaque}, "opaque[]", "opaque[]"},
		{MakeTuple(), "()", "()"},
		{MakeTuple(Make(F32, 2), MakeTuple(scalar, MakeToken())),
			"(f32[2]{0}, (s32[], token[]))", "(f32[2], (s32[], token[]))"},
		{Shape{Type: Buffer, Elems: []Shape{Make(F32, 4)}}, "b(f32[4]{0})", "b(f32[4])"},
		{MakeTuple(scalar, scalar, scalar, scalar, scalar, scalar),
			"(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])",
			"(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])"},
		{Shape{}, "invalid", "invalid"},
	}
	for _, test := range tests {
		if got := test.shape.String(); got != test.full {
			t.Errorf("with layout: got %s, want %s", got, test.full)
		}
		if got := test.shape.StringNoLayout(); got != test.without {
			t.Errorf("without layout: got %s, want %s", got, test.without)
		}
	}
}

func TestPrintOptions(t *testing.T) {
	six := MakeTuple(Make(S32), Make(S32), Make(S32), Make(S32), Make(S32), Make(S32, 2))
	got := string(six.AppendTextWith(nil, TextOptions{NoIndexComments: true}))
	if want := "(s32[], s32[], s32[], s32[], s32[], s32[2]{0})"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPrintProgram(t *testing.T) {
	x := Make(F32, 4)
	p := Program{Params: []Shape{x, x, x, x, x, x}, Names: []string{"a", "b", "c", "d", "e"}, Result: x}
	tests := []struct{ got, want string }{
		{Program{Params: []Shape{x}, Names: []string{"x"}, Result: x}.String(), "(x: f32[4]) -> f32[4]"},
		{Program{Params: []Shape{x}, Names: []string{"x"}, Result: x}.StringWithLayout(), "(x: f32[4]{0}) -> f32[4]{0}"},
		{Program{Result: MakeTuple()}.String(), "() -> ()"},
		{p.String(), "(a: f32[4], b: f32[4], c: f32[4], d: f32[4], e: f32[4], (unknown): f32[4]) -> f32[4]"},
		{string(p.AppendLayoutText(nil)),
			"{(f32[4]{0}, f32[4]{0}, f32[4]{0}, f32[4]{0}, f32[4]{0}, /*index=5*/f32[4]{0})->f32[4]{0}}"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

func TestPrintAllocatesNothing(t *testing.T) {
	tiled := &Layout{MinorToMajor: []int{0}, Tiles: []Tile{{Dims: []int{8}}}}
	s := MakeTuple(Make(F32, 2, 3), Make(BF16, 8).WithLayout(tiled))
	buf := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() { buf = s.AppendText(buf[:0]) }); n != 0 {
		t.Errorf("AppendText: %v allocations, want 0", n)
	}
}
