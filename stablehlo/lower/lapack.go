package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// letter returns an attribute of a LAPACK call, a character as a number.
func (c *call) letter(name string) byte { return byte(c.configInt(name)) }

// potrf is the Cholesky factor, beside the other triangle of the operand, and 0 where
// there is one.
func potrf(c *call) []builder.Op {
	x, lower := c.arg(0), c.letter("uplo") == 'L'
	if c.failed() {
		return nil
	}
	f := builder.Cholesky(x, lower)
	n := x.Rank()
	s := x.Shape().WithType(shape.S32).Static()
	rows, columns := c.b.Iota(s, n-2), c.b.Iota(s, n-1)
	inside := builder.Ge(rows, columns)
	if !lower {
		inside = builder.Le(rows, columns)
	}
	diagonal := builder.Eq(rows, columns)
	size := real(f)
	if x.Type().IsComplex() {
		size = builder.Abs(f)
	}
	bad := builder.And(diagonal, builder.Not(builder.IsFinite(size)))
	info := builder.ConvertElementType(builder.ReduceOr(bad, n-2, n-1), shape.S32)
	return []builder.Op{builder.Select(inside, f, x), info}
}

// trsm solves a triangular system.
func trsm(c *call) []builder.Op {
	kinds := map[byte]op.TransposeKind{'N': op.NoTranspose, 'T': op.TransposeA, 'C': op.Adjoint}
	a := op.TriangularSolveAttrs{LeftSide: c.letter("side") == 'L', Lower: c.letter("uplo") == 'L',
		UnitDiagonal: c.letter("diag") == 'U', TransposeA: kinds[c.letter("trans_x")]}
	return one(builder.TriangularSolve(c.arg(0), c.arg(1), a))
}

// topKCall is mhlo.topk, which is how JAX wrote chlo.top_k into artifacts.
func topKCall(c *call) []builder.Op {
	d, _ := c.op.Attr("mhlo.attributes").(*stablehlo.DictAttr)
	if d == nil {
		c.fail("mhlo.attributes", "", "expected a dictionary, got %v", c.op.Attr("mhlo.attributes"))
		return nil
	}
	k, _ := d.Get("k").(stablehlo.IntegerAttr)
	largest, ok := d.Get("largest").(stablehlo.IntegerAttr)
	values, indices := builder.TopK(c.arg(0), int(k.Value), !ok || largest.Value != 0)
	return []builder.Op{values, indices}
}
