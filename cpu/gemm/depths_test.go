package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestDepthOfFollowed: blocks of the depth are as deep for any number of threads, and whether something follows or not,
// since sums are rounded once for each.
func TestDepthOfFollowed(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	follow := 0
	for range 4000 {
		batch, m, n, k := 1+r.IntN(12), 32+r.IntN(300), 16+r.IntN(300), 200+r.IntN(400)
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.F32, rowMajor, batch, m, k, false)
		s.B, _ = operand(shape.F32, rowMajor, batch, n, k, true)
		c := Config{Tier: exec.AVX2, L2: (256 << 10) << r.IntN(4), L3: 18 << 20, FarL3: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			c.Tier = exec.AVX512
		}
		want := 0
		for _, c.Threads = range []int{1, 2, 4, 8, 16} {
			for _, s.Together = range []int{0, 1} {
				p, err := New(s, c)
				if err != nil {
					t.Fatal(err)
				}
				if s.Together > 0 && p.Follows() {
					follow++
				}
				switch {
				case p.routeB == swept:
				case want == 0:
					want = p.kc
				case p.kc != want:
					t.Fatalf("%v, together %d, %+v: blocks are %d deep, want %d", p, s.Together, c, p.kc, want)
				}
			}
		}
	}
	if follow < 2000 {
		t.Errorf("expected that many follow, got %d", follow)
	}
}

// TestNarrowDepth: narrow panels are as deep as the second-level cache allows, and C is not read again for half a
// block.
func TestNarrowDepth(t *testing.T) {
	for _, test := range []struct {
		m, n, k, l2 int
		constant    bool
		want        int
	}{
		{1024, 1024, 1024, 512 << 10, false, 512},
		{1024, 1024, 1024, 512 << 10, true, 512},
		{1024, 1024, 1024, 256 << 10, false, 344},
		{256, 768, 768, 512 << 10, true, 768},
		{256, 780, 780, 512 << 10, true, 392},
		{128, 768, 768, 512 << 10, false, 256}, // all rows are one block
	} {
		s := Spec{C: shape.F32, Constant: test.constant}
		s.A, _ = operand(shape.F32, rowMajor, 1, test.m, test.k, false)
		s.B, _ = operand(shape.F32, rowMajor, 1, test.n, test.k, true)
		p, err := New(s, Config{Tier: exec.AVX2, Threads: 1, L1: 32 << 10, L2: test.l2})
		if err != nil {
			t.Fatal(err)
		}
		if p.kc != test.want {
			t.Errorf("%v, L2 of %d: blocks are %d deep, want %d", p, test.l2, p.kc, test.want)
		}
	}
}

// TestNoDepth: groups whose depth is one element are no product by diagonals, and no error.
func TestNoDepth(t *testing.T) {
	s := Spec{C: shape.F32, Products: Axis{{8, 4}}, Rows: Axis{{16, 32}}}
	s.A = Operand{Type: shape.F32, Batch: Axis{{8, 4}}, Free: Axis{{16, 32}}, Depth: Axis{{1, 1}}}
	s.B = Operand{Type: shape.F32, Batch: Axis{{8, 4}}, Free: Axis{{4, 1}}, Depth: Axis{{1, 32}}}
	if _, err := New(s, Config{Tier: exec.AVX512}); err != nil {
		t.Error(err)
	}
	s.A.Around = []Margin{{Size: 16}, {Size: 32}}
	if s.TakesAround(64) {
		t.Error("taken with zeros around it")
	}
}
