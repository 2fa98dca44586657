package lapack_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// benchCases are routines of square matrices: their attributes, and their results, as in resultShapes.
var benchCases = []struct {
	name, config, results string
	matrix                func(elem shape.ElementType, seed uint64, dims ...int) literal.Literal
}{
	{"getrf", "", "fis", random},
	{"geqrf", "", "fv", random},
	{"potrf", "uplo = 76 : ui8", "fs", symmetric},
	{"syevd", "uplo = 76 : ui8", "fvs", symmetric},
	{"gesdd", "mode = 65 : ui8", "fvffs", random},
	{"geev", "compute_left = 78 : ui8, compute_right = 78 : ui8", "vvffs", random},
}

func BenchmarkLAPACK(b *testing.B) {
	for _, c := range benchCases {
		for _, elem := range []shape.ElementType{shape.F32, shape.F64} {
			target := map[shape.ElementType]string{shape.F32: "lapack_s", shape.F64: "lapack_d"}[elem] + c.name
			for _, n := range []int{32, 100, 256, 512} {
				b.Run(fmt.Sprintf("%s_%v_%d", c.name, elem, n), func(b *testing.B) {
					benchmark(b, target+"_ffi", c.config, c.results, c.matrix(elem, 1, n, n))
				})
			}
			b.Run(fmt.Sprintf("%s_%v_1000x6", c.name, elem), func(b *testing.B) {
				x := literal.New(shape.Make(elem, 1000, 6, 6))
				for at := 0; at < x.Len(); at += 36 {
					m := c.matrix(elem, uint64(at), 6, 6)
					for i := range m.Len() {
						x.SetFloat(at+i, m.FloatAt(i))
					}
				}
				benchmark(b, target+"_ffi", c.config, c.results, x)
			})
		}
	}
}

// symmetric returns a positive definite matrix.
func symmetric(elem shape.ElementType, seed uint64, dims ...int) literal.Literal {
	x, n := random(elem, seed, dims...), dims[0]
	for i := range n {
		for j := range i {
			x.SetFloat(i*n+j, x.FloatAt(j*n+i))
		}
		x.SetFloat(i*n+i, x.FloatAt(i*n+i)+3*float64(n))
	}
	return x
}

func benchmark(b *testing.B, target, config, results string, x literal.Literal) {
	h, ok := onMachine(b, 1).Lookup(target)
	if !ok {
		b.Fatalf("no handler for %s", target)
	}
	attributes, err := ffi.ParseAttributes("{" + config + "}")
	if err != nil {
		b.Fatal(err)
	}
	c := callOf(target, attributes, results, x)
	for b.Loop() {
		if err := ffi.Invoke(b.Context(), h, c); err != nil {
			b.Fatal(err)
		}
	}
}

// callOf is a call with one operand, whose results are as in benchCases.
func callOf(target string, attributes ffi.Dict, results string, x literal.Literal) *ffi.Call {
	elem, batch := x.Type(), x.Dims()[:len(x.Dims())-2]
	n := x.Dims()[len(batch)]
	c := &ffi.Call{Target: target, Operands: []literal.Literal{x}, Attributes: attributes}
	for _, k := range results {
		dims := func(more ...int) []int { return append(batch[:len(batch):len(batch)], more...) }
		s := map[rune]shape.Shape{'f': shape.Make(elem, dims(n, n)...), 'v': shape.Make(elem, dims(n)...),
			's': shape.Make(shape.S32, dims()...), 'i': shape.Make(shape.S32, dims(n)...)}[k]
		c.Results = append(c.Results, literal.New(s))
		c.Shape.Elems = append(c.Shape.Elems, s)
	}
	c.Shape = shape.MakeTuple(c.Shape.Elems...)
	return c
}

// onMachine returns the handlers on machine code of the machine's tier, with one thread.
func onMachine(tb testing.TB, threads int) ffi.Registry {
	pool := exec.NewPool(threads)
	tb.Cleanup(pool.Close)
	return lapack.HandlersOn(dense.NewSet(min(exec.Host().Tier(), exec.AVX512)), pool)
}
