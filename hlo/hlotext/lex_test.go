package hlotext

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestLexer cuts texts into tokens: kind and text of each.
func TestLexer(t *testing.T) {
	names := map[kind]string{kindIdent: "ident", kindName: "name", kindAttribute: "attr", kindKeyword: "key",
		kindType: "type", kindInt: "int", kindDecimal: "dec", kindNegInf: "-inf", kindDimLabels: "dim",
		kindDxD: "dxd", kindPad: "pad", kindString: "str", kindBad: "bad"}
	for _, c := range []struct{ text, want string }{
		{"%p.1 = f32[2]{0} add(x, %y-z)", "name p.1 = type f32 [ int 2 ] { int 0 } ident add ( ident x , name y-z )"},
		{"a: b= b =", "name a attr b ident b ="},
		{"ROOT true tuple token s32x", "key ROOT key true ident tuple type token ident s32x"},
		{"/*index=5*/ x // y\nz", "ident x ident z"},
		{"12 -3 18446744073709551615", "int 12 int -3 int 18446744073709551615"},
		{"18446744073709551616", "bad"},
		{"5. -.5 1e3 1E-2 1e 1.e5", "dec 5. dec -.5 dec 1e3 dec 1E-2 int 1 ident e dec 1.e5"},
		{".5", "bad"},
		{"-inf inf nan -nan nan(0x1) nan(0x0)", "-inf -inf key inf dec nan dec -nan dec nan(0x1) bad"},
		{"3x3 3x 0_1x-1_2 1_2_3 1_1_-1", "dxd 3x3 int 3 ident x pad 0_1x-1_2 pad 1_2_3 pad 1_1 ident _-1"},
		{"b01f_01io->b01f 01bf_io01->?b0f bf_io->bf", "dim b01f_01io->b01f dim 01bf_io01->?b0f dim bf_io->bf"},
		{"-> <= ... ? ?1 * # + ~", "-> <= ... ? ? int 1 * # + ~"},
		{`"a\"b" 'c"' "\n\x41\101\u00e9"`, "str a\"b str c\" str \nAAé"},
		{`"\q"`, "bad"},
		{"\"a\\\nb\"", "bad"},
		{"% @", "bad"},
		{"1/2", "int 1 bad"},
		{"/* /", "bad"},
	} {
		l := lexer{text: c.text}
		var got []string
		for {
			tok := l.next()
			if tok.kind == kindEOF {
				break
			}
			if name := names[tok.kind]; name != "" {
				got = append(got, strings.TrimSpace(name+" "+tok.text))
			} else {
				got = append(got, strings.Trim(tok.kind.String(), "'"))
			}
			if tok.kind == kindBad {
				break
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: got %q, want %q", c.text, s, c.want)
		}
	}
}

func TestLexerNaN(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
	}{{"nan", 0x7ff8000000000000}, {"-nan", 0xfff8000000000000}, {"nan(0x12)", 0x7ff0000000000012}} {
		l := lexer{text: c.text}
		if got := math.Float64bits(l.next().decimal); got != c.want {
			t.Errorf("%s: got %#x, want %#x", c.text, got, c.want)
		}
	}
}

// TestPositions asks for positions in any order.
func TestPositions(t *testing.T) {
	p := &parser{lexer: lexer{text: "ab\nc\n\nde"}}
	for _, c := range []struct {
		offset int
		want   string
	}{{0, "1:1"}, {2, "1:3"}, {3, "2:1"}, {7, "4:2"}, {1, "1:2"}, {8, "4:3"}, {5, "3:1"}} {
		if got := fmt.Sprint(p.position(c.offset)); got != c.want {
			t.Errorf("offset %d: got %s, want %s", c.offset, got, c.want)
		}
	}
}
