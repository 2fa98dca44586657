package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// binaryFunction is a function of two arguments, as function.
type binaryFunction struct {
	name             string
	make             func(b *loop.Builder, k loop.Kind, x, y loop.Value) loop.Value
	value            func(x, y float64) float64
	exact            func(x, y float64) num // of the magnitude
	limit32, limit64 float64
}

var binaries = []binaryFunction{
	{"atan2", Atan2, atan2Ref, exact.atan2, 1.60, 1.80},
	{"pow", Pow, math.Pow, exact.pow, 1.00, 1.35},
	{"rem", Rem, math.Mod, nil, 0, 0},
}

// atan2Ref: the sign is that of y; math.Atan2 loses it where y/x underflows.
func atan2Ref(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// runBinaries measures them, first in f32, then in f64.
func runBinaries(t *testing.T, rows []row) {
	for i := range binaries {
		f := &binaries[i]
		t.Run(f.name+" f32", func(t *testing.T) {
			t.Parallel()
			w := binary32(t, f)
			w.check(t, f.limit32)
			rows[2*i] = row{f.name, "f32", w}
		})
		t.Run(f.name+" f64", func(t *testing.T) {
			t.Parallel()
			w := binary64(t, f)
			w.check(t, f.limit64)
			rows[2*i+1] = row{f.name, "f64", w}
		})
	}
}

// corners are tried in all pairs.
var corners = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5, -0.5, 2, -2, 3, -3,
	1.5, -1.5, 1e-40, -1e-40, 0x1p-149, 0x1p-126, 0x1.fffffep127, -0x1.fffffep127, 0x1p24, 0x1p24 + 2, 0x1.fffffep23,
	100, -100, 127, 128, -149, -150, 0x1.fffffep-1, 0x1.000002p0, 7, 1000001}

func corner(n int) (x, y float64, ok bool) {
	if n >= len(corners)*len(corners) {
		return 0, 0, false
	}
	return corners[n/len(corners)], corners[n%len(corners)], true
}

// binary32 compares with package math in float64.
func binary32(t *testing.T, f *binaryFunction) worst {
	list := measuredForms(t, loop.MemF32, 2, f.body())
	x, y, z := make([]float32, block), make([]float32, block), make([]float32, block)
	r := rand.New(rand.NewPCG(3, 4))
	for n := 0; n < points2; n += block {
		want := make([]float64, block)
		for j := range x {
			p, q, ok := corner(n + j)
			x[j], y[j] = float32(p), float32(q)
			if !ok {
				x[j], y[j] = point32(r), point32(r)
			}
			want[j] = f.value(float64(x[j]), float64(y[j]))
		}
		for k := range list {
			run(list[k].kernel, z, x, y)
			for j := range x {
				list[k].note(f32Grid, float64(z[j]), want[j], float64(x[j]), float64(y[j]))
			}
		}
	}
	return worstOf(list)
}

func point32(r *rand.Rand) float32 {
	switch r.IntN(3) {
	case 0:
		return math.Float32frombits(r.Uint32())
	case 1:
		return float32(math.Ldexp(1+r.Float64(), r.IntN(20)-10))
	}
	return float32(r.Float64()*40 - 20)
}

// binary64 compares with arithmetic of many bits where results are not special.
func binary64(t *testing.T, f *binaryFunction) worst {
	list := measuredForms(t, loop.MemF64, 2, f.body())
	x, y, z := make([]float64, block), make([]float64, block), make([]float64, block)
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n < points64; n += block {
		for j := range x {
			var ok bool
			if x[j], y[j], ok = corner(n + j); !ok {
				x[j], y[j] = point(r, 2), point(r, 20)
			}
		}
		exact := make([]num, block)
		for k := range list {
			run(list[k].kernel, z, x, y)
			for j := range x {
				f.note64(&list[k].worst, z[j], x[j], y[j], &exact[j])
			}
		}
	}
	return worstOf(list)
}

// note64 notes the error of z; exact is the size of what it should be, nil as long as nobody has asked.
func (f *binaryFunction) note64(w *worst, z, x, y float64, exact *num) {
	want := f.value(x, y)
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	ordinary := want != 0 && !math.IsNaN(want) && finite(x) && finite(y) && x != 0 && y != 0
	if f.exact == nil || !ordinary {
		w.note(f64Grid, z, want, x, y)
		return
	}
	if math.Signbit(z) != math.Signbit(want) {
		w.special(false, []float64{x, y})
	}
	if *exact == nil {
		magnitude := f.exact(x, y)
		*exact = magnitude.Abs(magnitude)
	}
	w.noteBig(math.Abs(z), *exact, x, y)
}
