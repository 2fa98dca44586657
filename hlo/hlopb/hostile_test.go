package hlopb

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// programs returns binary programs: those of the cases that are right, and the forms.
func programs(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	names, parts := cases(t)
	for _, name := range names {
		if parts[name+".hlo"] != "" {
			all[name] = assemble(t, parts[name+".proto"], parts)
		}
	}
	for name, text := range parts {
		stem, ok := strings.CutSuffix(name, ".text.hlo")
		if !ok {
			continue
		}
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if all[stem], err = Append(nil, m); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// tryProgram reads data, which may be anything. What can be read can be printed and written.
func tryProgram(t *testing.T, data []byte) (readable bool) {
	t.Helper()
	m, err := Parse(data, ParseOptions{})
	if err != nil {
		if m != nil {
			t.Error("a module comes with an error")
		}
		checkPlace(t, err, data)
		return false
	}
	hlotext.String(m, hlotext.Full())
	_ = hlo.Verify(m, hlo.VerifyOptions{}) // it must not panic
	if _, err := Append(nil, m); err != nil {
		t.Errorf("what was read cannot be written: %v", err)
	}
	return true
}

// TestCutOff reads every beginning of programs. Only the whole is one, or what ends
// behind all that is needed.
func TestCutOff(t *testing.T) {
	for name, data := range programs(t) {
		needed := 0 // up to the shapes of the program and the last computation
		fieldsOf(data, func(num protowire.Number, _ protowire.Type, value []byte) {
			if num == 4 || num == computationsOfModule && !isWrapped(data) {
				needed = cap(data) - cap(value) + len(value)
			}
		})
		for n := range data {
			if tryProgram(t, data[:n]) && n < needed {
				t.Errorf("%s: the first %d of %d bytes read as a program", name, n, len(data))
			}
		}
	}
}

// TestFlippedBits reads programs with a bit that is wrong.
func TestFlippedBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, data := range programs(t) {
		for range 500 {
			bad := append([]byte(nil), data...)
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			tryProgram(t, bad)
		}
	}
}

// nested wraps a message n times in field num.
func nested(num protowire.Number, n int, inner []byte) []byte {
	for range n {
		inner = protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), inner)
	}
	return inner
}

// withField returns a program with a field in its second instruction, a negate.
func withField(t *testing.T, num protowire.Number, value []byte) []byte {
	t.Helper()
	_, parts := cases(t)
	text := fmt.Sprintf(`3 {
1: "e"
2 {
include p
}
2 {
1: "b"
2: "negate"
3: shape (f32[], f32[])
36: [0]
35: 1
%d: hex %x
}
5: 1
}
include end`, num, value)
	return assemble(t, text, parts)
}

// withInstructions returns a program with n more instructions, each with the field.
func withInstructions(t *testing.T, n int, field string) []byte {
	t.Helper()
	_, parts := cases(t)
	text := "3 {\n1: \"e\"\n2 {\ninclude p\n}\n"
	for i := range n {
		text += fmt.Sprintf("2 {\n1: \"b%d\"\n2: \"after-all\"\n3: shape token[]\n35: %d\n%s\n}\n", i, i+1, field)
	}
	return assemble(t, text+"5: 1\n}\ninclude end", parts)
}

// TestLimits: nesting and repetition are bounded, and so is memory.
func TestLimits(t *testing.T) {
	deep := strings.Repeat("0 ", 1<<16)
	// The devices of this one, sorted in groups of 3, have to be written out.
	listed := "40 {\n1: 3\n3: [1048576 3]\n6: 1\n9: [2 1572864]\n10: [1 0]\n}"
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"tuple shapes":   {withField(t, 3, nested(4, 5000, nil)), "expects at most 1000 messages in each other"},
		"tuple sharding": {withField(t, 40, nested(5, 5000, nil)), "expects at most 1000 messages in each other"},
		"origin": {withInstructions(t, 1, "88 {\n1 {\n1: ["+deep+"]\n}\n}"),
			"expects indices of at most 1000 numbers, got 65536"},
		"origin gaps": {withInstructions(t, 1, "88 {\n1 {\n1: [1000000000]\n}\n}"),
			"expects the indices of the leaves of a tuple, got [1000000000]"},
		"modules": {assemble(t, fmt.Sprintf("20: hex %x", strings.Repeat("\x0a\x02\x1a\x00", maxRecoveryModules+1)), nil),
			"expects"},
		"devices": {withInstructions(t, 20, listed), "expects at most 16777216 devices in arrays that are written out"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse(c.data, ParseOptions{})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %.300v, want %s", err, c.want)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 256<<20 {
				t.Errorf("%d MB for %d bytes", spent>>20, len(c.data))
			}
		})
	}
}

// TestRepeatedShardings: shardings that stand for every leaf of a tuple are counted.
func TestRepeatedShardings(t *testing.T) {
	pair := shape.MakeTuple(shape.MakeToken(), shape.MakeTuple(shape.MakeToken(), shape.MakeTuple()))
	r := &reader{spent: spent{shardings: maxRepeatedShardings - 3}}
	if s := r.forShape(&op.Sharding{}, pair); len(s.Elems) != 2 || !r.ok() {
		t.Errorf("got %v (%v), want 2 elements", s, r.err)
	}
	if r.forShape(&op.Sharding{}, pair); r.ok() {
		t.Error("the limit is passed")
	}
}

// TestIsProgram tells the binary form from text.
func TestIsProgram(t *testing.T) {
	for name, data := range programs(t) {
		for _, n := range []int{len(data), len(data) / 2} {
			if !IsProgram(data[:n]) {
				t.Errorf("%s: the first %d of %d bytes are not known as a program", name, n, len(data))
			}
		}
	}
	for _, text := range []string{
		"", "\n", strings.Repeat("\n", 14), "HloModule m\n",
		"\nHloModule m\n\nENTRY e { ROOT p = f32[] parameter(0) }\n",
		"// comment\n", "\n// a comment that is long enough for the length that its second character would be\n",
		"module @m {}", "ML\xefR", "f32[4] add(f32[4] x, f32[4] y)",
	} {
		if IsProgram([]byte(text)) {
			t.Errorf("text is taken for a binary program: %q", text)
		}
	}
}
