package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// elementsOfC returns the places of the elements of C.
func elementsOfC(s *Spec) []int {
	products, rows, start := s.Products, s.Rows, s.Start
	if !s.placed() {
		products, rows = Axis{{s.Batch(), s.M() * s.N()}}, Axis{{s.M(), s.N()}}
	}
	var list []int
	for _, p := range products.Offsets() {
		for _, r := range rows.Offsets() {
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
