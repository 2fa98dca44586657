package xla_test

import (
	"slices"
	"testing"

	"github.com/goxla/xla"
)

// TestOneBufferTwice: a buffer may be two arguments and a result, whether the program says that results are where
// arguments were or not.
func TestOneBufferTwice(t *testing.T) {
	const double, turn = " a = f32[4] add(x, x)\n", " b = f32[4] reverse(y), dimensions={0}\n"
	for name, body := range map[string]string{
		"first": double + turn, "second": turn + double, "used": turn + " a = f32[4] add(x, b)\n",
	} {
		for _, header := range []string{"HloModule m", "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }"} {
			text := header + "\n\nENTRY e {\n x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n" + body +
				" ROOT t = (f32[4], f32[4]) tuple(a, b)\n}\n"
			for _, backend := range []xla.Backend{xla.Interp(), xla.CPU()} {
				client := newClient(t, xla.Options{Backend: backend})
				exe, err := client.Compile(t.Context(), parse(t, text))
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					xs, ys := []float32{1, 2, 3, 4}, make([]float32, 4)
					x, y := buffer(t, client, xs), buffer(t, client, ys)
					if err := exe.RunInto(t.Context(), []*xla.Buffer{x, y}, []*xla.Buffer{x, x}); err != nil {
						t.Fatal(err)
					}
					want := []float32{2, 4, 6, 8}
					if name == "used" {
						want = []float32{5, 5, 5, 5}
					}
					if !slices.Equal(xs, want) || !slices.Equal(ys, []float32{4, 3, 2, 1}) {
						t.Errorf("%s, %s: %s: got %v and %v", backend.Name(), name, header, xs, ys)
					}
				}
			}
		}
	}
}
