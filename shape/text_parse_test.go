package shape

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{ // want "": the text itself
		{"f32[2,3]{1,0:T(8,128)}", ""},
		{"bf16[16,256]{1,0:T(8,128)(2,1)}", ""},
		{"bf16[8]{0:T(8)(2)E(16)S(1)}", ""},
		{"s4[8]{0:E(4)}", ""},
		{"f32[4]{0:S(5)}", ""},
		{"f32[2,3]{1,0:T(8,128)S(1)}", ""},
		{"f32[2,3]{1,0:D(D,C)}", "f32[2,3]{1,0}"},
		{"f32[2,3]{1,0:D(D+~, S~, H+)T(2)}", "f32[2,3]{1,0:T(2)}"},
		{"f32[2,3]{1,0:T(2,1)L(8)}", ""},
		{"f32[2,3]{1,0:L(1)}", "f32[2,3]{1,0}"},
		{"f32[8,8]{1,0:SC(1:4)}", ""},
		{"f32[8,8]{1,0:SC(1:4,6)(0:3)M(4)}", ""},
		{"f32[2,3]{1,0:T(*,128)}", ""},
		{"f32[2,3]{1,0:#(u32)}", ""},
		{"f32[2,3]{1,0:*(u32)}", ""},
		{"f32[2,3]{1,0:T(2)#(u32)*(s64)E(8)}", ""},
		{"f32[2,3]{1,0:}", "f32[2,3]{1,0}"},
		{"f32[<=4,3]", "f32[<=4,3]{1,0}"},
		{"f32[?,3]", "f32[?,3]{1,0}"},
		{"f32[<=4,?]{1,0}", ""},
		{"f32[?,<=4]", "f32[?,<=4]{1,0}"},
		{"f32[3,<= 4,5]", "f32[3,<=4,5]{2,1,0}"},
		{"pred[]", ""},
		{"f32[]{:T(256)}", ""},
		{"s32[]{:S(2)}", ""},
		{"token[]", ""},
		{"opaque[]", ""},
		{"(f32[2], (s32[], token[]))", "(f32[2]{0}, (s32[], token[]))"},
		{"()", ""},
		{"( )", "()"},
		{"b(f32[4])", "b(f32[4]{0})"},
		{"f32[2,3]{0,1}", ""},
		{"f32[2,3]{1,0:M(16)}", ""},
		{"u1[8]{0:E(1)}", ""},
		{"f8e4m3fn[2]", "f8e4m3fn[2]{0}"},
		{"f6e2m3fn[2]{0}", ""},
		{"f32[ 2, 3 ]", "f32[2,3]{1,0}"},
		{" f32 [ 2 , 3 ] { 0 , 1 : T ( 2 ) } ", "f32[2,3]{0,1:T(2)}"},
		{"f32[2,3]{1,1}", ""},
		{"s1[8]", "s1[8]{0}"},
		{"f32[0,4]", "f32[0,4]{1,0}"},
		{"f32[9223372036854775807]", "f32[9223372036854775807]{0}"},
		{"f32[4294967296,4294967296]", "f32[4294967296,4294967296]{1,0}"},
		{"(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])", ""},
		{"(s32[], // the counter\n f32[2] /* a { brace */ {0})", "(s32[], f32[2]{0})"},
		{"f32[1,2,3,4,5,6,7,8,9,10]{0,1,2,3,4,5,6,7,8,9}", ""},
	}
	for _, test := range tests {
		want := test.want
		if want == "" {
			want = test.text
		}
		s, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := s.String(); got != want {
			t.Errorf("%s: got %s, want %s", test.text, got, want)
		}
		if s.Layout != nil && s.Layout.IsDefault() {
			t.Errorf("%s: a default layout was kept", test.text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		msg    string
	}{
		{"", 0, "expected a shape, got the end of the text"},
		{"f32[]{}", 5, `expected the end of the text, got "{"`},
		{"f32[2,3]{1}", 8, "expected a layout of 2 dimensions, got {1}"},
		{"f32[2,3]{:T(2)}", 8, "expected a layout of 2 dimensions, got {:T(2)}"},
		{"f32[2,3]{2,0}", 8, "dimension 2 is not in [0, 2)"},
		{"f32[2,3]{1,-1}", 11, "expected a dimension of at least 0, got -1"},
		{"f32[2,3]{1,0:P(f32[6])}", 8, "layout has a physical shape, but is not for a sparse array: {1,0:P(f32[6]{0})}"},
		{"F32[2]", 0, `expected a shape, got "F32"`},
		{"tuple[]", 0, `expected a shape, got "tuple"`},
		{"f32[-1]", 4, "expected a dimension size of at least 0, got -1"},
		{"f32[<=-1]", 6, "expected a dimension size of at least 0, got -1"},
		{"f32[9223372036854775808]", 4, "expected a dimension size below 2^63, got 9223372036854775808"},
		{"f32[2 3]", 6, `expected "," or "]", got "3"`},
		{"f32[2,]", 6, `expected a dimension size, got "]"`},
		{"f32[,2]", 4, `expected a dimension size, got ","`},
		{"f32[x]", 4, `expected a dimension size, got "x"`},
		{"f32(2)", 3, `expected "[", got "("`},
		{"f32[2", 5, `expected "," or "]", got the end of the text`},
		{"f32[2]]", 6, `expected the end of the text, got "]"`},
		{"token[2]", 0, "expected no dimensions for token, got 1"},
		{"b(token[])", 2, "expected an array in a buffer, got token"},
		{"b[2]", 1, `expected "(", got "["`},
		{"(f32[2]", 7, `expected "," or ")", got the end of the text`},
		{"(f32[2],)", 8, `expected a shape, got ")"`},
		{"(,)", 1, `expected a shape, got ","`},
		{"f32[2,3]{1,}", 11, `expected a dimension, got "}"`},
		{"f32[2,3]{1 0}", 11, `expected "}" or a layout property`},
		{"f32[2]{0:T}", 10, `expected "(", got "}"`},
		{"f32[2]{0:T()}", 11, `expected a tile size or "*", got ")"`},
		{"f32[2]{0:T(0)}", 11, `expected a tile size or "*" of at least 1, got 0`},
		{"f32[2]{0:S(1)T(2)}", 13, `expected "}" or a layout property`},
		{"f32[2]{0:Q(1)}", 9, `expected "}" or a layout property`},
		{"f32[2]{0:L(0)}", 11, "expected a number of at least 1, got 0"},
		{"f32[2]{0:E(x)}", 11, `expected a number, got "x"`},
		{"f32[2]{0:#(f32)}", 11, `expected an integer type, got "f32"`},
		{"f32[2]{0:SC(0)}", 13, `expected ":", got ")"`},
		{"f32[2]{0:SC(0:)}", 14, `expected a split index, got ")"`},
		{"f32[2]{0:D(X)}", 11, `expected a dimension level type (D, C, S or H), got "X"`},
		{"f32[2]{0", 8, `expected "}" or a layout property`},
		{"f32[2]/* open", 6, `expected the end of the text, got "/"`},
		{"f32[2]é", 6, `expected the end of the text, got "é"`},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		var at *ParseError
		if !errors.As(err, &at) {
			t.Errorf("%q: got %v, want a ParseError", test.text, err)
			continue
		}
		if at.Offset != test.offset || !strings.Contains(at.Msg, test.msg) {
			t.Errorf("%q:\n got %v\nwant offset %d: %s", test.text, err, test.offset, test.msg)
		}
	}
}

func TestParseStopsAtItsLimits(t *testing.T) {
	tests := []struct{ name, text, msg string }{
		{"tuples", strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000), "at most 8192 nested"},
		{"buffers", strings.Repeat("b(", 100_000), "at most 8192 nested"},
		{"physical shapes", strings.Repeat("f32[]{:P(", 100_000), "at most 8192 nested"},
		{"dimensions", "f32[1" + strings.Repeat(",1", 100_000) + "]", "at most 1024 entries"},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		if err == nil || !strings.Contains(err.Error(), test.msg) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.msg)
		}
	}
	deepest := strings.Repeat("(", MaxNesting) + strings.Repeat(")", MaxNesting)
	if s, err := Parse(deepest); err != nil || s.String() != deepest {
		t.Errorf("%d nested tuples: %v", MaxNesting, err)
	}
}

func TestParsePrefix(t *testing.T) {
	tests := []struct {
		text, shape, valueShape string // what ParsePrefix and ParseValuePrefix take
	}{
		{"f32[2]{0} parameter(0)", "f32[2]{0}", "f32[2]{0}"},
		{"f32[2] {0} parameter(0)", "f32[2] {0}", "f32[2]"},
		{"s32[2] {1, 2}", "", "s32[2]"},
		{"f32[] add(x)", "f32[]", "f32[]"},
		{"f32[]{", "f32[]", "f32[]"},
		{"f32[]{}", "f32[]", "f32[]"},
		{"f32[2]{a=1}", "f32[2]", "f32[2]"},
		{"f32[2]{1.5, 2}", "f32[2]", "f32[2]"},
		{"f32[2]{-inf}", "f32[2]", "f32[2]"},
		{"s32[2,1] {{1}, {2}}", "s32[2,1]", "s32[2,1]"},
		{"(s32[2], token[]) tuple(x)", "(s32[2], token[])", "(s32[2], token[])"},
	}
	for _, test := range tests {
		check := func(name, want string, parse func(string) (Shape, int, error)) {
			_, n, err := parse(test.text)
			if got := test.text[:n]; got != want || (err != nil) != (want == "") {
				t.Errorf("%s(%q) took %q (%v), want %q", name, test.text, got, err, want)
			}
		}
		check("ParsePrefix", test.shape, ParsePrefix)
		check("ParseValuePrefix", test.valueShape, ParseValuePrefix)
	}
}

func TestParseLayout(t *testing.T) {
	good := []string{"{}", "{0}", "{1,0:T(8,128)(2,1)L(8)#(u32)*(u8)E(4)S(1)SC(0:1)P(f32[6]{0})M(3)}", "{:T(*,2)}"}
	for _, text := range good {
		l, err := ParseLayout(text)
		if err != nil || l.String() != text {
			t.Errorf("%s: got %v, %v", text, l, err)
		}
	}
	bad := []string{"", "1,0", "{1,0", "{1,0} x", "{1 0}", "{T(2)}", "{:T(2)T(2)}"}
	for _, text := range bad {
		if l, err := ParseLayout(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, l)
		}
	}
}

func TestParseProgram(t *testing.T) {
	tests := []struct{ text, want string }{ // want "": the text itself
		{"(x: f32[4]) -> f32[4]", ""},
		{"() -> ()", ""},
		{"(a.1: f32[], b-2: (s32[], pred[2])) -> (f32[], token[])", ""},
		{"(%p: f32[2]{0})->f32[2]{0}", "(p: f32[2]) -> f32[2]"},
		{"(f32[2], s32[]) -> f32[2]", "((unknown): f32[2], (unknown): s32[]) -> f32[2]"},
		{"(x: f32[2], (unknown): s32[]) -> f32[2]", ""},
		{"((f32[2]), y: ()) -> f32[2]", "((unknown): (f32[2]), y: ()) -> f32[2]"},
	}
	for _, test := range tests {
		want := test.want
		if want == "" {
			want = test.text
		}
		p, err := ParseProgram(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := p.String(); got != want {
			t.Errorf("%s: got %s, want %s", test.text, got, want)
		}
		if p.Names != nil && len(p.Names) != len(p.Params) {
			t.Errorf("%s: %d names for %d parameters", test.text, len(p.Names), len(p.Params))
		}
	}
	bad := []string{"", "(x: f32[4])", "(x: f32[4]) -> ", "x: f32[4] -> f32[4]", "(x f32[4]) -> f32[4]",
		"(x: f32[4] y: f32[4]) -> f32[4]", "(: f32[4]) -> f32[4]", "(x: f32[4]) -> f32[4] {"}
	for _, text := range bad {
		if p, err := ParseProgram(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, p)
		}
	}
}
