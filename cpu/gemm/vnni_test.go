package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// avx512VNNI is the configuration of a machine with AVX-512 and VNNI, without tiles.
var avx512VNNI = Config{Tier: exec.AVX512, Threads: 1, VNNI: true}

// byteTypes are those of bytes with and without signs, in results of the type of sums and narrower.
var byteTypes = [][3]shape.ElementType{{shape.S8, shape.S8, shape.S32}, {shape.S8, shape.U8, shape.S32},
	{shape.U8, shape.S8, shape.S32}, {shape.U8, shape.U8, shape.S32}, {shape.S8, shape.S8, shape.S8}}

// TestVNNIEmulated runs products by fours of bytes in the emulator against the definition: every order of A and B,
// several parts of the depth, items and blocks of rows, results that are streamed.
func TestVNNIEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	small := avx512VNNI
	small.L1, small.L2 = 8<<10, 64<<10
	for i := range 60 {
		m, n, k := fewRows+r.IntN(40), 2+r.IntN(90), leastVNNI+4*r.IntN(40)
		layouts := groupLayouts[i%len(groupLayouts)]
		if layouts[1] == columnMajor {
			k += 32
		}
		if layouts[0] == rowMajor {
			n = max(n, 7) // fewer columns are turned
		}
		switch i {
		case 6, 8, 9, 11:
			m, n, k = 17, 40, 3000
		case 13:
			m, n, k = 97, 200, 84
		case 15:
			n = 64
		}
		s := Spec{C: byteTypes[i%5][2], Constant: i%7 == 2, Stream: i%4 == 3}
		var na, nb int
		s.A, na = operand(byteTypes[i%5][0], layouts[0], 1+i%2, m, k, false)
		s.B, nb = operand(byteTypes[i%5][1], layouts[1], 1+i%2, n, k, true)
		checkKind(t, r, s, []Config{avx512VNNI, small}[i/6%2], kindVNNI, na, nb)
	}
}

// TestVNNIOfRuns: the depth of A is runs, as of windows, which are read in place.
func TestVNNIOfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	small := avx512VNNI
	small.L1, small.L2 = 4<<10, 64<<10
	for _, ty := range byteTypes {
		for _, features := range []int{4, 16, 36} {
			for i, size := range [][3]int{{3, 33, 1}, {7, 16, 2}, {9, 3, 1}} {
				s, na, nb := tapsSpec([2]shape.ElementType{ty[0], ty[2]}, size[0], size[1], size[2], features, 20+20*i, i == 1)
				s.B.Type = ty[1]
				checkKind(t, r, s, []Config{avx512VNNI, small}[i%2], kindVNNI, na, nb)
			}
		}
	}
}

// TestVNNIExtremes: sums of the largest products have all of their bits, and wrap where they have more than 32.
func TestVNNIExtremes(t *testing.T) {
	for _, ty := range byteTypes[:4] {
		for k, depth := range []int{400, 400, 140_000} {
			low := k > 0
			s := Spec{C: shape.S32}
			var na, nb int
			s.A, na = operand(ty[0], rowMajor, 1, 7, depth, false)
			s.B, nb = operand(ty[1], rowMajor, 1, 20, depth, true)
			p, err := New(s, avx512VNNI)
			if err != nil {
				t.Fatal(err)
			}
			extreme := func(t shape.ElementType, n int) (literal.Literal, int64) {
				v := map[shape.ElementType]int64{shape.S8: 127, shape.U8: 255}[t]
				if low && t == shape.S8 {
					v = -128
				}
				l := literal.New(shape.Make(t, n))
				for i := range n {
					l.SetInt(i, v)
				}
				return l, v
			}
			a, x := extreme(ty[0], na)
			b, y := extreme(ty[1], nb)
			c := runEmulated(t, p, a, b)
			for i := range c.Len() {
				if want := int64(int32(int64(depth) * x * y)); c.IntAt(i) != want {
					t.Fatalf("%v: element %d: expected %d, got %d", p, i, want, c.IntAt(i))
				}
			}
		}
	}
}

// TestVNNIRefused: what has no fours goes in pairs, or one by one.
func TestVNNIRefused(t *testing.T) {
	without := avx512VNNI
	without.VNNI = false
	for _, c := range []struct {
		why     string
		m, k    int
		a       layout
		typ     shape.ElementType
		machine Config
		want    kind
	}{
		{"fours", 6, 64, rowMajor, shape.S8, avx512VNNI, kindVNNI},
		{"A is turned", 16, 64, columnMajor, shape.S8, avx512VNNI, kindVNNI},
		{"no instruction", 6, 64, rowMajor, shape.S8, without, kindPairs},
		{"AVX2", 6, 64, rowMajor, shape.S8, Config{Tier: exec.AVX2, Threads: 1}, kindPairs},
		{"half a four", 6, 66, rowMajor, shape.S8, avx512VNNI, kindPairs},
		{"words", 6, 64, rowMajor, shape.S16, avx512VNNI, kindPairs},
		{"few rows", 5, 64, rowMajor, shape.S8, avx512VNNI, kindS32},
		{"small depth", 6, leastVNNI - 4, rowMajor, shape.S8, avx512VNNI, kindS32},
	} {
		s := Spec{C: shape.S32}
		s.A, _ = operand(c.typ, c.a, 1, c.m, c.k, false)
		s.B, _ = operand(c.typ, rowMajor, 1, 40, c.k, true)
		p, err := New(s, c.machine)
		if err != nil {
			t.Fatal(err)
		}
		if p.kind != c.want {
			t.Errorf("%s: expected kind %d, got %d", c.why, c.want, p.kind)
		}
	}
}
