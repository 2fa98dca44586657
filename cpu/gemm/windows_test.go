package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestWindows: products whose columns are places of a window and whose depth is taps and features, of many sizes.
func TestWindows(t *testing.T) {
	pool, count := pools(t), 60
	if testing.Short() {
		count = 12
	}
	for _, tier := range tiers() {
		for _, ty := range []shape.ElementType{shape.F32, shape.F64} {
			t.Run(fmt.Sprintf("%v/%v", tier, ty), func(t *testing.T) {
				r, found, shared, cut := rand.New(rand.NewPCG(3, 4)), 0, 0, 0
				for range count {
					s, sizeA, sizeB := windowSpec(r, ty)
					p, err := New(s, Config{Tier: tier, Threads: pool.Threads()})
					if err != nil {
						t.Fatal(err)
					}
					if p.routeB == inWindows {
						found++
					}
					if p.routeB == inWindows && p.group < len(p.panels) {
						shared++
					}
					if p.routeB == inWindows && p.windows.part < len(p.windows.runs) {
						cut++
					}
					checkOn(t, pool, s, Config{Tier: tier, Threads: pool.Threads()}, sizeA, sizeB)
				}
				if tier != exec.Portable && cut < count/20 {
					t.Errorf("of %d products expected 1 in 20 with parts of the depth, got %d", count, cut)
				}
				if tier != exec.Portable && (found < count/2 || pool.Threads() > 1 && shared < count/12) {
					t.Errorf("of %d products expected half in windows, 1 in 12 with items of some panels, got %d, %d", count,
						found, shared)
				}
			})
		}
	}
}

// windowSpec makes a product of a convolution of random size, features before places, with groups.
func windowSpec(r *rand.Rand, ty shape.ElementType) (s Spec, sizeA, sizeB int) {
	batch, groups, in, out := 1+r.IntN(2), 1+r.IntN(3), 1+r.IntN(9), 1+r.IntN(30)
	if r.IntN(4) == 0 {
		out += r.IntN(100)
	}
	taps, dilation := [3]int{1 + r.IntN(2), 1 + r.IntN(3), 1 + r.IntN(11)}, 1+r.IntN(2)
	if out <= 12 {
		in *= 6
	}
	y := [3]int{1 + r.IntN(2), 1 + r.IntN(20), 1 + r.IntN(70)}
	var x [3]int
	for d := range x {
		x[d] = y[d] + (taps[d]-1)*dilation
	}
	plane, k, places := x[0]*x[1]*x[2], in*taps[0]*taps[1]*taps[2], y[0]*y[1]*y[2]
	strides := [3]int{x[1] * x[2], x[2], 1}
	s = Spec{C: ty}
	s.A = Operand{Type: ty, Batch: Axis{{batch, 0}, {groups, out * k}}, Free: Axis{{out, k}}, Depth: Axis{{k, 1}}}
	s.B = Operand{Type: ty, Batch: Axis{{batch, groups * in * plane}, {groups, in * plane}}, Depth: Axis{{in, plane}}}
	for d := range x {
		s.B.Depth = append(s.B.Depth, Dim{taps[d], strides[d] * dilation})
		s.B.Free = append(s.B.Free, Dim{y[d], strides[d]})
	}
	s.Products, s.Rows = Axis{{batch, groups * out * places}, {groups, out * places}}, Axis{{out, places}}
	return s, groups * out * k, batch * groups * in * plane
}

// TestWindowPart: a row of places finds what it shares with the one before it in the first-level cache.
func TestWindowPart(t *testing.T) {
	for _, test := range []struct{ features, rows, columns, width, part, of int }{
		{64, 3, 3, 96, 48, 192},
		{16, 3, 3, 96, 48, 48}, // all of it is near
		{64, 1, 3, 96, 64, 64}, // rows share nothing
		{4, 15, 15, 96, 30, 60},
	} {
		plane, k := 1<<12, test.features*test.rows*test.columns
		s := Spec{C: shape.F32, Rows: Axis{{3, 96 * 8}}}
		s.A = Operand{Type: shape.F32, Free: Axis{{3, k}}, Depth: Axis{{k, 1}}}
		s.B = Operand{Type: shape.F32, Free: Axis{{8, 128}, {test.width, 1}},
			Depth: Axis{{test.features, plane}, {test.rows, 128}, {test.columns, 1}}}
		p, err := New(s, Config{Tier: exec.AVX512, Threads: 1, L1: 32 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if p.routeB != inWindows || p.windows.part != test.part || len(p.windows.runs) != test.of {
			t.Errorf("%+v: got %d runs of %d", test, p.windows.part, len(p.windows.runs))
		}
	}
}
