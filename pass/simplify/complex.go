package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// complexes is about complex numbers and their parts.
var complexes = Family{Name: "complex", Doc: "Complex, real, imag.", Rules: []Rule{
	rule("real-complex", "real(complex(x, y)) -> x", realComplex, op.Real),
	rule("imag-complex", "imag(complex(x, y)) -> y", imagComplex, op.Imag),
	rule("complex-parts", "complex(real(x), imag(x)) -> x", complexParts, op.Complex),
	rule("real-real", "real(x) -> x where x is real", realReal, op.Real),
	rule("imag-real", "imag(x) -> 0 where x is real", imagReal, op.Imag),
}}

func realComplex(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Complex) {
		return nil
	}
	return i.Operand(0).Operand(0)
}

func imagComplex(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Complex) {
		return nil
	}
	return i.Operand(0).Operand(1)
}

func complexParts(i *hlo.Instruction) *hlo.Instruction {
	re, im := i.Operand(0), i.Operand(1)
	if !is(re, op.Real) || !is(im, op.Imag) || re.Operand(0) != im.Operand(0) {
		return nil
	}
	return re.Operand(0)
}

func realReal(i *hlo.Instruction) *hlo.Instruction {
	if !i.Operand(0).Type().IsFloat() {
		return nil
	}
	return i.Operand(0)
}

func imagReal(i *hlo.Instruction) *hlo.Instruction {
	t := i.Operand(0).Type()
	if !ieee(t) {
		return nil
	}
	return fillLike(i, literal.Zero(t))
}
