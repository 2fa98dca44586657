package xla_test

import (
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestExcessPrecision: a chain of sums and products in f16 or bf16 is rounded once, at its end, where that is allowed,
// and after each step where it is not.
func TestExcessPrecision(t *testing.T) {
	const text = `HloModule chain

ENTRY main {
  x = TYPE[1000] parameter(0)
  y = TYPE[1000] multiply(x, x)
  z = TYPE[1000] add(y, x)
  ROOT r = TYPE[1000] multiply(z, y)
}`
	for name, typ := range map[string]shape.ElementType{"f16": shape.F16, "bf16": shape.BF16} {
		round := func(v float32) float32 {
			l := literal.New(shape.Make(typ))
			l.SetFloat(0, float64(v))
			return float32(l.FloatAt(0))
		}
		x, in := make([]float32, 1000), literal.New(shape.Make(typ, 1000))
		for i := range x {
			x[i] = round(1 + float32(i)/1000)
			in.SetFloat(i, float64(x[i]))
		}
		for _, excess := range []bool{false, true} {
			step := round
			if excess {
				step = func(v float32) float32 { return v }
			}
			client := newClient(t, xla.Options{Backend: xla.CPU(), AllowExcessPrecision: excess})
			exe, err := client.Compile(t.Context(), parse(t, strings.ReplaceAll(text, "TYPE", name)))
			if err != nil {
				t.Fatal(err)
			}
			out, err := exe.Run(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range x {
				y := step(v * v)
				if got, want := float32(out[0].FloatAt(i)), round(step(step(y+v)*y)); got != want {
					t.Fatalf("%s, excess %v: element %d: got %v, want %v", name, excess, i, got, want)
				}
			}
		}
	}
}

// TestExcessPrecisionCompares: the largest element of a column, which was stored, is found again among elements that
// are computed anew, with digits in excess.
func TestExcessPrecisionCompares(t *testing.T) {
	const text = `HloModule largest

largest {
  a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT m = bf16[] maximum(a, b)
}

ENTRY main {
  x = bf16[64,300] parameter(0)
  y = bf16[64,300] multiply(x, x)
  low = bf16[] constant(-inf)
  m = bf16[300] reduce(y, low), dimensions={0}, to_apply=largest
  places = s32[300,1] iota(), iota_dimension=0
  same = bf16[300] gather(m, places), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=1, slice_sizes={1}
  all = bf16[64,300] broadcast(same), dimensions={1}
  is = pred[64,300] compare(y, all), direction=EQ
  one = bf16[] constant(1)
  ones = bf16[64,300] broadcast(one), dimensions={}
  zero = bf16[] constant(0)
  zeros = bf16[64,300] broadcast(zero), dimensions={}
  found = bf16[64,300] select(is, ones, zeros)
  ROOT any = bf16[300] reduce(found, zero), dimensions={0}, to_apply=largest
}`
	client := newClient(t, xla.Options{Backend: xla.CPU(), AllowExcessPrecision: true})
	exe, err := client.Compile(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	x := literal.New(shape.Make(shape.BF16, 64, 300))
	for i := range 64 * 300 {
		x.SetFloat(i, math.Sin(float64(i)))
	}
	out, err := exe.Run(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if out[0].FloatAt(i) != 1 {
			t.Errorf("column %d: its largest element is not found", i)
		}
	}
}
