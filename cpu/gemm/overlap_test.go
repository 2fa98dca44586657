package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// overlapSpec is the gradient of the weights of windows of 3 x 3 places: out rows, so many features for each tap, an
// image of height x width places for each of the batch, which is in front of the features.
func overlapSpec(c shape.ElementType, height, width, batch, features, out int) (s Spec, na, nb int) {
	row := (width + 2) * batch * features
	s = Spec{C: c}
	s.A = Operand{Type: shape.BF16, Free: Axis{{out, 1}},
		Depth: Axis{{height, width * out}, {width, out}, {batch, height * width * out}}}
	s.B = Operand{Type: shape.BF16, Free: Axis{{3, row}, {3, batch * features}, {features, 1}},
		Depth: Axis{{height, row}, {width, batch * features}, {batch, features}}}
	return s, height * width * batch * out, (height + 2) * row
}

// TestOverlap: a B whose columns have the same elements is packed once where the runs of its depth are whole tiles.
func TestOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	small := amx
	small.L1, small.L2 = 4<<10, 64<<10
	for _, c := range []struct {
		height, width, batch, features, out int
		once                                bool
	}{
		{5, 8, 4, 32, 40, true}, {4, 4, 8, 48, 16, true}, {3, 16, 2, 20, 33, true}, {2, 3, 32, 16, 12, true},
		{3, 160, 8, 16, 16, true}, {5, 7, 4, 32, 40, false}, {5, 32, 1, 32, 40, false},
	} {
		for i, config := range []Config{amx, small} {
			s, na, nb := overlapSpec([]shape.ElementType{shape.F32, shape.BF16}[i], c.height, c.width, c.batch, c.features,
				c.out)
			p, err := New(s, config)
			if err != nil {
				t.Fatal(err)
			}
			if once := p.overlap != nil; once != c.once {
				t.Errorf("%+v: packed once: expected %v, got %v", c, c.once, once)
			}
			if c.once {
				checkTiles(t, r, s, config, na, nb)
			}
		}
	}
}

// TestOverlapNative is the same on this machine, on several threads.
func TestOverlapNative(t *testing.T) {
	pool, all := pools(t), tiers()
	tier := all[len(all)-1]
	for _, ty := range []shape.ElementType{shape.F32, shape.BF16} {
		for _, features := range []int{16, 40, 64} {
			s, na, nb := overlapSpec(ty, 14, 28, 8, features, 64)
			check(t, pool, s, tier, na, nb)
		}
	}
}

// TestNoOverlap: a B whose columns repeat, but whose rows are too far apart for tiles, is packed in the usual way.
func TestNoOverlap(t *testing.T) {
	for _, c := range []struct {
		apart int
		once  bool
	}{{1 << 10, true}, {1 << 22, false}} {
		s := Spec{C: shape.F32, A: Operand{Type: shape.BF16, Free: Axis{{16, 1}}, Depth: Axis{{64, 16}}},
			B: Operand{Type: shape.BF16, Free: Axis{{4, 0}, {32, 1}}, Depth: Axis{{64, c.apart}}}}
		p, err := New(s, amx)
		if err != nil {
			t.Fatal(err)
		}
		if p.kind.tiles() != c.once || (p.overlap != nil) != c.once {
			t.Errorf("%d apart: %v, packed once: expected %v, got %v", c.apart, p, c.once, p.overlap != nil)
		}
	}
}
