package xla_test

import (
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// step2 is a step of two replicas: each takes half of the sum of their gradients from its weights.
const step2 = `HloModule step, replica_count=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  w = f32[3] parameter(0)
  g = f32[3] parameter(1)
  sum = f32[3] all-reduce(g), replica_groups={{0,1}}, to_apply=add
  half = f32[] constant(0.5)
  halves = f32[3] broadcast(half), dimensions={}
  d = f32[3] multiply(sum, halves)
  ROOT r = (f32[3]) tuple(f32[3] subtract(w, d))
}`

// TestRunReplicatedInto updates the weights of two replicas where they are, several times.
func TestRunReplicatedInto(t *testing.T) {
	for _, backend := range []xla.Backend{xla.CPU(), xla.Interp()} {
		client := newClient(t, xla.Options{Backend: backend})
		exe, err := client.Compile(t.Context(), parse(t, step2))
		if err != nil {
			t.Fatal(err)
		}
		buffer := func(list []float32) *xla.Buffer {
			b, err := client.Buffer(list, shape.Strided{})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		w := [][]float32{{1, 2, 3}, {4, 5, 6}}
		a, b := buffer(w[0]), buffer(w[1])
		args := [][]*xla.Buffer{{a, buffer([]float32{1, 1, 1})}, {b, buffer([]float32{1, 3, 5})}}
		outs := [][]*xla.Buffer{{a}, {b}}
		for range 2 {
			if err := exe.RunReplicatedInto(t.Context(), outs, args); err != nil {
				t.Fatal(err)
			}
		}
		want := [][]float32{{-1, -2, -3}, {2, 1, 0}}
		for d := range w {
			if err := literal.Compare(literal.Of(w[d]), literal.Of(want[d]), literal.Tolerance{}); err != nil {
				t.Errorf("%s: device %d: %v", backend.Name(), d, err)
			}
		}
		wantError(t, exe.RunReplicatedInto(t.Context(), outs[:1], args), "2 devices", "results for 1")
		wantError(t, exe.RunReplicatedInto(t.Context(), [][]*xla.Buffer{{a}, {nil}}, args), "device 1: xla: result 0 of step")
		wantError(t, exe.RunReplicatedInto(t.Context(), outs, [][]*xla.Buffer{{a, a}, {b}}), "device 1", "2 arguments")
		wantError(t, exe.RunInto(t.Context(), outs[0], args[0]), "2 devices", "RunReplicatedInto")
	}
}
