package elem_test

import (
	"math"
	"math/rand/v2"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// allTypes are the element types of arrays.
func allTypes() (types []shape.ElementType) {
	for t := shape.ElementType(0); t < shape.NumElementTypes; t++ {
		if t.IsArray() {
			types = append(types, t)
		}
	}
	return types
}

// sampler draws elements as bit patterns; of a complex type, of its parts.
type sampler struct{ *rand.Rand }

func newSampler(seed uint64) sampler { return sampler{rand.New(rand.NewPCG(seed, 1))} }

// codes are all bit patterns of a type of at most 16 bits, or n of a wider one.
func (s sampler) codes(t shape.ElementType, n int) (codes []uint64) {
	t = t.Component()
	if t == shape.Pred {
		return []uint64{0, 1}
	}
	if t.Bits() <= 16 {
		for c := range uint64(1) << t.Bits() {
			codes = append(codes, c)
		}
		return codes
	}
	return s.few(t, n)
}

// few are n bit patterns, corners first, or all where there are fewer.
func (s sampler) few(t shape.ElementType, n int) []uint64 {
	t = t.Component()
	if t == shape.Pred && n <= 256 || t.Bits() <= 8 && 1<<t.Bits() <= n && n <= 256 {
		return s.codes(t, n)
	}
	if t.Bits() <= 8 { // again and again
		all := s.codes(t, n)
		for len(all) < n {
			all = append(all, all...)
		}
		return all[:n]
	}
	codes := corners(t)
	s.Shuffle(len(codes), func(i, k int) { codes[i], codes[k] = codes[k], codes[i] })
	for len(codes) < n {
		codes = append(codes, s.code(t))
	}
	return codes[:n]
}

// code is a random element, with small magnitudes and few digits more often than chance has them.
func (s sampler) code(t shape.ElementType) uint64 {
	bits, mask := s.Uint64()>>(64-t.Bits()), ^uint64(0)>>(64-t.Bits())
	f, isFloat := literal.FloatFormat(t)
	switch s.IntN(5) {
	case 0:
		return bits
	case 1: // a small integer
		return encode(t, float64(s.IntN(201)-100))
	case 2: // few digits
		if isFloat {
			return (encode(t, math.Ldexp(float64(s.IntN(1<<12)-1<<11), s.IntN(60)-36)) + uint64(s.IntN(3)) - 1) & mask
		}
		return bits >> s.IntN(t.Bits())
	case 3: // a half between two numbers of a narrower type, and its neighbours
		if isFloat && f.MantissaBits > 1 {
			cut := uint64(1)<<(f.MantissaBits-s.IntN(min(12, f.MantissaBits))) - 1
			return (bits&^cut | (cut+1)>>1 + uint64(s.IntN(3)) - 1) & mask
		}
		return -(bits >> s.IntN(t.Bits())) & mask
	}
	return encode(t, s.NormFloat64()*4)
}

func encode(t shape.ElementType, v float64) uint64 {
	l := literal.New(shape.Make(t))
	l.SetFloat(0, v)
	return l.BitsAt(0)
}

// corners are the elements with rules of their own.
func corners(t shape.ElementType) (codes []uint64) {
	mask := ^uint64(0) >> (64 - t.Bits())
	for _, v := range []uint64{0, 1, 2, mask, mask - 1, mask >> 1, mask>>1 + 1, mask>>1 + 2} {
		codes = append(codes, v&mask)
	}
	for _, v := range []float64{3, 7, 8, 31, 32, 33, 63, 64, 65, 100, 128, 255, 256, 32768, 65536} {
		codes = append(codes, encode(t, v), encode(t, -v))
	}
	f, ok := literal.FloatFormat(t)
	if !ok {
		return codes
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -2.5, math.Inf(1), math.Inf(-1), math.NaN(),
		f.MaxFinite, -f.MaxFinite, f.MinNormal, -f.MinNormal, f.MinPositive, -f.MinPositive, math.Pi, 4, -4.5, 0.75,
		1 << 24, 1 << 31, -(1 << 31), 1 << 32, 1 << 53, 1 << 63, -(1 << 63), 1 << 64, 0x1p-127, 0x1.8p-127, 0x1p-149}
	for _, v := range special {
		c := encode(t, v)
		codes = append(codes, c, (c+1)&mask, (c-1)&mask)
	}
	return codes
}

// array is an array of type t with these bit patterns; of a complex type each is a part.
func array(t shape.ElementType, codes []uint64) literal.Literal {
	n := len(codes)
	if t.IsComplex() {
		n /= 2
	}
	out := literal.New(shape.Make(t, n))
	l, err := literal.FromBytes(shape.Make(t.Component(), len(codes)), out.Bytes())
	if err != nil {
		panic(err)
	}
	if t == shape.Pred {
		l = out // FromBytes copies truth values
	}
	for i, c := range codes {
		l.SetBits(i, c)
	}
	return out
}

// operands are arrays of one length for each type: all or many elements for one operand, and
// all pairs or triples of some for more.
func (s sampler) operands(from []shape.ElementType) []literal.Literal {
	lists := make([][]uint64, len(from))
	for i, t := range from {
		switch {
		case len(from) == 1 && !t.IsComplex():
			lists[i] = s.codes(t, 1<<12)
		case len(from) == 1:
			lists[i] = s.few(t, 150)
		case t.IsComplex():
			lists[i] = s.few(t, []int{18, 6}[len(from)-2])
		default:
			lists[i] = s.few(t, []int{256, 24}[len(from)-2])
		}
	}
	return combine(from, lists)
}

// combine makes arrays of all combinations; a complex operand has all pairs of its list for values.
func combine(from []shape.ElementType, lists [][]uint64) []literal.Literal {
	size := func(i int) int {
		if from[i].IsComplex() {
			return len(lists[i]) * len(lists[i])
		}
		return len(lists[i])
	}
	total := 1
	for i := range from {
		total *= size(i)
	}
	out := make([]literal.Literal, len(from))
	step := 1
	for i, t := range from {
		var codes []uint64
		for k := range total {
			at := k / step % size(i)
			if t.IsComplex() {
				codes = append(codes, lists[i][at%len(lists[i])])
				at /= len(lists[i])
			}
			codes = append(codes, lists[i][at])
		}
		out[i] = array(t, codes)
		step *= size(i)
	}
	return out
}
