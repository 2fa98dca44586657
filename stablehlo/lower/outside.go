package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// outsideRules are operations of MLIR's own dialects that stand among those of StableHLO,
// mostly where sizes are computed. Their scalars, which are no tensors, are scalars too.
func outsideRules() map[string]rule {
	r := map[string]rule{
		"arith.cmpi":           compareIntegers,
		"arith.constant":       arithConstant,
		"arith.extf":           convert,
		"arith.extsi":          convert,
		"arith.fptosi":         convert,
		"arith.index_cast":     convert,
		"arith.select":         selectElements,
		"arith.sitofp":         convert,
		"arith.truncf":         convert,
		"arith.trunci":         convert,
		"shape.shape_of":       shapeOfTensor,
		"tensor.cast":          identity,
		"tensor.dim":           tensorDim,
		"tensor.extract":       extract,
		"tensor.from_elements": fromElements,
	}
	for name, f := range map[string]binaryFunc{
		"addf": builder.Add, "addi": builder.Add, "andi": builder.And, "divf": builder.Div, "divsi": builder.Div,
		"maximumf": builder.Max, "maxsi": builder.Max, "minimumf": builder.Min, "minsi": builder.Min,
		"mulf": builder.Mul, "muli": builder.Mul, "ori": builder.Or, "remsi": builder.Rem, "subf": builder.Sub,
		"subi": builder.Sub, "xori": builder.Xor,
	} {
		r["arith."+name] = binary(f)
	}
	return r
}

// arithConstant is a constant, of a tensor or of a number.
func arithConstant(c *call) []builder.Op {
	switch a := c.op.Attr("value").(type) {
	case stablehlo.IntegerAttr:
		return one(builder.ConvertElementType(c.b.Const(a.Value), c.result(0).Type))
	case stablehlo.FloatAttr:
		if t, ok := a.Type.(stablehlo.FloatType); ok {
			return one(builder.ConvertElementType(c.b.Const(t.Float64(a.Bits)), c.result(0).Type))
		}
	}
	return one(c.constant("value"))
}

// compareIntegers: the predicate is a number.
func compareIntegers(c *call) []builder.Op {
	comparisons := []binaryFunc{builder.Eq, builder.Ne, builder.Lt, builder.Le, builder.Gt, builder.Ge}
	k := c.int("predicate")
	if c.failed() || k < 0 || k >= len(comparisons) {
		c.fail("predicate", "", "expected a comparison of signed integers, 0 to %d, got %v", len(comparisons)-1,
			c.op.Attr("predicate"))
		return nil
	}
	return binary(comparisons[k])(c)
}

// sizeOf returns the size of dimension d of x as an index.
func (c *call) sizeOf(x builder.Op, d int) builder.Op {
	if x.Shape().IsDynamicDim(d) {
		return builder.ConvertElementType(builder.GetDimensionSize(x, d), shape.S64)
	}
	return c.b.Const(int64(x.Dim(d)))
}

// shapeOfTensor is the list of the sizes of the operand.
func shapeOfTensor(c *call) []builder.Op {
	x := c.arg(0)
	if c.failed() {
		return nil
	}
	if x.Rank() == 0 {
		return one(c.b.Const([]int64{}))
	}
	sizes := make([]builder.Op, x.Rank())
	for d := range sizes {
		sizes[d] = builder.Reshape(c.sizeOf(x, d), 1)
	}
	return one(builder.Concatenate(sizes, 0))
}

// tensorDim is one size, the number of whose dimension must be known.
func tensorDim(c *call) []builder.Op {
	x, d := c.arg(0), c.sizes("index", c.arg(1))
	if c.failed() || len(d) != 1 || d[0] < 0 || d[0] >= x.Rank() {
		c.fail("index", "", "expected a dimension of the operand, got %v", d)
		return nil
	}
	return one(c.sizeOf(x, d[0]))
}

// extract is one element.
func extract(c *call) []builder.Op {
	x := c.arg(0)
	if c.failed() || len(c.args) != 1+x.Rank() {
		c.fail("", "", "expected an index for each dimension of %v, got %d", x.Shape(), len(c.args)-1)
		return nil
	}
	if x.Rank() == 0 {
		return one(x)
	}
	return one(builder.Reshape(builder.DynamicSlice(x, c.args[1:], ones(x.Rank()))))
}

// fromElements is a tensor of scalars.
func fromElements(c *call) []builder.Op {
	s := c.staticResult()
	if c.failed() || len(c.args) == 0 {
		return one(builder.BroadcastInDim(builder.ConvertElementType(c.b.Const(int32(0)), s.Type), s.Dims, nil))
	}
	list := make([]builder.Op, len(c.args))
	for i, x := range c.args {
		list[i] = builder.Reshape(x, 1)
	}
	return one(builder.Reshape(builder.Concatenate(list, 0), s.Dims...))
}
