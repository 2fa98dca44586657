package gemm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestAround multiplies windows of images with zeros around them that are not in memory, of which blocks of rows have
// their piece brought: the bits are those of the product of images whose zeros are.
func TestAround(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r := rand.New(rand.NewPCG(33, uint64(tier)))
		several := 0
		for range 120 {
			images, high, wide := 1+r.IntN(3), 1+r.IntN(12), 1+r.IntN(12)
			dims := []Margin{{0, images, 0}, {r.IntN(3), high, r.IntN(3)}, {r.IntN(3), wide, r.IntN(3)}}
			for d := range dims {
				if d > 0 && dims[d].Low+dims[d].Size+dims[d].High < 4 {
					dims[d].High += 3
				}
			}
			s, images0 := aroundSpec(r, dims)
			c := Config{Tier: tier, Threads: 2, L1: 1 << 10 << r.IntN(6)}
			if !s.TakesAround(tier.VectorBytes()) {
				t.Fatalf("%v: expected a product that takes zeros around A", &s)
			}
			b := wholeNumbers(r, s.B.Type, s.K()*s.N()*s.Batch()).Bytes()
			got, p := runAround(t, pool, s, c, images0, b)
			if several += p.rowBlocks() / 2; p.around == nil {
				t.Fatalf("%v: expected a piece to be brought", p)
			}
			s.A.Around = nil
			want, _ := runAround(t, pool, s, c, padded(images0, dims, s.Batch()*s.N()*s.C.ByteSize()), b)
			if !bytes.Equal(got, want) {
				t.Fatalf("%v: other bits than with zeros in memory", p)
			}
		}
		if several < 30 {
			t.Errorf("%v: expected several blocks of rows more often", tier)
		}
	}
}

// aroundSpec makes a product of windows of images of such dimensions, and the images.
func aroundSpec(r *rand.Rand, dims []Margin) (s Spec, images []byte) {
	typ, g := shape.F32, 2<<r.IntN(2)
	if r.IntN(3) == 0 {
		typ = shape.F64
	}
	all := g * (64 / typ.ByteSize() / g) * (1 + r.IntN(2))
	taps, groups := 1+r.IntN(3), all/g
	width := dims[2].Low + dims[2].Size + dims[2].High
	height := dims[1].Low + dims[1].Size + dims[1].High
	tapsHigh, tapsWide := min(taps, height), min(taps, width-3)
	high, wide := height-tapsHigh+1, width-tapsWide+1
	s = Spec{C: typ, Start: 0}
	s.A = Operand{Type: typ, Batch: Axis{{groups, g}}, Around: append([]Margin{}, append(dims, Margin{Size: all})...),
		Free:  Axis{{dims[0].Size, height * width * all}, {high, width * all}, {wide, all}},
		Depth: Axis{{tapsHigh, width * all}, {tapsWide, all}, {g, 1}}}
	s.B = Operand{Type: typ, Batch: Axis{{groups, g}}, Free: Axis{{g, 1}}, Depth: Axis{{tapsHigh * tapsWide * g, all}}}
	s.Products, s.Rows = Axis{{groups, g}}, Axis{{s.M(), all}}
	return s, wholeNumbers(r, typ, dims[0].Size*dims[1].Size*dims[2].Size*all).Bytes()
}

// wholeNumbers returns n small ones of type t: their sums are the same in any order.
func wholeNumbers(r *rand.Rand, t shape.ElementType, n int) literal.Literal {
	l := literal.New(shape.Make(t, n))
	for i := range n {
		l.SetFloat(i, float64(r.IntN(33)-16))
	}
	return l
}

// TestAroundWidens multiplies windows of images of half floats, with zeros around them or none, which are widened where
// they are brought: the bits are those of the product of f32, rounded.
func TestAroundWidens(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r := rand.New(rand.NewPCG(34, uint64(tier)))
		var used [numKinds]int
		for range 80 {
			dims := []Margin{{0, 1 + r.IntN(3), 0}, {r.IntN(3), 4 + r.IntN(12), r.IntN(3)},
				{r.IntN(3), 4 + r.IntN(12), r.IntN(3)}}
			s, _ := aroundSpec(r, dims)
			if s.C == shape.F64 {
				continue
			}
			narrow := s
			narrow.C = []shape.ElementType{shape.BF16, shape.F16}[r.IntN(2)]
			narrow.A.Type = narrow.C
			if !narrow.TakesAround(tier.VectorBytes()) {
				t.Fatalf("%v: expected a product that widens", &narrow)
			}
			images := fill(r, narrow.C, dims[0].Size*dims[1].Size*dims[2].Size*s.Batch()*s.N())
			b := fill(r, s.B.Type, s.K()*s.N()*s.Batch()).Bytes()
			c := Config{Tier: tier, Threads: 2, L1: 1 << 10 << r.IntN(6)}
			got, p := runAround(t, pool, narrow, c, images.Bytes(), b)
			used[p.kind]++
			sums, _ := runAround(t, pool, s, c, converted(images, shape.F32).Bytes(), b)
			l := literal.New(shape.Make(shape.F32, len(sums)/4))
			copy(l.Bytes(), sums)
			if !bytes.Equal(got, converted(l, narrow.C).Bytes()) {
				t.Fatalf("%v: other bits than those of f32, rounded", p)
			}
		}
		if used[kindTwos] < 8 || used[kindFours] < 8 {
			t.Errorf("%v: expected both kinds of diagonals, got %v", tier, used)
		}
	}
}

// converted returns l with elements of type t.
func converted(l literal.Literal, t shape.ElementType) literal.Literal {
	to := literal.New(shape.Make(t, l.Len()))
	for i := range l.Len() {
		to.SetFloat(i, l.FloatAt(i))
	}
	return to
}

// padded returns images of such dimensions, of so many bytes a place, with their zeros.
func padded(images []byte, dims []Margin, place int) []byte {
	var out []byte
	zeros := func(n int) { out = append(out, make([]byte, n*place)...) }
	width := dims[2].Low + dims[2].Size + dims[2].High
	for range dims[0].Size {
		zeros(dims[1].Low * width)
		for range dims[1].Size {
			zeros(dims[2].Low)
			out = append(out, images[:dims[2].Size*place]...)
			images = images[dims[2].Size*place:]
			zeros(dims[2].High)
		}
		zeros(dims[1].High * width)
	}
	return out
}

// runAround runs a product whose arrays end with a page that cannot be accessed, and returns C.
func runAround(t *testing.T, pool *exec.Pool, s Spec, c Config, a, b []byte) ([]byte, *Product) {
	t.Helper()
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	size := s.M() * s.Batch() * s.N() * s.C.ByteSize()
	args := Args{A: guard.After(t, len(a)), B: guard.After(t, len(b)), C: guard.After(t, size),
		Scratch: guard.After(t, aligned(p.ScratchBytes()))[:p.ScratchBytes()]}
	copy(args.A, a)
	copy(args.B, b)
	new(Job).Run(pool, p, args)
	return bytes.Clone(args.C), p
}

// TestAroundOthers: products that do not go by diagonals take no zeros around A.
func TestAroundOthers(t *testing.T) {
	s, _ := aroundSpec(rand.New(rand.NewPCG(1, 1)), []Margin{{0, 1, 0}, {1, 9, 1}, {1, 9, 1}})
	if _, err := New(s, Config{Tier: exec.Portable, Threads: 1}); err == nil || s.TakesAround(0) {
		t.Errorf("expected an error of the portable tier, got %v", err)
	}
	turned, rows := s, s.A.Free
	turned.A.Free = Axis{rows[0], rows[2], rows[1]}
	if !s.TakesAround(32) || turned.TakesAround(32) {
		t.Error("expected rows that go back to take none")
	}
	large, _ := aroundSpec(rand.New(rand.NewPCG(1, 1)), []Margin{{0, 1, 0}, {1, 900, 1}, {1, 900, 1}})
	if !large.TakesAround(32) {
		t.Error("expected windows of a few rows of a large array to take zeros")
	}
	if large.A.Depth[0].Stride *= 300; large.TakesAround(32) {
		t.Error("expected windows of much of a large array to take none")
	}
	for _, c := range []struct {
		a, b, c shape.ElementType
		want    bool
	}{{shape.BF16, shape.F32, shape.BF16, true}, {shape.F16, shape.F32, shape.F16, true},
		{shape.BF16, shape.BF16, shape.BF16, false}, {shape.BF16, shape.F32, shape.F32, false},
		{shape.BF16, shape.F32, shape.F16, false}, {shape.F32, shape.F32, shape.BF16, false}} {
		other := s
		other.A.Type, other.B.Type, other.C = c.a, c.b, c.c
		if got := other.TakesAround(32); got != c.want {
			t.Errorf("%+v: takes zeros: %t", c, got)
		}
	}
	if s.Products[0].Stride++; s.TakesAround(32) {
		t.Error("expected groups of columns that are apart to take none")
	}
}
