package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestAsinParts: asin of f64 keeps what docs/ACCURACY.md says where its wide form errs most: on both sides of the
// borders of parts, in the first part that is turned, beside 1, and for small angles.
// The first points have the largest errors known, of the near root of a machine and of an exact one.
func TestAsinParts(t *testing.T) {
	const points = 80_000
	table, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	var w worst
	list := forms(t, loop.MemF64, 1, asinBody)
	wide := list[len(list)-1]
	x, y := make([]float64, block), make([]float64, block)
	r := rand.New(rand.NewPCG(5, 6))
	borders := arcBorders(&asinPartsF64, 0.5, 1, len(asinPartsF64.base)-1)
	for n := 0; n < points; n += block {
		for j := range x {
			x[j] = arcPoint(r, borders)
		}
		x[0], x[1] = 0x1.55be8f3bb89fap-03, 0x1.5b58e6db3217ap-03
		run(wide, y, x)
		for j, at := range x {
			w.noteBig(y[j], exact.asin(at), at)
		}
	}
	w.check(t, table["asin | f64"].ulp)
}

// TestAsinEnds: what is exact or no number, of both signs: zeros, 1, the smallest numbers, all that is beyond 1.
func TestAsinEnds(t *testing.T) {
	points := []special{{1, math.Pi / 2}, {steps(1, 1), nan}, {1.5, nan}, {math.MaxFloat64, nan}, {inf, nan}}
	for _, tiny := range []float64{0, 0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1p-40} {
		points = append(points, special{tiny, tiny})
	}
	for _, p := range points {
		points = append(points, special{-p.x, -p.y})
	}
	points = append(points, special{nan, nan})
	x, y := make([]float64, block), make([]float64, block)
	for j, p := range points {
		x[j] = p.x
	}
	for _, k := range forms(t, loop.MemF64, 1, asinBody) {
		run(k, y, x)
		checkSpecials(t, "asin", points, y)
	}
}

// asinBody is Asin of one argument.
func asinBody(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Asin(b, k, x[0]) }

// arcPoint is a number of at most 1 where the error of an arc is large: borders are of the parts from that on in which
// nothing is turned.
func arcPoint(r *rand.Rand, borders []float64) float64 {
	u := r.Float64()
	switch r.IntN(6) {
	case 0, 1:
		return borders[0] + (borders[1]-borders[0])*u
	case 2:
		x := borders[r.IntN(len(borders))] * (1 + math.Ldexp(u-0.5, -r.IntN(40)-4))
		return max(-1, min(1, x))
	case 3:
		return math.Copysign(1-math.Ldexp(u, -r.IntN(53)), r.Float64()-0.5)
	case 4:
		return math.Ldexp(u, -r.IntN(60))
	}
	return borders[0] * u
}

// arcBorders are the x between the first parts of asin, or of acos from 1 on, found by halving.
func arcBorders(p *arcParts, from, step float64, count int) []float64 {
	list := make([]float64, count)
	for k := range list {
		low, high := -1.0, 1.0
		for range 60 {
			x := (low + high) / 2
			if x*(p.unit-p.bend*math.Sqrt(1-x*x)) < from+step*float64(k) {
				low = x
			} else {
				high = x
			}
		}
		list[k] = low
	}
	return list
}
