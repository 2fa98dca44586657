package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// offsets returns the place of each element along a, by the definition.
func offsets(a Axis) []int {
	out := []int{0}
	for _, d := range a {
		var next []int
		for _, o := range out {
			for k := range d.Size {
				next = append(next, o+k*d.Stride)
			}
		}
		out = next
	}
	return out
}

// TestPlacesOfAxes: a table of runs says of every element where it is, and takes an entry a run only.
func TestPlacesOfAxes(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		runs int
	}{
		{nil, 1},
		{Axis{{1, 7}}, 1},
		{Axis{{6, 3}}, 1},
		{Axis{{4, 6}, {6, 1}}, 1},
		{Axis{{5, 40}, {1, 9}, {6, 4}}, 5},
		{Axis{{2, 900}, {3, 100}, {4, 20}, {2, 10}, {6, 1}}, 48},
		{Axis{{3, 0}, {4, -2}}, 3},
	} {
		p := placesOf(11, c.axis)
		if len(p.first) != c.runs {
			t.Errorf("%v: expected %d runs, got %d", c.axis, c.runs, len(p.first))
		}
		all := offsets(c.axis)
		for i, o := range all {
			if got := p.at(i); got != 11+o {
				t.Errorf("%v: element %d: expected place %d, got %d", c.axis, i, 11+o, got)
			}
			for n := range p.piece(i, len(all)-i) {
				if got := p.at(i) + n*p.step; got != 11+all[i+n] {
					t.Errorf("%v: %d elements on from %d: expected place %d, got %d", c.axis, n, i, 11+all[i+n], got)
				}
			}
		}
		if p.size%2 > 0 {
			continue
		}
		for i, pairs := 0, p.every(2); i < len(all)/2; i++ {
			if got := pairs.at(i); got != 11+all[2*i] {
				t.Errorf("%v: pair %d: expected place %d, got %d", c.axis, i, 11+all[2*i], got)
			}
		}
	}
}

// elementsOfC returns the places of the elements of C.
func elementsOfC(s *Spec) []int {
	products, rows, start := s.Products, s.Rows, s.Start
	if !s.placed() {
		products, rows = Axis{{s.Batch(), s.M() * s.N()}}, Axis{{s.M(), s.N()}}
	}
	var list []int
	for _, p := range offsets(products) {
		for _, r := range offsets(rows) {
			for j := range s.N() {
				list = append(list, start+p+r+j)
			}
		}
	}
	return list
}

func sizeOfC(s *Spec) int { return slices.Max(elementsOfC(s)) + 1 }

// elements returns the elements of C, in memory c. All others must be as they were: bytes 0xFF.
func elements(t *testing.T, s *Spec, c []byte) []byte {
	t.Helper()
	size := s.C.ByteSize()
	var out []byte
	rest := slices.Clone(c)
	for _, e := range elementsOfC(s) {
		out = append(out, c[e*size:][:size]...)
		copy(rest[e*size:][:size], []byte{255, 255, 255, 255, 255, 255, 255, 255})
	}
	for i, b := range rest {
		if b != 0xFF {
			t.Fatalf("%v: byte %d, which is not of C, was written", s, i)
		}
	}
	return out
}

// TestPlaces multiplies windows of an image, whose rows and depths overlap and are runs, to rows of C that are
// apart.
func TestPlaces(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for _, ty := range types[:9] {
			t.Run(fmt.Sprintf("%v/%v_%v_%v", tier, ty[0], ty[1], ty[2]), func(t *testing.T) {
				r := rand.New(rand.NewPCG(5, uint64(ty[2])))
				for range 25 {
					n, features := 1+r.IntN(90), 1+r.IntN(40)
					high, wide, taps, step := 1+r.IntN(9), 1+r.IntN(20), 1+r.IntN(3), 1+r.IntN(2)
					groups, apart := 1+r.IntN(2), 1+r.IntN(2)
					width := ((wide-1)*step + taps) * features * groups
					s := Spec{C: ty[2], Start: r.IntN(5)}
					s.A = Operand{Type: ty[0], Batch: Axis{{groups, features}},
						Free:  Axis{{high, width}, {wide, step * features * groups}},
						Depth: Axis{{taps, width}, {taps, features * groups}, {features, 1}}}
					s.B = Operand{Type: ty[1], Batch: Axis{{groups, n}}, Free: Axis{{n, 1}},
						Depth: Axis{{taps * taps * features, groups * n}}}
					switch all := taps * taps * features; r.IntN(3) {
					case 0: // runs of rows
						s.B.Depth = Axis{{taps * taps, groups * n}, {features, taps * taps * groups * n}}
					case 1: // runs of columns, backwards
						s.B.Batch, s.B.Free, s.B.Offset = Axis{{groups, n * all}}, Axis{{n, all}}, all-features
						s.B.Depth = Axis{{taps * taps, -features}, {features, 1}}
					}
					s.Products, s.Rows = Axis{{groups, n}}, Axis{{high, wide * apart * groups * n}, {wide, apart * groups * n}}
					s.Constant = r.IntN(3) == 0
					check(t, pool, s, tier, (high+taps-1)*width, taps*taps*features*groups*n)
				}
			})
		}
	}
}

// TestDensePlaces: a product that says where rows and products of C are, which is where they are in a dense C, is
// planned as one that does not.
func TestDensePlaces(t *testing.T) {
	machine := Config{Tier: exec.AVX2, Threads: 1, L2: 512 << 10}
	for _, test := range []struct {
		name           string
		batch, m, n    int
		start          int
		rows, products Axis
		dense          bool
	}{
		{"rows", 1, 27, 9216, 0, Axis{{27, 9216}}, Axis{{1, 7}}, true},
		{"dimensions", 2, 24, 1024, 0, Axis{{3, 8 * 1024}, {8, 1024}}, Axis{{2, 24 * 1024}}, true},
		{"one row", 3, 1, 64, 0, nil, Axis{{3, 64}}, true},
		{"further on", 1, 27, 9216, 8, Axis{{27, 9216}}, nil, false},
		{"rows apart", 1, 27, 9216, 0, Axis{{27, 9217}}, nil, false},
		{"products apart", 2, 24, 1024, 0, Axis{{24, 1024}}, Axis{{2, 25 * 1024}}, false},
		{"two dimensions", 1, 24, 1024, 0, Axis{{3, 9 * 1024}, {8, 1024}}, nil, false},
	} {
		plain := Spec{C: shape.F32}
		plain.A, _ = operand(shape.F32, rowMajor, test.batch, test.m, 64, false)
		plain.B, _ = operand(shape.F32, rowMajor, test.batch, test.n, 64, true)
		s := plain
		s.Start, s.Rows, s.Products = test.start, test.rows, test.products
		p, err := New(s, machine)
		if err != nil {
			t.Fatal(err)
		}
		q, err := New(plain, machine)
		if err != nil {
			t.Fatal(err)
		}
		if dense := !p.spec.placed(); dense != test.dense || dense && p.String() != q.String() {
			t.Errorf("%s: expected dense %t, got %v, beside\n%v", test.name, test.dense, p, q)
		}
	}
}
