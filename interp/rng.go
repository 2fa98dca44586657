package interp

import (
	"fmt"
	"math"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the random operations whose state is the run's: rng and
// rng-get-and-update-state. As in XLA they draw from one 128-bit counter that every
// run starts from the same number, in the order in which they are executed. rng
// turns the counter into bits with Philox, keyed by the seed, with the device in the
// high half of the counter.
//
// Bits, integers and uniform floats are thus the same on every machine; a back end
// of another kind that takes the same steps gets the same numbers:
//
//   - A type of 64 bits takes two words an element, every other one takes one. The
//     counter advances by the number of words.
//   - Uniform floats: u = top bits of the word, as many as the mantissa has, as a
//     fraction; the result is u*(b-a)+a, every step rounded to the type, and below b.
//   - Uniform integers: the word modulo b-a, plus a.
//   - Normal floats: Box-Muller on two neighbouring elements' fractions.

// rngState is the state of the random operations without a state operand.
type rngState struct {
	seed    uint64
	counter counter128
}

// firstCounter is where XLA starts the counter.
const firstCounter = 0x7012395

func newRngState(seed uint64) rngState { return rngState{seed, counter128{low: firstCounter}} }

// take returns the counter and advances it by n.
func (s *rngState) take(n uint64) counter128 {
	c := s.counter
	s.counter = c.plus(n)
	return c
}

// evalRngGetAndUpdateState returns the counter as u64[2] and advances it by delta.
func evalRngGetAndUpdateState(c *call) (literal.Literal, error) {
	state := c.in.rng.take(uint64(attrs[*op.RngStateAttrs](c).Delta))
	return literal.FromSlice(c.shape, []uint64{state.low, state.high})
}

// evalRngState returns seed and counter as u64[3] and advances the counter by the operand.
func evalRngState(c *call) (literal.Literal, error) {
	want := shape.Make(shape.U64, 3)
	if len(c.args) != 1 || !c.args[0].Shape().Equal(shape.Make(shape.U64)) || !c.shape.Equal(want) {
		return literal.Literal{}, fmt.Errorf("expects a u64[] for operand and a result %v", want)
	}
	from := c.counter(c.args[0].BitsAt(0))
	return literal.FromSlice(c.shape, []uint64{c.in.rng.seed, from.low, from.high})
}

// counter takes n from the counter, as this device has it.
func (c *call) counter(n uint64) counter128 {
	d, from := &c.in.opts.Device, c.in.rng.take(n)
	from.high += uint64(d.Replica) + uint64(d.Partition)<<32
	return from
}

// evalRng fills the result with random numbers. Spec: OPS.md section 7.
func evalRng(c *call) (literal.Literal, error) {
	dst := c.new()
	a, b, t := c.args[0], c.args[1], c.shape.Type
	switch d := attrs[*op.RngAttrs](c).Distribution; {
	case d == op.RngUniform && t.IsFloat():
		uniformFloats(dst, c.randomBits(dst), a.FloatAt(0), b.FloatAt(0))
	case d == op.RngUniform:
		uniformIntegers(dst, c.randomBits(dst), a, b)
	case d == op.RngNormal && t.IsFloat():
		normalFloats(dst, c.randomBits(dst), a.FloatAt(0), b.FloatAt(0))
	default:
		return dst, fmt.Errorf("distribution: expects uniform, or normal of floats, got %v of %v", d, t)
	}
	return dst, nil
}

// randomBits returns the next random bits for each element of dst: 64 or 32.
func (c *call) randomBits(dst literal.Literal) []uint64 {
	n, each := dst.Len(), 1
	if dst.Type().Bits() == 64 {
		each = 2
	}
	words := philoxWords(c.in.rng.seed, c.counter(uint64(n*each)), n*each)
	bits := make([]uint64, n)
	for i := range bits {
		for k := range each {
			bits[i] |= uint64(words[i*each+k]) << (32 * k)
		}
	}
	return bits
}

// fraction returns random bits for type t as a number in [0, 1).
func fraction(t shape.ElementType, bits uint64) float64 {
	switch t {
	case shape.F64:
		return float64(bits>>12) * 0x1p-52
	case shape.F16:
		return float64(uint16(bits)>>6) * 0x1p-10
	case shape.BF16:
		return float64(uint16(bits)>>9) * 0x1p-7
	}
	return float64(uint32(bits)>>9) * 0x1p-23
}

// uniformFloats fills dst with numbers in [a, b), or with a if that is empty.
func uniformFloats(dst literal.Literal, bits []uint64, a, b float64) {
	t := dst.Type()
	last := below(t, b)
	for i, x := range bits {
		span := rounded(t, b-a)
		scaled := rounded(t, float64(fraction(t, x)*span))
		v := rounded(t, scaled+a)
		if v > last {
			v = last
		}
		if !(v >= a) {
			v = a
		}
		dst.SetFloat(i, v)
	}
}

// rounded returns x as a value of type t; the floats below f32 are computed in f32.
func rounded(t shape.ElementType, x float64) float64 {
	if t == shape.F64 {
		return x
	}
	return float64(float32(x))
}

// below returns the largest value of type t below b, a value of t.
func below(t shape.ElementType, b float64) float64 {
	f, _ := literal.FloatFormat(t)
	if !(b > -f.MaxFinite) {
		return b
	}
	step := math.Ldexp(1, math.Ilogb(b)-f.MantissaBits-1) // at most half the way from b to its neighbour
	if least := f.MinPositive; b == 0 || step < least {
		step = least
	}
	v := f.Decode(f.Encode(b - step))
	for v >= b {
		step *= 2
		v = f.Decode(f.Encode(b - step))
	}
	return v
}

// uniformIntegers fills dst with numbers in [a, b), or with a if that is empty.
func uniformIntegers(dst literal.Literal, bits []uint64, a, b literal.Literal) {
	low, span := uint64(a.IntAt(0)), uint64(b.IntAt(0))-uint64(a.IntAt(0))
	empty := b.IntAt(0) <= a.IntAt(0)
	if dst.Type() == shape.U64 {
		empty = uint64(b.IntAt(0)) <= low
	}
	for i, x := range bits {
		v := low
		if !empty {
			v += x % span
		}
		dst.SetBits(i, v)
	}
}

// normalFloats fills dst with mu + sigma times the two normal numbers that Box and
// Muller make of two uniform ones. Of the last pair of an odd number one is left over.
func normalFloats(dst literal.Literal, bits []uint64, mu, sigma float64) {
	t := dst.Type()
	if t != shape.F64 { // fractions of f32 serve all smaller types
		t = shape.F32
	}
	for i := 0; i < len(bits); i += 2 {
		u, v := fraction(t, bits[i]), fraction(t, bits[min(i+1, len(bits)-1)])
		radius := math.Sqrt(-2 * math.Log(max(u, 1e-7)))
		sin, cos := math.Sincos(2 * math.Pi * v)
		dst.SetFloat(i, float64(sigma*float64(radius*sin))+mu)
		if i+1 < len(bits) {
			dst.SetFloat(i+1, float64(sigma*float64(radius*cos))+mu)
		}
	}
}
