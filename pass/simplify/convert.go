package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// conversions is about convert, bitcast-convert and reduce-precision.
var conversions = Family{Name: "convert", Doc: "Convert, bitcast-convert, reduce-precision.", Rules: []Rule{
	rule("convert-same", "convert to x's own type -> x", convertSame, op.Convert),
	rule("convert-convert", "convert(convert(x)) -> convert(x) where the type between loses nothing that shows",
		convertConvert, op.Convert),
	optionRule("convert-excess", "convert(convert(x)) -> convert(x) though the narrow float between rounds "+
		"(Options.AllowExcessPrecision)", convertExcess, op.Convert),
	rule("convert-iota", "convert(iota) -> iota", convertIota, op.Convert),
	rule("bitcast-convert-same", "bitcast-convert to x's own type -> x", convertSame, op.BitcastConvert),
	rule("bitcast-convert-twice", "bitcast-convert(bitcast-convert(x)) -> bitcast-convert(x)",
		bitcastConvertTwice, op.BitcastConvert),
	rule("reduce-precision-none", "reduce-precision to as many bits as x's type has -> x",
		reducePrecisionNone, op.ReducePrecision),
	rule("reduce-precision-twice", "reduce-precision twice to the same bits -> once", reducePrecisionTwice,
		op.ReducePrecision),
	rule("reduce-precision-convert", "reduce-precision(convert(x)) -> convert(x) where x's mantissa is short enough",
		reducePrecisionConvert, op.ReducePrecision),
}}

func convertSame(i *hlo.Instruction) *hlo.Instruction {
	if i.Operand(0).Type() != i.Type() {
		return nil
	}
	return i.Operand(0)
}

// lossless reports whether every value of type a, NaN aside, is one of type b.
func lossless(a, b shape.ElementType) bool {
	if a.IsComplex() && !b.IsComplex() {
		return false
	}
	a, b = a.Component(), b.Component()
	switch {
	case a == b:
		return true
	case b == shape.Pred:
		return false
	case b.IsInteger():
		return integral(a) && integerFits(a, b)
	}
	to, ok := literal.FloatFormat(b)
	if !ok || !to.HasZero {
		return false
	}
	if integral(a) {
		return a == shape.Pred || math.Ldexp(1, magnitude(a)) <= to.MaxFinite && magnitude(a) <= to.MantissaBits+1
	}
	from, ok := literal.FloatFormat(a)
	return ok && floatFits(&from, &to)
}

// magnitude returns the bits of an integer type without the sign.
func magnitude(t shape.ElementType) int {
	if t.IsSigned() {
		return t.Bits() - 1
	}
	return t.Bits()
}

func integerFits(a, b shape.ElementType) bool {
	if a == shape.Pred {
		return b.Bits() > 1
	}
	return magnitude(a) <= magnitude(b) && (b.IsSigned() || a.IsUnsigned())
}

// floatFits compares the range, the fineness and the special values.
func floatFits(a, b *literal.Format) bool {
	special := (b.HasSign || !a.HasSign) && (b.HasNegZero || !a.HasNegZero) && (b.HasInf || !a.HasInf) &&
		(b.HasNaN || !a.HasNaN)
	return special && a.MantissaBits <= b.MantissaBits && a.MaxFinite <= b.MaxFinite && a.MinPositive >= b.MinPositive
}

// skips reports whether conversion from a by way of b to c is the same as from a to c.
func skips(a, b, c shape.ElementType) bool {
	if lossless(a, b) {
		// A float saturates in an integer type, where an integer wraps.
		wraps := integral(a) && !integral(b) && c.IsInteger()
		return !wraps || lossless(a, c)
	}
	return a.IsInteger() && b.IsInteger() && c.IsInteger() && c.Bits() <= b.Bits()
}

func convertConvert(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Convert) || !skips(inner.Operand(0).Type(), inner.Type(), i.Type()) {
		return nil
	}
	return convertOrSelf(i, inner.Operand(0))
}

// convertOrSelf emits x converted to the type of i; x itself where it has that type.
func convertOrSelf(i, x *hlo.Instruction) *hlo.Instruction {
	if x.Type() == i.Type() {
		return x
	}
	return like(i, op.Convert, x)
}

func convertExcess(i *hlo.Instruction, o Options) *hlo.Instruction {
	inner := i.Operand(0)
	if !o.AllowExcessPrecision || !is(inner, op.Convert) {
		return nil
	}
	a, b, c := inner.Operand(0).Type(), inner.Type(), i.Type()
	if !ieee(a) || !ieee(b) || !ieee(c) || b.Bits() >= a.Bits() || b.Bits() >= c.Bits() {
		return nil
	}
	return convertOrSelf(i, inner.Operand(0))
}

// convertIota needs the numbers to be exact in the first type; 2^15 is within the range of all.
func convertIota(i *hlo.Instruction) *hlo.Instruction {
	x, t := i.Operand(0), i.Type()
	if !is(x, op.Iota) || !t.IsInteger() && !ieee(t) {
		return nil
	}
	a, from := attrsOf[*op.IotaAttrs](x), x.Type()
	last := int64(x.Dims()[a.Dimension]) - 1
	switch f, ok := literal.FloatFormat(from); {
	case from.IsInteger() && last <= highest(from):
	case ok && ieee(from) && last <= 1<<min(f.MantissaBits+1, 15) && (ieee(t) || last <= highest(t)):
	default:
		return nil
	}
	return emit(i, op.Iota, i.Shape(), a)
}

// bitcastConvertTwice lets the shape rule say whether the bits of x can be read at once.
func bitcastConvertTwice(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.BitcastConvert) || inner.Type() == shape.Pred {
		return nil
	}
	x := inner.Operand(0)
	s, err := op.BitcastConvertShape(x.Shape(), i.Type())
	switch {
	case err != nil || !s.EqualIgnoringLayout(i.Shape()) || x.Type() == shape.Pred:
		return nil
	case x.Type() == i.Type():
		return x
	}
	return like(i, op.BitcastConvert, x)
}

func reducePrecisionNone(i *hlo.Instruction) *hlo.Instruction {
	a := attrsOf[*op.ReducePrecisionAttrs](i)
	f, ok := literal.FloatFormat(i.Type())
	if !ok || a.ExponentBits < f.ExponentBits || a.MantissaBits < f.MantissaBits {
		return nil
	}
	return i.Operand(0)
}

func reducePrecisionTwice(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.ReducePrecision) || !op.EqualAttrs(x.Attrs(), i.Attrs()) {
		return nil
	}
	return x
}

// reducePrecisionConvert keeps away from fewer exponent bits, which flush subnormal numbers.
func reducePrecisionConvert(i *hlo.Instruction) *hlo.Instruction {
	x, a := i.Operand(0), attrsOf[*op.ReducePrecisionAttrs](i)
	if !is(x, op.Convert) {
		return nil
	}
	wide, ok := literal.FloatFormat(i.Type())
	from, also := literal.FloatFormat(x.Operand(0).Type())
	if !ok || !also || !lossless(from.Type, wide.Type) ||
		a.ExponentBits < wide.ExponentBits || a.MantissaBits < from.MantissaBits {
		return nil
	}
	return x
}
