package shape

import "testing"

// FuzzParseShape checks that no text makes Parse panic, and that a parsed shape
// prints to text that parses to the same shape.
func FuzzParseShape(f *testing.F) {
	for _, text := range []string{
		"f32[2,3]{1,0}", "pred[]", "token[]", "opaque[]", "()", "b(f32[4])", "(f32[2], (s32[], token[]))",
		"f32[<=4,?]{0,1}", "f32[2,3]{1,1}", "f32[]{:T(256)}", "bf16[8]{0:T(8)(2)E(16)S(1)}",
		"f32[8,8]{1,0:T(*,2)L(8)#(u32)*(u64)E(16)S(1)SC(1:4,6)(0:3)M(16)}", "f32[2]{0:P(f32[6])}", "f32[2]{0:D(D)}",
		"(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])", "f32[9223372036854775807]", "f32[ 2 ] // c", "f32[-1]",
		"((((", "f32[2]{0", "/*", "u1[1,1,1,1,1,1,1,1,1]", "f8e4m3b11fnuz[0]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		printed := s.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%q printed as %q: %v", text, printed, err)
		}
		if !again.Equal(s) || again.String() != printed {
			t.Fatalf("%q printed as %q, which reads as %v", text, printed, again)
		}
		bare, err := Parse(s.StringNoLayout())
		if err != nil || !bare.EqualExceptLayout(s) {
			t.Fatalf("%q without layout is %q, which reads as %v (%v)", text, s.StringNoLayout(), bare, err)
		}
	})
}

// FuzzParseProgram checks that no text makes ParseProgram panic, and that printing
// and parsing once more changes nothing.
func FuzzParseProgram(f *testing.F) {
	for _, text := range []string{"(x: f32[4]) -> f32[4]", "() -> ()", "(f32[], %a.b-c: (s32[])) -> token[]",
		"((unknown): f32[]) -> f32[]", "(((", "(x: f32[]) ->"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProgram(text)
		if err != nil {
			return
		}
		printed := p.StringWithLayout()
		again, err := ParseProgram(printed)
		if err != nil {
			t.Fatalf("%q printed as %q: %v", text, printed, err)
		}
		if !again.Equal(p) || again.StringWithLayout() != printed {
			t.Fatalf("%q printed as %q, which reads as %v", text, printed, again)
		}
	})
}
