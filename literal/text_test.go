package literal

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/shape"
)

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parseConstant reads the text of a constant, which ends before the last ')' of text.
func parseConstant(s shape.Shape, text string) (Literal, error) {
	l, n, err := ParseText(s, text, nil)
	if err != nil {
		return Literal{}, err
	}
	if rest := strings.TrimLeft(text[n:], " \n"); rest != ")" {
		return Literal{}, &TextError{len(text) - len(rest), "expects ')' after constant literal"}
	}
	return l, nil
}

func TestTextTable(t *testing.T) {
	lines := 0
	for line := range strings.Lines(readFile(t, "testdata/text.txt")) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " | ", 3)
		if len(fields) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		s, err := shape.Parse(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if l, err := parseConstant(s, fields[1]+")"); err != nil {
			e := err.(*TextError)
			got = fmt.Sprintf("error %d: %s", e.Offset, e.Msg)
		} else {
			got = string(l.AppendText(nil))
		}
		if got != fields[2] {
			t.Errorf("%s %s\n got %s\nwant %s", fields[0], fields[1], got, fields[2])
		}
	}
	if lines < 200 {
		t.Errorf("only %d lines", lines)
	}
}

var rootConstant = regexp.MustCompile(`(?s)ROOT %?c = (.*) constant\((.*)\)\n`)

// TestTextXLACases reads and prints the literal cases that were run through XLA.
func TestTextXLACases(t *testing.T) {
	type textCase struct{ in, out, long, error string }
	cases := map[string]*textCase{}
	text := readFile(t, filepath.Join(sharedtest.Dir(t), "facts/hlo_cases.txtar"))
	for _, part := range strings.Split(text, "\n-- literal/")[1:] {
		head, body, _ := strings.Cut(part, " --\n")
		body, _, _ = strings.Cut(body, "\n-- ")
		dot := strings.LastIndex(strings.TrimSuffix(head, ".hlo"), ".")
		name, kind := head[:dot], head[dot+1:]
		if cases[name] == nil {
			cases[name] = &textCase{}
		}
		c := cases[name]
		*map[string]*string{"in.hlo": &c.in, "out.hlo": &c.out, "long.hlo": &c.long, "error": &c.error}[kind] = body
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { checkXLACase(t, c.in, c.out, c.long, c.error) })
	}
	t.Logf("%d cases", len(cases))
}

func checkXLACase(t *testing.T, in, out, long, wantError string) {
	found := rootConstant.FindStringSubmatchIndex(in + "\n")
	s, err := shape.Parse(in[found[2]:found[3]])
	if err != nil {
		t.Fatal(err)
	}
	l, err := parseConstant(s, in[found[4]:found[5]]+")")
	if wantError == "(process aborts)" {
		if err == nil {
			t.Errorf("got %v, want an error", l)
		}
		return
	}
	if wantError != "" {
		got := "no error"
		if err != nil {
			at := found[4] + err.(*TextError).Offset
			line := strings.Count(in[:at], "\n") + 1
			got = fmt.Sprintf("%d:%d: error: %s", line, at-strings.LastIndex(in[:at], "\n"), err.(*TextError).Msg)
		}
		if got != wantError {
			t.Errorf("got %s, want %s", got, wantError)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if long == "" {
		long = out
	}
	want := rootConstant.FindStringSubmatch(long + "\n")
	if got := string(l.AppendText(nil)); l.Shape().String() != want[1] || got != want[2] {
		t.Errorf("got %v constant(%s), want %s constant(%s)", l.Shape(), got, want[1], want[2])
	}
}

// TestTextXLACorpus prints every constant that XLA printed.
func TestTextXLACorpus(t *testing.T) {
	constant := regexp.MustCompile(`(?m)^ +(?:ROOT )?%?[^ ]+ = (.*?) constant\((.*?)\)(?:, [a-z_]+=.*)?$`)
	total := 0
	for _, dir := range []string{"printed", "printed_full", "printed_short", "ok"} {
		files, _ := filepath.Glob(filepath.Join(sharedtest.Dir(t), "corpus/hlo", dir, "*.hlo"))
		for _, file := range files {
			for _, found := range constant.FindAllStringSubmatch(readFile(t, file), -1) {
				s, err := shape.Parse(found[1])
				if err != nil || s.IsTuple() && strings.HasPrefix(found[2], "{...}") {
					continue
				}
				total++
				l, err := parseConstant(s, found[2]+")")
				got := string(l.AppendText(nil))
				want := strings.ReplaceAll(found[2], "-0, ", "0, ")
				want = strings.ReplaceAll(want, "-0}", "0}")
				if err != nil || got != want && dir != "ok" {
					t.Errorf("%s: %.200s: got %.200s, %v", filepath.Base(file), found[0], got, err)
				}
			}
		}
	}
	t.Logf("%d constants", total)
}

// TestGoldenConformance reads the inputs and outputs of all golden cases, prints them
// in the same form, and sends them through HLO text.
func TestGoldenConformance(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedtest.Dir(t), "conformance/hlo/*/*.txtar"))
	total := 0
	for _, file := range files {
		values := false
		for line := range strings.Lines(readFile(t, file)) {
			if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "-- ") {
				values = strings.HasPrefix(line, "-- input") || strings.HasPrefix(line, "-- output")
			} else if values && line != "" {
				total++
				checkGolden(t, filepath.Base(file), line)
			}
		}
	}
	if len(files) > 0 && total == 0 {
		t.Error("no literals found")
	}
	t.Logf("%d files, %d literals", len(files), total)
}

func checkGolden(t *testing.T, name, line string) {
	l, err := ParseGolden(line)
	if err != nil {
		t.Errorf("%s: %.200s: %v", name, line, err)
		return
	}
	if got := string(l.AppendGolden(nil)); got != line {
		t.Errorf("%s: got %.300s, want %.300s", name, got, line)
	}
	text := string(l.AppendText(nil))
	back, n, err := ParseText(l.Shape(), text, nil)
	if err != nil || n != len(text) {
		t.Errorf("%s: %.200s: %d of %d bytes, %v", name, text, n, len(text), err)
		return
	}
	if l.Type().IsComplex() && strings.Contains(line, "nan") {
		return // HLO text spreads a NaN from the real to the imaginary part
	}
	negZero := regexp.MustCompile(`-0([,)} ]|$)`)
	if got := string(back.AppendText(nil)); got != negZero.ReplaceAllString(text, "0$1") {
		t.Errorf("%s: got %.200s, want %.200s", name, got, text)
	}
}

// TestTextEveryCode prints every value of the small types and reads it back.
func TestTextEveryCode(t *testing.T) {
	for i := range shape.NumElementTypes {
		typ := shape.ElementType(i)
		if !typ.IsArray() || typ.Bits() > 16 {
			continue
		}
		n := 1 << typ.Bits()
		if typ == shape.Pred {
			n = 2
		}
		l := New(shape.Make(typ, n))
		for code := range n {
			l.SetBits(code, uint64(code))
		}
		for _, form := range []string{"text", "golden"} {
			var back Literal
			var err error
			if form == "text" {
				// -0 reads as an integer, so as +0.
				text := strings.NewReplacer("-0,", "-0.0,").Replace(string(l.AppendText(nil)))
				back, _, err = ParseText(l.Shape(), text, nil)
			} else {
				back, err = ParseGolden(string(l.AppendGolden(nil)))
			}
			if err != nil {
				t.Errorf("%v %s: %v", typ, form, err)
				continue
			}
			for code := range n {
				got, want := back.BitsAt(code), l.BitsAt(code)
				nan := typ.IsFloat() && math.IsNaN(DecodeFloat(typ, want))
				if got != want && !(nan && form == "golden") {
					t.Errorf("%v %s: code %#x reads back as %#x", typ, form, want, got)
				}
			}
		}
	}
}

func TestTextForms(t *testing.T) {
	s := shape.Make(shape.F32, 2, 2).WithLayout(shape.MakeLayout(0, 1))
	negZero := float32(math.Copysign(0, -1))
	l, err := FromSlice(s, []float32{1, 100, negZero, float32(math.NaN())})
	if err != nil {
		t.Fatal(err)
	}
	tuple := MakeTuple(l, Scalar(true), MakeTuple(), New(shape.MakeToken()))
	big := New(shape.Make(shape.S32, 3, 1000))
	for _, c := range []struct{ got, want string }{
		{string(l.AppendText(nil)), "{ { 1, -0 }, { 100, nan } }"},
		{string(l.AppendTextWithShape(nil)), "f32[2,2]{0,1} { { 1, -0 }, { 100, nan } }"},
		{string(l.AppendGolden(nil)), "f32[2,2] {{1, -0.0}, {100, nan}}"},
		{l.String(), "f32[2,2]{0,1} { { 1, -0 }, { 100, nan } }"},
		{string(tuple.AppendText(nil)), "( { { 1, -0 }, { 100, nan } }, true, (  ), token )"},
		{string(tuple.AppendGolden(nil)), "(f32[2,2] {{1, -0.0}, {100, nan}}, pred[] true, (), token[])"},
		{string(tuple.AppendTextWithShape(nil)), "( f32[2,2]{0,1} { { 1, -0 }, { 100, nan } }, pred[] true, (  ), token[] )"},
		{string(Elided(shape.Make(shape.F32, 3), 1).AppendText(nil)), "{1.4013e-45, 2.8026e-45, 4.2039e-45}"},
		{string(Elided(shape.Make(shape.F32, 11), 0).AppendText(nil)), "{...}"},
		{string(Elided(shape.Make(shape.F32, 1<<40), 0).AppendGolden(nil)), "f32[1099511627776] {...}"},
		{string(New(shape.Make(shape.F32, 1<<40, 0)).AppendText(nil)), "{...}"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	if n := len(big.String()); n > 5*maxStringElements {
		t.Errorf("String of %v has %d bytes", big.Shape(), n)
	}
	if got := big.String(); !strings.HasSuffix(got, "0, 0 }, ... }") {
		t.Errorf("String of %v ends in %q", big.Shape(), got[len(got)-20:])
	}
}

// TestTextElidedCounter checks that the counter goes on from constant to constant.
func TestTextElidedCounter(t *testing.T) {
	counter := uint64(5)
	s := shape.MakeTuple(shape.Make(shape.S32, 2), shape.Make(shape.S32, 1), shape.Make(shape.S32, 2, 1))
	l, n, err := ParseText(s, " ({...}, {7}, { /**/ ...}) rest", &counter)
	if err != nil || n != len(" ({...}, {7}, { /**/ ...})") {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if got, want := string(l.AppendText(nil)), "( {5, 6}, {7}, { {7}, {8} } )"; got != want || counter != 9 {
		t.Errorf("got %s and counter %d, want %s and 9", got, counter, want)
	}
}

func TestParseGoldenErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"f32[2] {1, 2} x", `expects nothing after the literal, but sees "x" (at byte 14)`},
		{"(f32[] 1,)", `expects a shape, but sees ")" (at byte 9)`},
		{"(f32[] 1 f32[] 2)", "expects ',' or ')' after a tuple element (at byte 9)"},
		{"f32 {1}", `expects a shape, but sees "f32 {1}" (at byte 0)`},
		{"f32[2]{0,1} {1, 2}", `expects a shape, but sees "f32[2]{0,1} {1, 2}" (at byte 0)`},
		{"", `expects a shape, but sees "" (at byte 0)`},
		{"s4[2] {1, 8}", "value 8 is out of range for literal's primitive type S4 namely [-8, 7]. (at byte 10)"},
	} {
		if l, err := ParseGolden(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v and error %v, want %s", c.text, l, err, c.want)
		}
	}
	if _, err := ParseGolden(strings.Repeat("(", 1<<20)); err == nil {
		t.Error("a deep tuple is read")
	}
}

// TestParseTextMemory checks that a large shape with a short text takes no memory.
func TestParseTextMemory(t *testing.T) {
	s := shape.Make(shape.F64, 1<<20, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := ParseText(s, "{{1, 2}}", nil); err == nil {
		t.Error("short text is read")
	}
	if l, _, err := ParseText(s, "1", nil); err != nil || l.Len() != 1<<40 {
		t.Errorf("a bare number: %v, %v", l.Shape(), err)
	}
	runtime.ReadMemStats(&after)
	allocs := after.TotalAlloc - before.TotalAlloc
	if allocs > 1<<16 {
		t.Errorf("%d bytes for a text of 8", allocs)
	}
}
