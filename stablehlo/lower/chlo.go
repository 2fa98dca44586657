package lower

import (
	"math"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// chloRules are the operations of the client dialect. Many have an HLO form; the others
// become what XLA makes of them.
func chloRules() map[string]rule {
	r := map[string]rule{
		"chlo.acos":             elementary(builder.Acos),
		"chlo.acosh":            elementary(builder.Acosh),
		"chlo.asin":             elementary(builder.Asin),
		"chlo.asin_acos_kernel": unary(asinAcosKernel),
		"chlo.asinh":            elementary(builder.Asinh),
		"chlo.atan":             unary(atan),
		"chlo.atanh":            elementary(builder.Atanh),
		"chlo.bessel_i1e":       unary(wide(besselI1e)),
		"chlo.conj":             unary(conj),
		"chlo.constant":         constantRule,
		"chlo.constant_like":    constantLike,
		"chlo.cosh":             unary(wide(cosh)),
		"chlo.digamma":          unary(wide(digamma)),
		"chlo.erf":              elementary(builder.Erf),
		"chlo.erf_inv":          unary(wide(erfInv)),
		"chlo.erfc":             unary(wide(erfc)),
		"chlo.is_inf":           unary(isInf),
		"chlo.is_neg_inf":       unary(isInfinity(-1)),
		"chlo.is_pos_inf":       unary(isInfinity(1)),
		"chlo.lgamma":           unary(wide(lgamma)),
		"chlo.mulhi":            binary(builder.Mulhi),
		"chlo.next_after":       binary(nextAfter),
		"chlo.polygamma":        binary(wide2(polygamma)),
		"chlo.ragged_dot":       raggedDot,
		"chlo.scan":             scan,
		"chlo.sinh":             elementary(builder.Sinh),
		"chlo.square":           unary(square),
		"chlo.tan":              elementary(builder.Tan),
		"chlo.top_k":            topK,
		"chlo.zeta":             binary(wide2(zeta)),
	}
	return r
}

// wide computes a function of a 16-bit or narrower type in f32, as XLA does.
func wide(f unaryFunc) unaryFunc {
	return func(x builder.Op) builder.Op {
		t := x.Type()
		if !t.IsFloat() || t.Bits() >= 32 {
			return f(x)
		}
		return builder.ConvertElementType(f(builder.ConvertElementType(x, shape.F32)), t)
	}
}

// wide2 is wide for a function of two operands.
func wide2(f func(x, y builder.Op) builder.Op) binaryFunc {
	return func(x, y builder.Op, _ ...int) builder.Op {
		t := x.Type()
		if !t.IsFloat() || t.Bits() >= 32 {
			return f(x, y)
		}
		return builder.ConvertElementType(
			f(builder.ConvertElementType(x, shape.F32), builder.ConvertElementType(y, shape.F32)), t)
	}
}

// constantLike is a number in the shape and type of the operand.
func constantLike(c *call) []builder.Op {
	x := c.arg(0)
	if c.failed() {
		return nil
	}
	switch a := c.op.Attr("value").(type) {
	case stablehlo.IntegerAttr:
		return one(builder.FullLike(x, a.Value))
	case stablehlo.FloatAttr:
		if t, ok := a.Type.(stablehlo.FloatType); ok {
			return one(builder.FullLike(x, t.Float64(a.Bits)))
		}
	}
	c.fail("value", "", "expected a number, got %v", c.op.Attr("value"))
	return nil
}

func square(x builder.Op) builder.Op { return builder.Mul(x, x) }

// atan of a complex number is -i atanh(ix), which keeps the digits of small ones.
func atan(x builder.Op) builder.Op {
	if !x.Type().IsComplex() {
		return builder.Atan2(x, builder.FullLike(x, 1))
	}
	w := builder.Atanh(builder.Complex(builder.Neg(builder.Imag(x)), builder.Real(x)))
	return builder.Complex(builder.Imag(w), builder.Neg(builder.Real(w)))
}

func isInf(x builder.Op) builder.Op {
	return builder.Eq(builder.Abs(x), builder.FullLike(x, math.Inf(1)))
}

// isInfinity tells the infinity of the given sign.
func isInfinity(sign int) unaryFunc {
	return func(x builder.Op) builder.Op { return builder.Eq(x, builder.FullLike(x, math.Inf(sign))) }
}

// conj leaves a real number as it is.
func conj(x builder.Op) builder.Op {
	if x.Type().IsFloat() {
		return x
	}
	return builder.Conj(x)
}

// cosh is the sum of exp(x) and exp(-x), halved before anything overflows.
func cosh(x builder.Op) builder.Op {
	half := num(x, math.Log(0.5))
	if x.Type().IsComplex() {
		return builder.Cosh(x)
	}
	return builder.Add(builder.Exp(builder.Add(x, half)), builder.Exp(builder.Sub(half, x)))
}

// asinAcosKernel is sqrt(1 - x*x), the part that inverse sine and cosine share.
func asinAcosKernel(x builder.Op) builder.Op {
	return builder.Sqrt(builder.Sub(builder.FullLike(x, 1), square(x)))
}

// topK: truth values are numbers, of which true is the larger one.
func topK(c *call) []builder.Op {
	x := c.arg(0)
	if !c.failed() && x.Type() == shape.Pred {
		values, indices := builder.TopK(builder.ConvertElementType(x, shape.U8), c.int("k"), true)
		return []builder.Op{builder.ConvertElementType(values, shape.Pred), indices}
	}
	values, indices := builder.TopK(x, c.int("k"), true)
	return []builder.Op{values, indices}
}

func raggedDot(c *call) []builder.Op {
	d, ok := structAttr[*stablehlo.RaggedDotDims](c, "ragged_dot_dimension_numbers")
	if !ok {
		return nil
	}
	list := func(v []int64) []int { return c.toInts("ragged_dot_dimension_numbers", v) }
	o := builder.DotOptions{Precision: c.precisions(), Preferred: c.result(0).Type}
	return one(builder.RaggedDot(c.arg(0), c.arg(1), c.arg(2), op.RaggedDotAttrs{
		LHSBatch: list(d.LHSBatching), RHSBatch: list(d.RHSBatching), LHSContracting: list(d.LHSContracting),
		RHSContracting: list(d.RHSContracting), LHSRagged: list(d.LHSRagged), RHSGroup: list(d.RHSGroup)}, o))
}

// scan: the body takes elements and carries, and returns outputs and next carries.
func scan(c *call) []builder.Op {
	inputs, inits := c.group(0), c.group(1)
	if sizes := c.ints("operandSegmentSizes"); len(sizes) == 2 && sizes[0]+sizes[1] == len(c.args) && sizes[0] >= 0 {
		inputs, inits = c.args[:sizes[0]], c.args[sizes[0]:]
	}
	block := c.block(0)
	p := c.capture(c.op.Regions...)
	if c.failed() {
		return nil
	}
	shapes := make([]shape.Shape, len(block.Args))
	for i, v := range block.Args {
		shapes[i], c.err = shapeOf(v.Type)
		if c.err != nil {
			return nil
		}
	}
	// What the body uses from outside is carried along.
	n := len(shapes)
	f := c.computation("scan", append(shapes, p.shapes()...), func(b *builder.Builder, args []builder.Op) builder.Op {
		return b.Tuple(append(c.region(b, block, args[:n], p, args[n:]), args[n:]...)...)
	})
	inits = append(inits[:len(inits):len(inits)], p.ops...)
	if c.failed() {
		return nil
	}
	r := builder.ScanWith(inputs, inits, f, c.int("dimension"), builder.ScanOptions{Reverse: c.flag("is_reverse")})
	return elements(r, len(c.op.Results))
}

// nextAfter is the number that comes after x in the direction of y, found by counting
// the codes of numbers up and down.
func nextAfter(x, y builder.Op, _ ...int) builder.Op {
	bits := map[int]shape.ElementType{8: shape.S8, 16: shape.S16, 32: shape.S32, 64: shape.S64}[x.Type().Bits()]
	if !x.IsValid() || bits == shape.Invalid {
		return x
	}
	code := builder.BitcastConvertType(x, bits)
	least := int64(-1) << (bits.Bits() - 1)
	signBit, magnitude := builder.FullLike(code, least), builder.FullLike(code, ^least)
	zero, step := builder.FullLike(code, 0), builder.FullLike(code, 1)
	xAbs := builder.And(code, magnitude)
	yCode := builder.BitcastConvertType(y, bits)
	xSign, ySign := builder.And(code, signBit), builder.And(yCode, signBit)
	xNaN, yNaN := builder.Ne(x, x), builder.Ne(y, y)
	fromZero := builder.Select(builder.Eq(builder.And(yCode, magnitude), zero), yCode, builder.Or(ySign, step))
	away := builder.Or(builder.Gt(xAbs, builder.And(yCode, magnitude)), builder.Ne(xSign, ySign))
	next := builder.Add(code, builder.Select(away, builder.FullLike(code, -1), step))
	next = builder.Select(builder.Eq(xAbs, zero), fromZero, next)
	next = builder.Select(builder.Eq(x, y), yCode, next)
	nan := builder.FullLike(x, math.NaN())
	return builder.Select(builder.Or(xNaN, yNaN), nan, builder.BitcastConvertType(next, x.Type()))
}
