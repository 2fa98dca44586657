package vmath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestAccuracy measures the largest errors and compares them with what is promised and with
// docs/ACCURACY.md, which XLA_UPDATE=1 writes.
func TestAccuracy(t *testing.T) {
	types := []struct {
		name    string
		measure func(t *testing.T, f *function) worst
		limit   func(f *function) float64
	}{
		{"f32", measure32, func(f *function) float64 { return f.limit32 }},
		{"f64", measure64, func(f *function) float64 { return f.limit64 }},
		{"f16", measureSmall(loop.MemF16, f16Grid), func(*function) float64 { return 0.51 }},
		{"bf16", measureSmall(loop.MemBF16, bf16Grid), func(*function) float64 { return 0.51 }},
	}
	rows := make([]row, len(functions)*len(types)+len(binaries)*2)
	t.Run("of", func(t *testing.T) {
		for i := range functions {
			f := &functions[i]
			for j, of := range types {
				t.Run(f.name+" "+of.name, func(t *testing.T) {
					t.Parallel()
					w := of.measure(t, f)
					w.check(t, of.limit(f))
					rows[i*len(types)+j] = row{f.name, of.name, w}
				})
			}
		}
		runBinaries(t, rows[len(functions)*len(types):])
	})
	document(t, rows)
}

// How many arguments of f64, and of functions of two arguments in f32, are tried.
const (
	points64 = 12_000
	points2  = 200_000
)

// measure32 compares with package math in float64.
func measure32(t *testing.T, f *function) worst {
	list := measuredForms(t, loop.MemF32, 1, f.body())
	x, y := make([]float32, block), make([]float32, block)
	stride := uint64(997)
	if testing.Short() {
		stride = 99991
	}
	for from := uint64(0); from < 1<<32; {
		want := make([]float64, block)
		for j := range x {
			x[j] = math.Float32frombits(uint32(min(from, 1<<32-1)))
			want[j] = f.value(float64(x[j]))
			from += stride
		}
		for n := range list {
			run(list[n].kernel, y, x)
			for j := range x {
				list[n].note(f32Grid, float64(y[j]), want[j], float64(x[j]))
			}
		}
	}
	return worstOf(list)
}

// measureSmall tries every number of a type of 16 bits.
func measureSmall(m loop.Mem, g grid) func(*testing.T, *function) worst {
	return func(t *testing.T, f *function) worst {
		list := measuredForms(t, m, 1, f.body())
		x, y := make([]uint16, block), make([]uint16, block)
		for from := 0; from < 1<<16; from += block {
			for j := range x {
				x[j] = uint16(from + j)
			}
			for n := range list {
				run(list[n].kernel, y, x)
				for j := range x {
					at := small(m, x[j])
					list[n].note(g, small(m, y[j]), f.value(at), at)
				}
			}
		}
		return worstOf(list)
	}
}

// small is the number with these bits.
func small(m loop.Mem, b uint16) float64 {
	if m == loop.MemBF16 {
		return float64(math.Float32frombits(uint32(b) << 16))
	}
	sign, e, f := float64(1), int(b>>10&31), float64(b&1023)
	if b>>15 != 0 {
		sign = -1
	}
	switch e {
	case 0:
		return sign * math.Ldexp(f, -24)
	case 31:
		if f != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+f, e-25)
}

// measure64 compares with arithmetic of many bits.
func measure64(t *testing.T, f *function) worst {
	list := measuredForms(t, loop.MemF64, 1, f.body())
	x, y := make([]float64, block), make([]float64, block)
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < points64; n += block {
		for j := range x {
			x[j] = point(r, f.reach)
		}
		copy(x, edges)
		exact := make([]num, block)
		for n := range list {
			run(list[n].kernel, y, x)
			for j, at := range x {
				want := f.value(at)
				pole := math.IsInf(want, 0) && math.Abs(at) <= 1
				if want == 0 || pole || math.IsNaN(want) || math.IsInf(at, 0) {
					list[n].note(f64Grid, y[j], want, at)
					continue
				}
				if exact[j] == nil {
					exact[j] = f.exact(at)
				}
				list[n].noteBig(y[j], exact[j], at)
			}
		}
	}
	return worstOf(list)
}

// noteBig adds the error of an f64.
func (w *worst) noteBig(got float64, want num, at ...float64) {
	if math.IsNaN(got) {
		w.special(false, at)
		return
	}
	value := from(got)
	overflow := times2(from(1), f64Grid.overflow)
	if math.IsInf(got, 0) {
		if value = newNum().Copy(overflow); got < 0 {
			value.Neg(value)
		}
		if newNum().Abs(want).Cmp(overflow) > 0 && want.Sign() == value.Sign() {
			return
		}
	}
	ulp := max(want.MantExp(nil)-f64Grid.bits, f64Grid.least)
	d, _ := times2(minus(value, want), -ulp).Float64()
	w.add(math.Abs(d), at)
}

// edges are special numbers.
var edges = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5, -0.5, 2, -2,
	math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, -0x1p-1022, 0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1023,
	709.782712893384, 709.7827128933841, 710.4758600739439, 710.475860073944, -745.1332191019411,
	-745.1332191019412, 1024, -1074, -1075, -1075.5, 0x1p30, 0x1p60, 0x1.921fb54442d18p0, 0x1.921fb54442d18p1,
	0x1.6ac5b262ca1ffp849, 27.226017111108366, 26.543258430632296, 0x1.a0208243a98e2p-3, 0x1.a4a5f7037f181p-3}

// point is a random number: any, of any magnitude, within reach, or near a place where something changes.
func point(r *rand.Rand, reach float64) float64 {
	u := 2*r.Float64() - 1
	switch r.IntN(6) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return math.Copysign(math.Ldexp(1+r.Float64(), r.IntN(60)-50), u)
	case 2:
		return steps(float64(r.IntN(2000)-1000)*math.Pi/4, r.IntN(7)-3)
	case 3:
		return steps((float64(r.IntN(2000)-1000)+0.5)*math.Ln2, r.IntN(7)-3)
	case 4:
		return math.Abs(reach * u)
	}
	return reach * u
}

// steps is the n-th number after x.
func steps(x float64, n int) float64 {
	return math.Float64frombits(uint64(int64(math.Float64bits(x)) + int64(n)))
}

// TestSpecials: zeros, infinities, NaN and the ends of the domains, in both kinds.
func TestSpecials(t *testing.T) {
	for _, row := range specials {
		i := slices.IndexFunc(functions, func(f function) bool { return f.name == row.name })
		f := &functions[i]
		x64, y64 := make([]float64, block), make([]float64, block)
		x32, y32 := make([]float32, block), make([]float32, block)
		for j, p := range row.points {
			x64[j], x32[j] = p.x, float32(p.x)
		}
		for _, k := range forms(t, loop.MemF64, 1, f.body()) {
			run(k, y64, x64)
			checkSpecials(t, row.name, row.points, y64)
		}
		for _, k := range forms(t, loop.MemF32, 1, f.body()) {
			run(k, y32, x32)
			checkSpecials(t, row.name, row.points, y32)
		}
	}
}

func checkSpecials[T float32 | float64](t *testing.T, name string, points []special, got []T) {
	for j, p := range points {
		if !sameFloat(float64(got[j]), p.y) {
			t.Errorf("%s(%v) in %T: got %v, expected %v", name, p.x, got[j], got[j], p.y)
		}
	}
}

// sameFloat tells zeros apart and no NaNs.
func sameFloat(x, y float64) bool {
	return math.IsNaN(x) && math.IsNaN(y) || math.Float64bits(x) == math.Float64bits(y)
}
