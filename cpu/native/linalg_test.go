package native_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// tolerances of results that are computed with 64 bits and rounded.
func toleranceOf(t shape.ElementType) float64 {
	if t == shape.F32 || t == shape.C64 {
		return 1e-6
	}
	return 1e-12
}

// definite returns matrices of n rows with large positive diagonals; what is not in the named triangle is NaN.
func definite(r *rand.Rand, s shape.Shape, lower bool) literal.Literal {
	l := random(r, s, numbers)
	n := s.Dims[s.Rank()-1]
	for k := range l.Len() {
		i, j := k/n%n, k%n
		switch {
		case i == j:
			l.SetComplex(k, complex(float64(n)+r.Float64(), 0))
		case (j > i) == lower:
			l.SetComplex(k, cmplx.NaN())
		}
	}
	return l
}

func choleskyText(typ, dims string, lower bool) string {
	return fmt.Sprintf("HloModule m\n\nENTRY e {\n  p = %s[%s] parameter(0)\n  ROOT r = %s[%s] cholesky(p), lower=%v\n}\n",
		typ, dims, typ, dims, lower)
}

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []string{"f32", "f64", "c64", "c128"} {
		for _, dims := range []string{"1,1", "5,5", "4,8,8", "3,33,33", "2,2,64,64", "131,131", "0,0"} {
			for _, lower := range []bool{true, false} {
				i := parse(t, choleskyText(typ, dims, lower))
				if dims == "0,0" {
					continue
				}
				t.Run(fmt.Sprintf("%s_%s_%v", typ, dims, lower), func(t *testing.T) {
					checkNorm(t, i, []literal.Literal{definite(r, i.Shape(), lower)}, toleranceOf(i.Shape().Type))
				})
			}
		}
	}
}

// TestCholeskyFails: of two matrices the one that is not positive definite gives NaN, at whatever pivot that shows.
func TestCholeskyFails(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, pivot := range []float64{-1, 0, math.NaN()} {
		for _, c := range []struct{ n, at int }{{70, 0}, {70, 10}, {70, 50}, {70, 69}, {4, 0}, {4, 3}, {8, 5}} {
			i := parse(t, choleskyText("f32", fmt.Sprintf("2,%d,%d", c.n, c.n), true))
			l := definite(r, i.Shape(), true)
			l.SetFloat(c.n*c.n+c.at*(c.n+1), pivot)
			compare(t, i, []literal.Literal{l}, literal.RelativeToLargest(1e-6))
		}
	}
}

func solveText(typ, a, b string, left, lower, unit bool, transpose string) string {
	return fmt.Sprintf("HloModule m\n\nENTRY e {\n  a = %s[%s] parameter(0)\n  b = %s[%s] parameter(1)\n"+
		"  ROOT r = %s[%s] triangular-solve(a, b), left_side=%v, lower=%v, unit_diagonal=%v, transpose_a=%s\n}\n",
		typ, a, typ, b, typ, b, left, lower, unit, transpose)
}

func TestTriangularSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, typ := range []string{"f32", "f64", "c64", "c128"} {
		for _, s := range []struct{ a, left, right string }{{"1,1", "1,3", "3,1"}, {"3,8,8", "3,8,16", "3,16,8"},
			{"2,7,7", "2,7,5", "2,5,7"},
			{"70,70", "70,9", "9,70"}, {"45,45", "45,1", "1,45"}, {"33,33", "33,50", "50,33"}} {
			for form := range 24 {
				left, lower, unit := form&1 == 0, form&2 == 0, form&4 == 0
				transpose := []string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}[form/8]
				b := s.right
				if left {
					b = s.left
				}
				i := parse(t, solveText(typ, s.a, b, left, lower, unit, transpose))
				a := definite(r, i.Operand(0).Shape(), lower)
				if n := a.Dims()[a.Shape().Rank()-1]; unit {
					for k := range a.Len() {
						if k/n%n == k%n {
							a.SetComplex(k, cmplx.NaN())
						} else {
							a.SetComplex(k, a.ComplexAt(k)/complex(float64(n), 0))
						}
					}
				}
				t.Run(fmt.Sprintf("%s_%s_%v_%v_%v_%s", typ, s.a, left, lower, unit, transpose), func(t *testing.T) {
					args := []literal.Literal{a, random(r, i.Shape(), numbers)}
					checkNorm(t, i, args, toleranceOf(i.Shape().Type))
				})
			}
		}
	}
}

// TestSolveSingular: what is divided by zero is infinite or NaN, as in the evaluator.
func TestSolveSingular(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{40, 5} {
		i := parse(t, solveText("f32", fmt.Sprintf("%d,%d", n, n), fmt.Sprintf("%d,6", n), true, true, false, "NO_TRANSPOSE"))
		a := definite(r, i.Operand(0).Shape(), true)
		a.SetFloat((n-2)*(n+1), 0)
		compare(t, i, []literal.Literal{a, random(r, i.Shape(), numbers)}, literal.Relative(1e-5, 1e-6))
	}
}

func BenchmarkLinalg(b *testing.B) {
	for _, n := range []int{64, 512, 1024} {
		b.Run(fmt.Sprintf("cholesky_f32_%d", n), func(b *testing.B) {
			i := parse(b, choleskyText("f32", fmt.Sprintf("%d,%d", n, n), true))
			benchmarkArgs(b, i, []literal.Literal{definite(rand.New(rand.NewPCG(1, 1)), i.Shape(), true)})
		})
	}
	b.Run("cholesky_f32_1000x16", func(b *testing.B) {
		i := parse(b, choleskyText("f32", "1000,16,16", true))
		benchmarkArgs(b, i, []literal.Literal{definite(rand.New(rand.NewPCG(1, 1)), i.Shape(), true)})
	})
	for _, typ := range []string{"f64", "c64"} {
		b.Run("cholesky_"+typ+"_512", func(b *testing.B) {
			i := parse(b, choleskyText(typ, "512,512", true))
			benchmarkArgs(b, i, []literal.Literal{definite(rand.New(rand.NewPCG(1, 1)), i.Shape(), true)})
		})
	}
	for _, typ := range []string{"f32", "f64", "c64"} {
		for _, left := range []bool{true, false} {
			b.Run(fmt.Sprintf("solve_%s_512_512_%v", typ, left), func(b *testing.B) {
				i := parse(b, solveText(typ, "512,512", "512,512", left, true, false, "NO_TRANSPOSE"))
				r := rand.New(rand.NewPCG(1, 1))
				benchmarkArgs(b, i, []literal.Literal{definite(r, i.Operand(0).Shape(), true),
					random(r, i.Shape(), numbers)})
			})
		}
	}
}
