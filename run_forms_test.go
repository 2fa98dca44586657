package xla_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// TestUpdates: results in the memory of arguments, some of which are computed there.
func TestUpdates(t *testing.T) {
	const head = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n"
	for _, test := range []struct{ name, body, want string }{
		{"step", "z = f32[4] subtract(x, y)\nROOT r = (f32[4], f32[4]) tuple(z, y)", "[-9 -18 -27 -36] [10 20 30 40]"},
		{"both", "z = f32[4] subtract(x, y)\nw = f32[4] add(x, y)\nROOT r = (f32[4], f32[4]) tuple(z, w)",
			"[-9 -18 -27 -36] [11 22 33 44]"},
		{"crossed", "z = f32[4] negate(y)\nw = f32[4] negate(x)\nROOT r = (f32[4], f32[4]) tuple(z, w)",
			"[-10 -20 -30 -40] [-1 -2 -3 -4]"},
		{"exchanged", "ROOT r = (f32[4], f32[4]) tuple(y, x)", "[10 20 30 40] [1 2 3 4]"},
		{"old value", "z = f32[4] negate(x)\nROOT r = (f32[4], f32[4]) tuple(z, x)", "[-1 -2 -3 -4] [1 2 3 4]"},
		{"reversed", "z = f32[4] reverse(x), dimensions={0}\nw = f32[4] add(y, y)\nROOT r = (f32[4], f32[4]) tuple(z, w)",
			"[4 3 2 1] [20 40 60 80]"},
		{"slice", "i = s32[] constant(1)\nu = f32[1] constant({7})\nz = f32[4] dynamic-update-slice(x, u, i)\n" +
			"ROOT r = (f32[4], f32[4]) tuple(z, y)", "[1 7 3 4] [10 20 30 40]"},
		{"same", "ROOT r = (f32[4], f32[4]) tuple(x, x)", "[1 2 3 4] [1 2 3 4]"},
	} {
		for _, backend := range []xla.Backend{xla.Interp(), xla.CPU()} {
			client := newClient(t, xla.Options{Backend: backend})
			exe, err := client.Compile(t.Context(), parse(t, head+test.body+"\n}"))
			if err != nil {
				t.Fatal(err)
			}
			xs, ys := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}
			list := []*xla.Buffer{buffer(t, client, xs), buffer(t, client, ys)}
			if err := exe.RunInto(t.Context(), list, list); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(xs, ys); got != test.want {
				t.Errorf("%s on %s: got %s, want %s", test.name, backend.Name(), got, test.want)
			}
		}
	}
}

// TestInputOutputAlias: a donated argument has the result that the program names for it, and the run takes no other
// memory.
func TestInputOutputAlias(t *testing.T) {
	client := newClient(t, xla.Options{Backend: xla.CPU()})
	exe, err := client.Compile(t.Context(), parse(t, `HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }
ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  z = f32[4] negate(x)
  w = f32[4] add(x, y)
  ROOT r = (f32[4], f32[4]) tuple(z, w)
}`))
	if err != nil {
		t.Fatal(err)
	}
	xs, ys := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}
	args := []*xla.Buffer{buffer(t, client, xs), buffer(t, client, ys)}
	out, err := exe.RunBuffers(t.Context(), args, xla.Donate(0))
	if err != nil {
		t.Fatal(err)
	}
	z, w := literal.Values[float32](value(t, out[0])), literal.Values[float32](value(t, out[1]))
	if &w[0] != &xs[0] || !slices.Equal(w, []float32{11, 22, 33, 44}) || !slices.Equal(z, []float32{-1, -2, -3, -4}) {
		t.Errorf("got %v %v, argument %v", z, w, xs)
	}
	list := args[1:]
	again := []*xla.Buffer{out[1], list[0]}
	if n := testing.AllocsPerRun(50, func() { err = exe.RunInto(t.Context(), out, again) }); n != 0 || err != nil {
		t.Errorf("%v allocations a run, error %v", n, err)
	}
}
