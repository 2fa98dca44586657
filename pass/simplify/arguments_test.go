package simplify_test

import (
	"math"
	"math/rand/v2"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// randomLiteral returns a literal of shape s; with corners, about half the elements are
// corners of the element type.
func randomLiteral(rng *rand.Rand, s shape.Shape, corners bool) literal.Literal {
	if s.IsTuple() {
		var elems []literal.Literal
		for _, e := range s.Elems {
			elems = append(elems, randomLiteral(rng, e, corners))
		}
		return literal.MakeTuple(elems...)
	}
	l := literal.New(s)
	if !s.IsArray() {
		return l
	}
	for k := range l.Len() {
		switch t := s.Type; {
		case t == shape.Pred:
			l.SetBool(k, rng.IntN(2) == 1)
		case t.IsInteger():
			l.SetInt(k, randomInt(rng, t))
		case t.IsComplex():
			l.SetComplex(k, complex(randomFloat(rng, t.Component(), corners), randomFloat(rng, t.Component(), corners)))
		default:
			l.SetFloat(k, randomFloat(rng, t, corners))
		}
	}
	return l
}

func randomInt(rng *rand.Rand, t shape.ElementType) int64 {
	top := int64(1) << (t.Bits() - 1) // the least signed value, or the middle of the unsigned
	corners := []int64{0, 1, -1, 2, 3, -2, top, top - 1, top + 1, 7, 8}
	switch rng.IntN(4) {
	case 0:
		return rng.Int64() - rng.Int64()
	case 1:
		return int64(rng.IntN(20) - 10)
	}
	return corners[rng.IntN(len(corners))]
}

func randomFloat(rng *rand.Rand, t shape.ElementType, corners bool) float64 {
	f, _ := literal.FloatFormat(t)
	list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, math.Inf(1), math.Inf(-1), math.NaN(),
		f.MinPositive, -f.MinPositive, f.MinNormal, f.MaxFinite, -f.MaxFinite, 3 * f.MinPositive, -2.5}
	if !corners || rng.IntN(2) == 0 {
		return rng.NormFloat64() * math.Ldexp(1, rng.IntN(9)-4)
	}
	return list[rng.IntN(len(list))]
}

// cleanNaN returns v, or the default NaN for any.
func cleanNaN(v float64) float64 {
	if v != v {
		return math.NaN()
	}
	return v
}
