package hlotext_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/hlo/hlotext"
)

// inEntry returns a module with the given instructions.
func inEntry(instructions string) string {
	return "HloModule m\n\nENTRY e {\n" + instructions + "\n}\n"
}

// doublingTuples returns n instructions, each a tuple of the one before twice.
func doublingTuples(n int) string {
	var text strings.Builder
	text.WriteString("t0 = f32[] parameter(0)\n")
	for i := range n {
		fmt.Fprintf(&text, "t%d = tuple(t%d, t%d)\n", i+1, i, i)
	}
	return text.String()
}

// deepTuples returns n instructions, each a tuple of the one before.
func deepTuples(n int) string {
	var text strings.Builder
	text.WriteString("t0 = f32[] parameter(0)\n")
	for i := range n {
		fmt.Fprintf(&text, "t%d = tuple(t%d)\n", i+1, i)
	}
	return text.String()
}

// hostileText is a text that is refused with an error that has want in it.
type hostileText struct{ name, text, want string }

func hostileTexts() []hostileText {
	const many = 100_000
	nest := func(open, inner, closing string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	return []hostileText{
		{"nested tuple shapes", inEntry("p = " + nest("(", "f32[]", ")", many) + " parameter(0)"), "nested"},
		{"nested tuple literal",
			inEntry("p = " + nest("(", "f32[]", ")", 8000) + " constant(" + nest("(", "1", ")", many) + ")"),
			""},
		{"nested operands",
			inEntry("p = f32[] parameter(0)\nr = f32[] " + nest("abs(", "p", ")", many)),
			"levels of nesting"},
		{"nested shaped operands",
			inEntry("p = f32[] parameter(0)\nr = " + nest("f32[] abs(", "p", ")", many)),
			"levels of nesting"},
		{"nested computations",
			inEntry(nest("r = f32[] call(), to_apply={\n", "c = f32[] constant(1)", "}\n", many)),
			"levels of nesting"},
		{"open braces", strings.Repeat("HloModule m {", many), ""},
		{"only parentheses", inEntry("p = " + strings.Repeat("(", many)), "nested"},
		{"nested origins",
			inEntry("p = f32[] parameter(0), origin={" + strings.Repeat("(", many)),
			"levels of nesting"},
		{"huge dimension", inEntry("c = f32[4611686018427387904] constant({...})"), "bytes"},
		{"huge elided", inEntry("c = f32[1073741824,1073741824] constant({...})"), "bytes"},
		{"huge literal", inEntry("c = f32[1099511627776] constant({1, 2})"), "elements"},
		{"first element only", inEntry("c = f32[1099511627776] constant(1)"), "bytes"},
		{"elided tuple", inEntry("c = (f32[1099511627776], f32[]) constant({...})"), "bytes"},
		{"overflowing dimension", inEntry("c = f32[99999999999999999999] parameter(0)"), "2^63"},
		{"exponential tuples", inEntry(doublingTuples(200)), "leaves them out"},
		{"deep tuples", inEntry(deepTuples(many)), "leaves them out"},
		{"large shapes in errors", inEntry(doublingTuples(20) + "r = abs(t20)"), ""},
		{"unterminated string", inEntry(`p = f32[] parameter(0), backend_config="abc`), "not closed"},
		{"unterminated comment", "HloModule m /* abc", "not closed"},
		{"unterminated dictionary", inEntry(`p = f32[] parameter(0), backend_config={"abc": {`), "dictionary"},
		{"NUL byte", inEntry("p = f32[]\x00 parameter(0)"), "NUL"},
		{"NUL byte in a string", inEntry("p = f32[] parameter(0), backend_config=\"a\x00b\""), "NUL"},
		{"invalid UTF-8", inEntry("p = f32[] parameter(0), backend_config=\"a\xffb\""), "string"},
		{"long name", strings.Repeat("a", 1<<20) + " {", "name"},
		{"many unknown attributes", inEntry("p = f32[] parameter(0)" + strings.Repeat(", a=1", many)), "attributes"},
		{"recursive call", inEntry("p = f32[] parameter(0)\nr = f32[] call(p), to_apply=e"), "defined before"},
		{"use before definition", inEntry("a = f32[] abs(b)\nb = f32[] abs(a)"), "defined before"},
		{"parameter number", inEntry("p = f32[] parameter(9223372036854775807)"), "parameter numbers"},
		{"missing parameter", inEntry("p = f32[] parameter(1)"), "parameter numbers"},
		{"devices",
			inEntry("p = f32[] parameter(0), sharding={devices=[1099511627776,1099511627776]<=[1208925819614629174706176]}"),
			""},
		{"iota devices",
			inEntry("p = f32[] parameter(0), sharding={devices=[1099511627776]<=[1099511627776]}"),
			"devices"},
		{"mesh",
			inEntry("p = f32[] parameter(0), sharding={mesh['a'=1099511627776,'b'=1099511627776], [{'a'}]}"),
			"devices"},
		{"recovery module in recovery module",
			"HloModule m, origin_recovery_table={ {\"a\"} : {\"b\"}, \"HloModule n, origin_recovery_table={\" }",
			"module"},
		{"window",
			inEntry("p = f32[] parameter(0)\nr = f32[] reduce-window(p, p), window={size=99999999999999999999x1}"),
			"2^63"},
		{"escape", inEntry(`p = f32[] parameter(0), backend_config="\x"`), "escape"},
		{"empty", "", "name"},
	}
}

// TestParseHostile reads texts made to cost much. Each must be refused, or accepted, quickly.
func TestParseHostile(t *testing.T) {
	for _, c := range hostileTexts() {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := hlotext.Parse(c.text, hlotext.ParseOptions{})
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Fatal("expects an error, got none")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("expects an error with %q, got %.300s", c.want, err)
			}
			if !errorPlace(err).IsValid() {
				t.Errorf("expects a place in %v", err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
				t.Errorf("took %d MB", used>>20)
			}
			t.Logf("%v: %.150s", time.Since(start).Round(time.Millisecond), err)
		})
	}
}
