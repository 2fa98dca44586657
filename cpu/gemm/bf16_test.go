package gemm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/shape"
)

// avx512BF16 is the configuration of a machine with AVX-512 and its instructions for bf16, without tiles.
var avx512BF16 = Config{Tier: exec.AVX512, Threads: 1, BF16: true}

// mapPlaces lets the emulator read the tables of steps of p.
func mapPlaces(m *emu.Machine, p *Product) {
	seen := map[*place]bool{}
	for i := range p.forms {
		for _, block := range p.forms[i].placed {
			for _, s := range block {
				if first := &s.places[0]; !seen[first] {
					seen[first] = true
					b := unsafe.Slice((*byte)(unsafe.Pointer(first)), len(s.places)*int(unsafe.Sizeof(*first)))
					m.Map(uint64(uintptr(unsafe.Pointer(first))), b, false)
				}
			}
		}
	}
}

// checkKind runs s, of arrays of na and nb elements, in the emulator, as checkTiles does.
func checkKind(t *testing.T, r *rand.Rand, s Spec, c Config, want kind, na, nb int) *Product {
	t.Helper()
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if p.kind != want {
		t.Fatalf("%v: expected kind %d, got %d", p, want, p.kind)
	}
	if racetest.Enabled {
		return p
	}
	a, b := fill(r, s.A.Type, na), fill(r, s.B.Type, nb)
	sums, sizes := reference(&s, a, b)
	compare(t, p, &s, runEmulated(t, p, a, b), sums, sizes)
	return p
}

// groupLayouts are orders of A and of B, of which micro-kernels take groups of depths.
var groupLayouts = [][2]layout{{rowMajor, rowMajor}, {columnMajor, rowMajor}, {rowMajor, columnMajor},
	{columnMajor, spaced}, {spaced, spaced}, {columnMajor, columnMajor}}

// TestBF16Emulated runs products by pairs of bf16 in the emulator against the definition: every order of A and B,
// several parts of the depth, items and blocks of rows, few rows of a B that is packed.
func TestBF16Emulated(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	small := avx512BF16
	small.L1, small.L2 = 8<<10, 64<<10
	for i := range 48 {
		m, n, k := fewRows+r.IntN(40), 1+r.IntN(90), leastBF16+2*r.IntN(60)
		layouts := groupLayouts[i%len(groupLayouts)]
		if layouts[1] == columnMajor {
			k += 32
		}
		switch i {
		case 6, 8, 9, 11:
			m, n, k = 17, 40, 1500
		case 13:
			m, n, k = 97, 200, 42
		case 14, 17: // few rows
			m = 5
		}
		batch := 1 + r.IntN(2)
		if n == 1 { // then A and B trade places
			n = 2
		}
		s := Spec{C: []shape.ElementType{shape.F32, shape.BF16}[i%2], Constant: i%5 == 2 && m >= fewRows}
		var na, nb int
		s.A, na = operand(shape.BF16, layouts[0], batch, m, k, false)
		s.B, nb = operand(shape.BF16, layouts[1], batch, n, k, true)
		checkKind(t, r, s, []Config{avx512BF16, small}[i/6%2], kindBF16, na, nb)
	}
}

// TestBF16OfRuns: the depth of A is runs, as of windows, which are read in place; short runs of rows are packed.
func TestBF16OfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	small := avx512BF16
	small.L1, small.L2 = 4<<10, 64<<10
	for _, c := range []shape.ElementType{shape.F32, shape.BF16} {
		for _, features := range []int{2, 6, 16, 34} {
			for i, size := range [][3]int{{3, 33, 1}, {7, 16, 2}, {12, 5, 1}, {9, 3, 1}} {
				s, na, nb := tapsSpec([2]shape.ElementType{shape.BF16, c}, size[0], size[1], size[2], features, 20+20*i, i == 1)
				p := checkKind(t, r, s, []Config{avx512BF16, small}[i%2], kindBF16, na, nb)
				if want := size[1] >= leastRunRows; (p.routeA == inPlace) != want {
					t.Errorf("%v: expected A in place: %v", p, want)
				}
			}
		}
		for _, d := range [][5]int{{4, 8, 1, 16, 8}, {4, 8, 2, 20, 8}, {3, 7, 1, 37, 4}, {2, 5, 2, 5, 32}} {
			s, na, nb := gradientSpec([2]shape.ElementType{shape.BF16, c}, d[0], d[1], d[2], d[3], d[4], 20)
			if p := checkKind(t, r, s, avx512BF16, kindBF16, na, nb); !p.depthMajor {
				t.Errorf("%v: expected A packed along its rows", p)
			}
		}
	}
}

// TestBF16Native is the same on this machine, beside memory that cannot be accessed, with its instructions for bf16 if
// it has them, and without them.
func TestBF16Native(t *testing.T) {
	pool, all := pools(t), tiers()
	tier := all[len(all)-1]
	for _, c := range []Config{{Tier: tier, Threads: 2, BF16: hasBF16(tier)}, {Tier: tier, Threads: 2}} {
		for i, d := range [][3]int{{64, 200, 130}, {7, 40, 1500}, {97, 33, 66}, {5, 70, 96}, {40, 40, 33}} {
			for _, l := range [][2]layout{{rowMajor, rowMajor}, {columnMajor, rowMajor}, {rowMajor, columnMajor},
				{columnMajor, columnMajor}} {
				s := Spec{C: []shape.ElementType{shape.F32, shape.BF16}[i%2], Constant: i%3 == 1}
				var na, nb int
				s.A, na = operand(shape.BF16, l[0], 1, d[0], d[2], false)
				s.B, nb = operand(shape.BF16, l[1], 1, d[1], d[2], true)
				checkOn(t, pool, s, c, na, nb)
			}
		}
		for _, features := range []int{6, 32} {
			s, na, nb := tapsSpec([2]shape.ElementType{shape.BF16, shape.BF16}, 14, 28, 1, features, 70, false)
			checkOn(t, pool, s, c, na, nb)
			s, na, nb = gradientSpec([2]shape.ElementType{shape.BF16, shape.F32}, 6, 8, 1, features, 8, 70)
			checkOn(t, pool, s, c, na, nb)
		}
	}
}

// TestBF16Refused: what has no pairs, or is better off without, goes other ways.
func TestBF16Refused(t *testing.T) {
	without, narrow := avx512BF16, Config{Tier: exec.AVX2, Threads: 1}
	without.BF16 = false
	bf16, f32 := shape.BF16, shape.F32
	for _, c := range []struct {
		why     string
		m, n, k int
		b       layout
		types   [3]shape.ElementType
		machine Config
		want    bool
	}{
		{"pairs", 6, 64, 64, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, true},
		{"no instruction", 6, 64, 64, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, without, false},
		{"AVX2", 6, 64, 64, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, narrow, false},
		{"few rows of a B that is read in place", 5, 64, 64, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16,
			false},
		{"few rows of a B along the depth", 4, 64, 64, columnMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, false},
		{"few rows of a B that is packed", 5, 64, 64, columnMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, true},
		{"half a pair", 32, 64, 65, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, false},
		{"small depth", 32, 64, leastBF16 - 2, rowMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, false},
		{"too short to turn", 32, 64, 30, columnMajor, [3]shape.ElementType{bf16, bf16, f32}, avx512BF16, false},
		{"types", 32, 64, 64, rowMajor, [3]shape.ElementType{bf16, f32, f32}, avx512BF16, false},
		{"sums in f64", 32, 64, 64, rowMajor, [3]shape.ElementType{bf16, bf16, shape.F64}, avx512BF16, false},
	} {
		s := Spec{C: c.types[2]}
		s.A, _ = operand(c.types[0], rowMajor, 1, c.m, c.k, false)
		s.B, _ = operand(c.types[1], c.b, 1, c.n, c.k, true)
		p, err := New(s, c.machine)
		if err != nil {
			t.Fatal(err)
		}
		if (p.kind == kindBF16) != c.want {
			t.Errorf("%s: expected pairs: %v", c.why, c.want)
		}
	}
}
