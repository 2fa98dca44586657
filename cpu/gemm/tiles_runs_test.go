package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// tapsSpec is what a convolution multiplies: windows of 3 x 3 places with so many features, in an image, step apart.
func tapsSpec(ty [2]shape.ElementType, height, width, step, features, n int, constant bool) (s Spec, na, nb int) {
	across := step*(width-1) + 3
	row := across * features
	k := 9 * features
	s = Spec{C: ty[1], Constant: constant}
	s.A = Operand{Type: ty[0], Free: Axis{{height, step * row}, {width, step * features}},
		Depth: Axis{{3, row}, {3, features}, {features, 1}}}
	s.B, nb = operand(ty[0], rowMajor, 1, n, k, true)
	return s, (step*(height-1) + 3) * row, nb
}

// TestTilesOfRuns: the depth of A is runs, which tiles read in place where they fill them, packed otherwise; on a
// machine of small caches the depth is several parts.
func TestTilesOfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	small := amx
	small.L1, small.L2 = 4<<10, 64<<10
	seen := map[route]int{}
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.BF16, shape.BF16},
		{shape.S8, shape.S32}} {
		group := 4 / ty[0].ByteSize()
		for _, features := range []int{tileDepth * group, 2 * tileDepth * group, 3 * group, 4 * group, 5 * group,
			20 * group} {
			for _, size := range [][3]int{{3, 33, 1}, {7, 16, 2}, {12, 5, 1}} {
				for i, c := range []Config{amx, small} {
					s, na, nb := tapsSpec(ty, size[0], size[1], size[2], features, 20+50*i, i == 1)
					p, err := New(s, c)
					if err != nil {
						t.Fatal(err)
					}
					seen[p.routeA]++
					checkTiles(t, r, s, c, na, nb)
				}
			}
		}
	}
	if seen[inPlace] < 12 || seen[packed] < 12 {
		t.Errorf("expected both ways to read A, got %v", seen)
	}
}

// TestTilesOfRunsNative is the same on this machine, beside memory that cannot be accessed.
func TestTilesOfRunsNative(t *testing.T) {
	pool, all := pools(t), tiers()
	tier := all[len(all)-1] // vectors, where there are no tiles
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.S8, shape.S32}} {
		group := 4 / ty[0].ByteSize()
		for _, features := range []int{tileDepth * group, 4 * tileDepth * group, 5 * group} {
			for _, constant := range []bool{false, true} {
				s, na, nb := tapsSpec(ty, 14, 28, 1, features, 70, constant)
				check(t, pool, s, tier, na, nb)
			}
		}
	}
}

// TestPairsOfRuns: without tiles and VNNI, integers are multiplied in pairs, which are packed.
func TestPairsOfRuns(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		for _, ty := range []shape.ElementType{shape.S8, shape.U8, shape.S16} {
			for _, features := range []int{4, 6, 32, 64} {
				s, na, nb := tapsSpec([2]shape.ElementType{ty, shape.S32}, 9, 11, 1, features, 40, features == 6)
				c := Config{Tier: tier, Threads: pool.Threads()}
				if p, err := New(s, c); err != nil || p.kind != kindPairs {
					t.Fatalf("%v: expected pairs: %v", &s, err)
				}
				checkOn(t, pool, s, c, na, nb)
			}
		}
	}
}

// stepped is what B of s is for the windows of a transposed convolution: of its kernel every other tap, in the order of
// their columns, or backwards with the features as neighbours.
func stepped(s Spec, features, n int, backwards bool) (Spec, int) {
	tap := features * n
	s.B = Operand{Type: s.B.Type, Free: Axis{{n, 1}}, Depth: Axis{{3, 12 * tap}, {3, 2 * tap}, {features, n}}}
	if backwards {
		s.B.Offset, s.B.Free = 28*tap, Axis{{n, features}}
		s.B.Depth = Axis{{3, -12 * tap}, {3, -2 * tap}, {features, 1}}
	}
	return s, 29 * tap
}

// TestTilesOfRunsOfB: the depth of B is runs, of several groups each.
func TestTilesOfRunsOfB(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	pool, all := pools(t), tiers()
	small := amx
	small.L1, small.L2 = 4<<10, 64<<10
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.BF16, shape.BF16},
		{shape.S8, shape.S32}} {
		group := 4 / ty[0].ByteSize()
		for _, groups := range []int{tileDepth, tileDepth + 5, 2*tileDepth + 1, 3} {
			for i, c := range []Config{amx, small} {
				s, na, _ := tapsSpec(ty, 3, 18, 1, groups*group, 20+50*i, i == 1)
				s, nb := stepped(s, groups*group, s.N(), groups >= tileDepth && i == 1)
				checkTiles(t, r, s, c, na, nb)
				check(t, pool, s, all[len(all)-1], na, nb)
			}
		}
	}
	for _, features := range []int{33, 6} { // groups in two runs, columns too short to turn
		s, _, _ := tapsSpec([2]shape.ElementType{shape.BF16, shape.F32}, 3, 18, 1, features, 20, false)
		s, _ = stepped(s, features, 20, features == 6)
		if p, err := New(s, amx); err != nil || p.kind.tiles() {
			t.Errorf("%d features: expected no tiles: %v", features, err)
		}
	}
}

// gradientSpec is the gradient of the weights of windows of 3 x 3 places, step apart: rows are taps and features, the
// depth is places and the batch.
func gradientSpec(ty [2]shape.ElementType, height, width, step, features, batch, n int) (s Spec, na, nb int) {
	row := (step*(width-1) + 3) * features * batch
	s = Spec{C: ty[1]}
	s.A = Operand{Type: ty[0], Free: Axis{{3, row}, {3, features * batch}, {features, 1}},
		Depth: Axis{{height, step * row}, {width, step * features * batch}, {batch, features}}}
	s.B, nb = operand(ty[0], rowMajor, 1, n, height*width*batch, true)
	return s, (step*(height-1) + 3) * row, nb
}

// TestTilesOfTurnedRuns: rows that are neighbours are runs, and so are depths: some long, of which some fill tiles,
// some short, whose groups are in a list.
func TestTilesOfTurnedRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	pool, all := pools(t), tiers()
	small := amx
	small.L1, small.L2 = 4<<10, 64<<10
	listed := map[bool]int{}
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.BF16, shape.BF16},
		{shape.S8, shape.S32}} {
		for _, d := range [][5]int{{4, 8, 1, 16, 8}, {4, 8, 2, 20, 8}, {3, 7, 1, 37, 4}, {2, 5, 2, 16, 32},
			{5, 3, 1, 12, 12}} {
			for _, c := range []Config{amx, small} {
				s, na, nb := gradientSpec(ty, d[0], d[1], d[2], d[3], d[4], 20)
				p, err := New(s, c)
				if err != nil || p.orderA != turned {
					t.Fatalf("%v: expected rows that are turned: %v", p, err)
				}
				listed[p.turning.list != nil]++
				checkTiles(t, r, s, c, na, nb)
				check(t, pool, s, all[len(all)-1], na, nb)
			}
		}
	}
	if listed[true] < 6 || listed[false] < 6 {
		t.Errorf("expected some with lists and some without, got %v", listed)
	}
	for _, d := range [][2]int{{11, 4}, {16, 3}} { // short runs of rows, half groups
		s, _, _ := gradientSpec([2]shape.ElementType{shape.BF16, shape.F32}, 8, 8, 2, d[0], d[1], 20)
		if p, err := New(s, amx); err != nil || p.kind.tiles() {
			t.Errorf("%v: expected no tiles: %v", d, err)
		}
	}
}

// TestTilesOfShortLines: lines of fewer places than a tile has rows are read in place if multiplying what they leave
// empty costs less than packing.
func TestTilesOfShortLines(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	for _, c := range []struct {
		width, n int
		want     route
	}{{14, 64, inPlace}, {14, 512, inPlace}, {12, 64, inPlace}, {10, 64, inPlace}, {10, 256, packed}, {7, 64, inPlace},
		{7, 128, packed}, {5, 20, packed}, {16, 256, inPlace}} {
		s, na, nb := tapsSpec([2]shape.ElementType{shape.BF16, shape.F32}, 3, c.width, 1, 32, c.n, false)
		p, err := New(s, amx)
		if err != nil {
			t.Fatal(err)
		}
		if p.routeA != c.want {
			t.Errorf("%d places, %d columns: expected %s, got %v", c.width, c.n, routeNames[c.want], p)
		}
		if c.n == 64 {
			checkTiles(t, r, s, amx, na, nb)
		}
	}
}
