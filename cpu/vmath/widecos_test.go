package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestAcosParts: acos of f64 keeps what docs/ACCURACY.md says where its wide form errs most, as TestAsinParts does. The
// first part is beside 1, the last one beside -1.
func TestAcosParts(t *testing.T) {
	const points = 80_000
	table, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	var w worst
	list := forms(t, loop.MemF64, 1, acosBody)
	wide := list[len(list)-1]
	x, y := make([]float64, block), make([]float64, block)
	r := rand.New(rand.NewPCG(7, 8))
	borders := arcBorders(&acosPartsF64, 6.5, -1, 14)
	for n := 0; n < points; n += block {
		for j := range x {
			x[j] = arcPoint(r, borders)
		}
		run(wide, y, x)
		for j, at := range x {
			w.noteBig(y[j], exact.acos(at), at)
		}
	}
	w.check(t, table["acos | f64"].ulp)
}

// TestAcosEnds: what is exact, the nearest number or no number: 1, zeros, -1, all that is beyond 1.
func TestAcosEnds(t *testing.T) {
	points := []special{{1, 0}, {0, math.Pi / 2}, {zero, math.Pi / 2}, {0x1p-1074, math.Pi / 2}, {-1, math.Pi},
		{1.5, nan}, {-1.5, nan}, {math.MaxFloat64, nan}, {inf, nan}, {-inf, nan}, {nan, nan}}
	x, y := make([]float64, block), make([]float64, block)
	x32, y32 := make([]float32, block), make([]float32, block)
	for j, p := range points {
		x[j], x32[j] = p.x, float32(p.x)
	}
	for _, k := range forms(t, loop.MemF64, 1, acosBody) {
		run(k, y, x)
		checkSpecials(t, "acos", points, y)
	}
	for j := range points {
		points[j].y = float64(float32(points[j].y))
	}
	for _, k := range forms(t, loop.MemF32, 1, acosBody) {
		run(k, y32, x32)
		checkSpecials(t, "acos", points, y32)
	}
}

// acosBody is Acos of one argument.
func acosBody(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Acos(b, k, x[0]) }
