package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// RngUniform returns an array of shape s of numbers drawn evenly from [lo, hi), any value if
// hi <= lo. It fails if lo and hi are not scalars of the type of s, which is pred, integer or
// floating-point. Spec: OPS.md section 7.
func RngUniform(lo, hi Op, s shape.Shape) Op { return rng(op.RngUniform, lo, hi, s) }

// RngNormal returns an array of shape s of numbers drawn from the normal distribution with mean
// mu and standard deviation sigma. It fails if these are not scalars of the type of s, which is
// floating-point. Spec: OPS.md section 7.
func RngNormal(mu, sigma Op, s shape.Shape) Op { return rng(op.RngNormal, mu, sigma, s) }

func rng(d op.Distribution, p0, p1 Op, s shape.Shape) Op {
	b, ok := enter(op.Rng, p0, p1)
	if !ok {
		return b.invalid()
	}
	return b.add(op.Rng, []Op{p0, p1}, &op.RngAttrs{Distribution: d}, s)
}

// RngBernoulli returns an array of shape s, of type u32, of ones with probability mean, an f32
// scalar, and zeros: whether a uniform number of [0, 1) is below mean. It fails for other
// types. Spec: OPS.md section 7 (2017 edition).
func RngBernoulli(mean Op, s shape.Shape) Op {
	b, ok := enter(op.Rng, mean)
	if !ok {
		return b.invalid()
	}
	if m := mean.Shape(); m.Type != shape.F32 || m.Rank() != 0 {
		b.errorf(op.Rng, "operand 0", "", "expected an f32 scalar as mean, got %v", m)
		return b.invalid()
	}
	if s.Type != shape.U32 {
		b.errorf(op.Rng, "shape", "", "expected a shape of type u32, got %v", s)
		return b.invalid()
	}
	return ConvertElementType(Lt(RngUniform(b.Zero(shape.F32), b.One(shape.F32), s.WithType(shape.F32)), mean), shape.U32)
}

// RngBitGenerator returns random bits in shape s, and the next state; for a signed integer or
// floating-point type in s the unsigned integer type of its width stands. The state has
// type u64 and 2 elements for RngThreeFry, 2 or 3 for RngPhilox and RngDefault. It fails if it
// has not or s has another type. Spec: OPS.md section 7.
func RngBitGenerator(algorithm op.RngAlgorithm, state Op, s shape.Shape) (nextState, bits Op) {
	const code = op.RngBitGenerator
	b, ok := enter(code, state)
	if !ok {
		return b.invalid(), b.invalid()
	}
	if s.Type.IsFloat() || s.Type.IsSigned() {
		s.Type = unsignedOf(s.Type)
	}
	r := elements(b.add(code, []Op{state}, &op.RngBitGeneratorAttrs{Algorithm: algorithm},
		shape.MakeTuple(state.Shape(), s)), 2)
	return r[0], r[1]
}

// unsignedOf returns the unsigned integer type of the width of t; t if there is none.
func unsignedOf(t shape.ElementType) shape.ElementType {
	for _, u := range []shape.ElementType{shape.U1, shape.U2, shape.U4, shape.U8, shape.U16, shape.U32, shape.U64} {
		if u.Bits() == t.Bits() {
			return u
		}
	}
	return t
}

// RngGetAndUpdateState returns the state of the module's generator, u64[2], and moves it on by
// delta. Spec: OPS.md section 7.
func (b *Builder) RngGetAndUpdateState(delta int) Op {
	if !b.open(op.RngGetAndUpdateState) {
		return b.invalid()
	}
	return b.add(op.RngGetAndUpdateState, nil, &op.RngStateAttrs{Delta: delta}, shape.Shape{})
}
