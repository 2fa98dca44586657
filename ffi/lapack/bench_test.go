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
}

func BenchmarkLAPACK(b *testing.B) {
	for _, c := range benchCases {
		for _, elem := range []shape.ElementType{shape.F32, shape.F64} {
			for _, n := range []int{64, 256, 512} {
				b.Run(fmt.Sprintf("%s_%v_%d", c.name, elem, n), func(b *testing.B) {
					target := map[shape.ElementType]string{shape.F32: "lapack_s", shape.F64: "lapack_d"}[elem] + c.name
					benchmark(b, target+"_ffi", c.config, c.results, c.matrix(elem, 1, n, n))
				})
			}
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
	n, elem := x.Dims()[0], x.Type()
	c := &ffi.Call{Target: target, Operands: []literal.Literal{x}, Attributes: attributes}
	for _, k := range results {
		s := map[rune]shape.Shape{'f': shape.Make(elem, n, n), 'v': shape.Make(elem, n), 's': shape.Make(shape.S32),
			'i': shape.Make(shape.S32, n)}[k]
		c.Results = append(c.Results, literal.New(s))
		c.Shape.Elems = append(c.Shape.Elems, s)
	}
	c.Shape = shape.MakeTuple(c.Shape.Elems...)
	for b.Loop() {
		if err := ffi.Invoke(b.Context(), h, c); err != nil {
			b.Fatal(err)
		}
	}
}

// onMachine returns the handlers on machine code of the machine's tier, with one thread.
func onMachine(tb testing.TB, threads int) ffi.Registry {
	pool := exec.NewPool(threads)
	tb.Cleanup(pool.Close)
	return lapack.HandlersOn(dense.NewSet(min(exec.Host().Tier(), exec.AVX512)), pool)
}
