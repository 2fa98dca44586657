package xla_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// donatedProgram is the text of a program of 6 arrays that makes 6 of them: some results are the same value, or are
// arguments.
func donatedProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("HloModule donated\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n" +
		"ENTRY e {\n  zero = f32[] constant(0)\n")
	var names []string
	for n := range 6 {
		names = append(names, fmt.Sprintf("p%d", n))
		fmt.Fprintf(&b, "  p%d = f32[24] parameter(%d)\n", n, n)
	}
	pick := func() string { return names[r.IntN(len(names))] }
	for n := range 4 + r.IntN(8) {
		name := fmt.Sprintf("v%d", n)
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "  %s = f32[24] reverse(%s), dimensions={0}\n", name, pick())
		case 1:
			fmt.Fprintf(&b, "  sum%d = f32[] reduce(%s, zero), dimensions={0}, to_apply=add\n", n, pick())
			fmt.Fprintf(&b, "  %s = f32[24] broadcast(sum%d), dimensions={}\n", name, n)
		case 2:
			fmt.Fprintf(&b, "  %s = f32[24] copy(%s)\n", name, pick())
		default:
			op := []string{"add", "subtract", "maximum"}[r.IntN(3)]
			fmt.Fprintf(&b, "  %s = f32[24] %s(%s, %s)\n", name, op, pick(), pick())
		}
		names = append(names, name)
	}
	results := make([]string, 6)
	for k := range results {
		results[k] = pick()
	}
	fmt.Fprintf(&b, "  ROOT t = (%sf32[24]) tuple(%s)\n}\n", strings.Repeat("f32[24], ", 5), strings.Join(results, ", "))
	return b.String()
}

// TestRunIntoArguments: whichever results are in the memory of whichever arguments, the numbers are the same.
func TestRunIntoArguments(t *testing.T) {
	client := newClient(t, xla.Options{})
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := donatedProgram(r)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		exe, err := client.Compile(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		buffers := func() (list []*xla.Buffer) {
			for n := range 6 {
				data := make([]float32, 24)
				for i := range data {
					data[i] = float32((n*37 + i*i*5) % 64)
				}
				b, err := client.BufferOf(literal.Of(data))
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, b)
			}
			return list
		}
		want, args, outs := buffers(), buffers(), buffers()
		if err := exe.RunInto(t.Context(), want, args); err != nil {
			t.Fatal(err)
		}
		for k, n := range r.Perm(6) {
			if r.IntN(4) > 0 {
				outs[k] = args[n]
			}
		}
		if err := exe.RunInto(t.Context(), outs, args); err != nil {
			t.Fatal(err)
		}
		for k := range outs {
			if w, g := floatsOf(t, want[k]), floatsOf(t, outs[k]); !slices.Equal(w, g) {
				t.Fatalf("seed %d: result %d: expected %v, got %v:\n%s", seed, k, w, g, text)
			}
		}
		exe.Close()
	}
}

func floatsOf(t *testing.T, b *xla.Buffer) []float32 {
	t.Helper()
	l, err := b.Literal()
	if err != nil {
		t.Fatal(err)
	}
	return literal.Values[float32](l)
}
