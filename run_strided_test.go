package xla_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// stridedPrograms are computations of x and y, of the shape %[1]s of %[2]d rows and %[3]d columns, one more than %[4]d.
var stridedPrograms = map[string]string{
	"elementwise": `z = %[1]s multiply(x, y)
 ROOT t = (%[1]s, %[1]s) tuple(z, y)`,
	"row reduction": `s = f32[%[2]d] reduce(x, zero), dimensions={1}, to_apply=add
 b = %[1]s broadcast(s), dimensions={0}
 ROOT r = %[1]s divide(x, b)`,
	"softmax": `m = f32[%[2]d] reduce(x, zero), dimensions={1}, to_apply=max
 b = %[1]s broadcast(m), dimensions={0}
 d = %[1]s subtract(x, b)
 e = %[1]s exponential(d)
 s = f32[%[2]d] reduce(e, zero), dimensions={1}, to_apply=add
 c = %[1]s broadcast(s), dimensions={0}
 ROOT r = %[1]s divide(e, c)`,
	"product": `d = f32[%[2]d,%[2]d] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}
 ROOT r = f32[%[2]d,%[2]d] negate(d)`,
	"product alone": "ROOT d = f32[%[2]d,%[2]d] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
	"transpose":     "ROOT t = f32[%[3]d,%[2]d] transpose(x), dimensions={1,0}",
	"sort":          "ROOT s = %[1]s sort(x), dimensions={1}, to_apply=less",
	"handed on":     "ROOT t = (%[1]s, %[1]s) tuple(y, x)",
	"scatter": `i = s32[1] constant({1})
 u = %[1]s add(x, y)
 ROOT s = %[1]s scatter(x, i, u), update_window_dims={0,1}, inserted_window_dims={},
  scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=add`,
	"cumulative sums": "ROOT w = %[1]s reduce-window(x, zero), window={size=1x%[3]d pad=0_0x%[4]d_0}, to_apply=add",
}

const stridedHead = `HloModule m
add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] maximum(a, b) }
less { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = pred[] compare(a, b), direction=LT }
ENTRY e {
 x = %[1]s parameter(0)
 y = %[1]s parameter(1)
 zero = f32[] constant(0)
 `

// TestStridedBuffers: arguments and results of all kinds of strides, in runs that copy and in those that do not; what
// lies between the elements of a result stays as it was.
func TestStridedBuffers(t *testing.T) {
	client := newClient(t, xla.Options{Backend: xla.CPU()})
	r := rand.New(rand.NewPCG(1, 2))
	for name, body := range stridedPrograms {
		for _, dims := range [][]int{{3, 5}, {24, 40}, {1, 7}, {70, 33}} {
			s := shape.Make(shape.F32, dims...)
			text := fmt.Sprintf(stridedHead+body+"%[5]s", s.StringNoLayout(), dims[0], dims[1], dims[1]-1, "\n}")
			exe, err := client.Compile(t.Context(), parse(t, text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for range 6 {
				checkStrided(t, fmt.Sprint(name, " of ", s), client, exe, r)
			}
		}
	}
}

// array is memory with an array in it.
type array struct {
	data    []float32
	strides []int
	dims    []int
}

// randomArray returns an array in memory with gaps; where repeats, maybe with elements that share a place.
func randomArray(r *rand.Rand, dims []int, repeats bool) array {
	strides, width := make([]int, len(dims)), 1+r.IntN(2)
	for _, d := range r.Perm(len(dims)) {
		strides[d] = width
		width = width*dims[d] + r.IntN(3)*r.IntN(9)
	}
	if repeats && r.IntN(3) == 0 {
		strides[r.IntN(len(dims))] = 0
	}
	a := array{make([]float32, width+1), strides, dims}
	for i := range a.data {
		a.data[i] = float32(r.IntN(19) - 9)
	}
	return a
}

func (a array) buffer(t *testing.T, c *xla.Client) *xla.Buffer {
	return buffer(t, c, a.data, shape.Strided{Sizes: a.dims, Strides: a.strides})
}

// each calls f with the place of each element.
func (a array) each(f func(n, at int)) {
	index := make([]int, len(a.dims))
	for n := range shape.Make(shape.F32, a.dims...).Size() {
		f(n, shape.Dot(index, a.strides))
		shape.NextIndex(index, a.dims)
	}
}

func checkStrided(t *testing.T, name string, client *xla.Client, exe *xla.Executable, r *rand.Rand) {
	t.Helper()
	sig := exe.Signature()
	x, y := randomArray(r, sig.Params[0].Dims, true), randomArray(r, sig.Params[1].Dims, true)
	args := []*xla.Buffer{x.buffer(t, client), y.buffer(t, client)}
	want := run(t, exe, value(t, args[0]), value(t, args[1]))
	var arrays []array
	var outs []*xla.Buffer
	for _, w := range want {
		arrays = append(arrays, randomArray(r, w.Dims(), false))
		outs = append(outs, arrays[len(arrays)-1].buffer(t, client))
	}
	for round := range 3 {
		before := make([][]float32, len(arrays))
		for k, a := range arrays {
			a.each(func(_, at int) { a.data[at] = -77 })
			before[k] = slices.Clone(a.data)
		}
		if err := exe.RunInto(t.Context(), outs, args); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, a := range arrays {
			got := value(t, outs[k])
			if err := literal.Compare(got, want[k], literal.Relative(1e-5, 1e-5)); err != nil {
				t.Fatalf("%s: run %d, strides %v %v to %v: result %d: %v", name, round, x.strides, y.strides, a.strides, k, err)
			}
			a.each(func(_, at int) { a.data[at] = -77 })
			if !slices.Equal(a.data, before[k]) {
				t.Fatalf("%s: run %d, strides %v: result %d: written between the elements", name, round, a.strides, k)
			}
		}
	}
}
