package xla_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
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

// sumAndProduct has two results of the shape of its two arguments.
const sumAndProduct = `ENTRY e {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  s = f32[8] add(x, y)
  p = f32[8] multiply(x, y)
  ROOT r = (f32[8], f32[8]) tuple(s, p)
}`

// viewOf returns a view of data.
func viewOf(t *testing.T, c *xla.Client, data []float32) *xla.Buffer {
	t.Helper()
	b, err := c.Buffer(data, shape.Strided{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDonatedOnce: of runs that are given a buffer at the same time one has it.
func TestDonatedOnce(t *testing.T) {
	for _, backend := range []xla.Backend{xla.CPU(), xla.Interp()} {
		client := newClient(t, xla.Options{Backend: backend})
		exe, err := client.Compile(t.Context(), parse(t, sumAndProduct))
		if err != nil {
			t.Fatal(err)
		}
		y := viewOf(t, client, make([]float32, 8))
		for range 100 {
			x := viewOf(t, client, make([]float32, 8))
			var runs sync.WaitGroup
			var had atomic.Int64
			for range 4 {
				runs.Go(func() {
					if _, err := exe.RunBuffers(t.Context(), []*xla.Buffer{x, y}, xla.Donate(0, 0)); err == nil {
						had.Add(1)
					}
				})
			}
			if runs.Wait(); had.Load() != 1 {
				t.Fatalf("%d runs had the buffer, want 1", had.Load())
			}
		}
	}
}

// TestDonatedToFailedRun: a run that fails gives back what it was given.
func TestDonatedToFailedRun(t *testing.T) {
	client := newClient(t, xla.Options{})
	exe, err := client.Compile(t.Context(), parse(t, sumAndProduct))
	if err != nil {
		t.Fatal(err)
	}
	x := viewOf(t, client, make([]float32, 8))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := exe.RunBuffers(ctx, []*xla.Buffer{x, x}, xla.Donate(0)); err == nil {
		t.Fatal("expects the error of the context")
	}
	if _, err := exe.RunBuffers(t.Context(), []*xla.Buffer{x, x}, xla.Donate(0)); err != nil {
		t.Fatal(err)
	}
}

// TestPartsOfOneSlice: what a view is of besides its elements is not its memory.
func TestPartsOfOneSlice(t *testing.T) {
	client := newClient(t, xla.Options{})
	exe, err := client.Compile(t.Context(), parse(t, sumAndProduct))
	if err != nil {
		t.Fatal(err)
	}
	data := make([]float32, 32)
	parts := make([]*xla.Buffer, 4)
	for k := range parts {
		if parts[k], err = client.Buffer(data[8*k:], shape.Strided{Sizes: []int{8}}); err != nil {
			t.Fatal(err)
		}
	}
	data[0], data[8] = 3, 4
	if err := exe.RunInto(t.Context(), parts[2:], parts[:2]); err != nil || data[16] != 7 || data[24] != 12 {
		t.Errorf("got %v and %v, %v", data[16], data[24], err)
	}
	if _, err := exe.RunBuffers(t.Context(), parts[:2], xla.Donate(0, 1)); err != nil {
		t.Error(err)
	}
	first, second := viewOf(t, client, data[16:24]), viewOf(t, client, data[20:28])
	for _, outs := range [][]*xla.Buffer{{first, first}, {first, second}} {
		err := exe.RunInto(t.Context(), outs, parts[2:])
		wantError(t, err, "got results 0 and 1 in one memory")
	}
}
