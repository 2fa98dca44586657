package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// acrossSpec is a product of bf16 or bytes whose rows of C may lie apart.
func acrossSpec(ty [2]shape.ElementType, m, n, k int, a, b layout, constant, placed bool) (s Spec, na, nb int) {
	s = Spec{C: ty[1], Constant: constant}
	s.A, na = operand(ty[0], a, 1, m, k, false)
	s.B, nb = operand(ty[0], b, 1, n, k, true)
	if placed {
		s.Rows, s.Products = Axis{{m / 5, 5*n + 7}, {5, n}}, Axis{{1, 0}}
	}
	return s, na, nb
}

// TestAcross: strips of rows go along panels, in groups that fit a small cache, for every way to read A, B and C.
func TestAcross(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	c := amx
	c.L1, c.L2 = 32<<10, 96<<10
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.BF16, shape.BF16},
		{shape.S8, shape.S32}} {
		wide := 4 / ty[0].ByteSize()
		for _, size := range [][3]int{{70, 200, 64 * wide}, {45, 520, (tileDepth + 3) * wide}, {34, 130, 260 * wide}} {
			for i, b := range []layout{rowMajor, columnMajor, rowMajor, columnMajor} {
				m, n, k := size[0], size[1], size[2]
				for c.Threads = 1; c.Threads <= 2; c.Threads++ {
					if testing.Short() && (c.Threads != 1+i%2 || i/2 != m%2) {
						continue
					}
					placed := i%2 == 1 && m%5 == 0
					a := rowMajor
					if !placed && (i/2+c.Threads)%2 == 0 {
						a = columnMajor
					}
					s, na, nb := acrossSpec(ty, m, n, k, a, b, i >= 2, placed)
					checkTiles(t, r, s, c, na, nb)
				}
			}
		}
	}
}

// TestAcrossChosen: which products go so, and in how many groups of panels.
func TestAcrossChosen(t *testing.T) {
	c := amx
	c.L1, c.L2 = 48<<10, 2<<20
	for _, test := range []struct {
		m, n, k, batch int
		across         bool
		groups         int
	}{
		{512, 512, 512, 1, true, 1},
		{1024, 1024, 1024, 1, true, 2},
		{500, 512, 500, 1, true, 1},     // A is packed, for one group
		{1000, 4000, 1000, 1, false, 0}, // it would be packed once more for each
		{512, 512, 512, 16, true, 1},    // of a batch too
		{128, 128, 64, 96, false, 0},    // small ones are packed by the thread that multiplies
		{200, 512, 512, 1, false, 0},    // nor are products of few rows
		{300, 65536, 1024, 1, true, 94}, // 22 panels of the 128 that are packed at a time
	} {
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.BF16, rowMajor, test.batch, test.m, test.k, false)
		s.B, _ = operand(shape.BF16, rowMajor, test.batch, test.n, test.k, true)
		p, err := New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		groups := 0
		if p.across {
			groups = parts(len(p.panels), p.group)
		}
		if got, want := fmt.Sprint(p.across, groups), fmt.Sprint(test.across, test.groups); got != want {
			t.Errorf("%v: expected %s, got %s", p, want, got)
		}
	}
}

// TestStripsAreRounded: sums that are rounded are a strip of rows at a time, where each reads no more of B than is
// near, and their rows do not fall on few sets of a cache.
func TestStripsAreRounded(t *testing.T) {
	c := amx
	c.L1, c.L2, c.Threads = 48<<10, 2<<20, 1
	for _, test := range []struct{ size, groups, rows int }{{512, 1, 32}, {768, 1, 32}, {1024, 2, 192}} {
		s := Spec{C: shape.BF16}
		s.A, _ = operand(shape.BF16, rowMajor, 1, test.size, test.size, false)
		s.B, _ = operand(shape.BF16, rowMajor, 1, test.size, test.size, true)
		p, err := New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if groups := parts(len(p.panels), p.group); groups != test.groups || p.mc != test.rows {
			t.Errorf("%v: expected %d rows and %d groups of panels, got %d and %d", p, test.rows, test.groups, p.mc, groups)
		}
		if p.sumsWidth()*p.kind.size()%512 == 0 {
			t.Errorf("%v: rows of sums of %d elements", p, p.sumsWidth())
		}
	}
}

// TestSumsAreLines: rows of sums of tiles that are rounded begin with lines of a cache.
func TestSumsAreLines(t *testing.T) {
	for _, n := range []int{20, 49, 196, 250} {
		s := Spec{C: shape.BF16}
		s.A, _ = operand(shape.BF16, rowMajor, 1, 64, 64, false)
		s.B, _ = operand(shape.BF16, rowMajor, 1, n, 64, true)
		p, err := New(s, amx)
		if err != nil {
			t.Fatal(err)
		}
		if at := p.sumsWidth() * p.kind.size(); !p.kind.tiles() || at%line != 0 {
			t.Errorf("%v: rows of sums are %d bytes apart", p, at)
		}
	}
}

// TestSumsStayNear: no more rows are summed than the second-level cache has room for, if these are enough for B.
func TestSumsStayNear(t *testing.T) {
	c := amx
	c.L1, c.L2, c.Threads = 48<<10, 2<<20, 1
	for n, rows := range map[int]int{64: 1024, 320: 256, 3136: 8192} {
		s := Spec{C: shape.BF16}
		s.A, _ = operand(shape.BF16, columnMajor, 1, 8192, 64, false)
		s.B, _ = operand(shape.BF16, rowMajor, 1, n, 64, true)
		p, err := New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if p.mc > rows || n > 1024 && p.mc <= 128 {
			t.Errorf("%v: blocks of %d rows", p, p.mc)
		}
	}
}

// TestFewRowsOfTiles: fewer rows than a strip has, on several threads and in small caches, are not cut within a tile:
// an A that is turned when it is packed has kernels for whole tiles and for the last rows.
func TestFewRowsOfTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for i := range 8 {
		c := amx
		c.Threads, c.L2 = 1+i%4, []int{0, 8 << 10}[i/4]
		for n, m := range []int{9, 17, 20, 31, 33, 47} {
			if testing.Short() && n%3 != i%3 {
				continue
			}
			for k, a := range []layout{rowMajor, columnMajor, rowMajor, columnMajor} {
				if testing.Short() && k != (n+i)%4 {
					continue
				}
				s, na, nb := acrossSpec([2]shape.ElementType{shape.BF16, shape.F32}, m, 200, 96, a, rowMajor, k < 2, false)
				checkTiles(t, r, s, c, na, nb)
			}
		}
	}
}
