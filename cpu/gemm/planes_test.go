package gemm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestAroundPlanes multiplies windows of planes with zeros around them that are not in memory: the bits are those of
// the product of planes whose zeros are.
func TestAroundPlanes(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r, taken, halved := rand.New(rand.NewPCG(9, uint64(tier))), 0, 0
		for range 200 {
			s, planes := planesSpec(r)
			if !s.TakesAround(tier.VectorBytes()) {
				continue
			}
			taken++
			c := Config{Tier: tier, Threads: pool.Threads()}
			a := fill(r, s.C, s.M()*s.K()*s.Batch()).Bytes()
			got, p := runAround(t, pool, s, c, a, planes)
			if p.frame == nil {
				t.Fatalf("%v: expected planes to be brought", p)
			}
			if p.frame.half > 0 {
				halved++
			}
			dims := s.B.Around
			merged := []Margin{{0, dims[0].Size * dims[1].Size, 0}, dims[2], dims[3]}
			s.B.Around = nil
			want, _ := runAround(t, pool, s, c, a, padded(planes, merged, s.C.ByteSize()))
			if !bytes.Equal(got, want) {
				t.Fatalf("%v: other bits than with zeros in memory", p)
			}
		}
		if taken < 60 || halved < 15 {
			t.Errorf("%v: expected more products with zeros around planes, got %d, %d in halves", tier, taken, halved)
		}
	}
}

// planesSpec makes a product of each of some images, of a few planes each, by windows over them, and the planes.
func planesSpec(r *rand.Rand) (s Spec, planes []byte) {
	typ := shape.F32
	if r.IntN(3) == 0 {
		typ = shape.F64
	}
	images, in, out := 8+r.IntN(4), 1+r.IntN(5), 2+r.IntN(12)
	tall, wide := Margin{r.IntN(3), 3 + r.IntN(9), r.IntN(3)}, Margin{r.IntN(3), 3 + r.IntN(40), r.IntN(3)}
	tapsHigh, tapsWide := 1+r.IntN(3), 1+r.IntN(3)
	line, plane := wide.all(), wide.all()*tall.all()
	high, width := tall.all()-tapsHigh+1, line-tapsWide+1
	from, step := 0, 1+r.IntN(2)
	if high > 1 && width > 1 && r.IntN(3) == 0 { // as of negative padding
		from, high, width = line+1, high-1, width-1
	}
	width = (width-1)/step + 1
	k := in * tapsHigh * tapsWide
	s = Spec{C: typ, A: Operand{Type: typ, Batch: Axis{{images, out * k}}, Free: Axis{{out, k}}, Depth: Axis{{k, 1}}}}
	s.B = Operand{Type: typ, Offset: from, Batch: Axis{{images, in * plane}}, Free: Axis{{high, line}, {width, step}},
		Depth:  Axis{{in, plane}, {tapsHigh, line}, {tapsWide, 1}},
		Around: []Margin{{0, images, 0}, {0, in, 0}, tall, wide}}
	return s, fill(r, typ, images*in*tall.Size*wide.Size).Bytes()
}

// TestAskPlanes: while the planes of a product are multiplied, those of the next one are asked for where the last cache
// is far: all of them, if there are turns enough, and less than one line more in each turn or step.
func TestAskPlanes(t *testing.T) {
	for _, tier := range tiers()[1:] {
		r, asked := rand.New(rand.NewPCG(11, uint64(tier))), 0
		pool := exec.NewPool(1)
		defer pool.Close()
		for range 50 {
			s, planes := planesSpec(r)
			if !s.TakesAround(tier.VectorBytes()) {
				continue
			}
			a := fill(r, s.C, s.M()*s.K()*s.Batch()).Bytes()
			want, near := runAround(t, pool, s, Config{Tier: tier, Threads: 1}, a, planes)
			got, far := runAround(t, pool, s, Config{Tier: tier, Threads: 1, FarL3: true}, a, planes)
			if !bytes.Equal(got, want) {
				t.Errorf("%v: other bits where planes are asked for", far)
			}
			if tier == exec.AVX2 {
				_, rows := runAround(t, pool, s, Config{Tier: tier, Threads: 1, AsksRows: true}, a, planes)
				if rows.asksPlanes() != (rows.batch > 1) {
					t.Errorf("%v: asks for the planes of the next product: %t", rows, rows.asksPlanes())
				}
			}
			if lines, _ := linesAsked(near); lines != 0 {
				t.Errorf("%v: asks for %d lines that are near", near, lines)
			}
			lines, times := linesAsked(far)
			if far.batch == 1 {
				if lines != 0 {
					t.Errorf("%v: asks for %d lines of no product", far, lines)
				}
				continue
			}
			if all := far.planesBytes() / line; lines < min(all, times*maxAhead) || lines >= max(all, 1)+times {
				t.Errorf("%v: asks for %d lines in %d parts, want %d", far, lines, times, all)
			}
			asked += lines
		}
		if asked == 0 {
			t.Errorf("%v: expected products that ask", tier)
		}
	}
}

// linesAsked returns how many lines a product of p's batch asks for, and how often.
func linesAsked(p *Product) (lines, times int) {
	for i := range p.panels {
		st := p.steps(p.m, p.panels[i].nv)
		for _, of := range [][2]int{{st.mr, st.big}, {st.less, st.small}} {
			if of[1] == 0 {
				continue
			}
			n, k := of[1]*p.n/p.windows.width, p.forms[p.panels[i].form].micro[of[0]]
			if !k.bySteps {
				n *= p.turnsOfStep()
			}
			times += n
			lines += n * k.ahead
		}
	}
	return lines, times
}

// TestAroundFewPlanes: zeros around B are taken for planes that are each product's own, many products, and by machine
// code only.
func TestAroundFewPlanes(t *testing.T) {
	spec := func(images, in, of int) Spec {
		const side = 16
		b := Operand{Type: shape.F32, Batch: Axis{{images, of * side * side}}, Free: Axis{{14, side}, {14, 1}},
			Depth:  Axis{{in, side * side}, {3, side}, {3, 1}},
			Around: []Margin{{0, images, 0}, {0, of, 0}, {1, 14, 1}, {1, 14, 1}}}
		k := 9 * in
		return Spec{C: shape.F32, B: b,
			A: Operand{Type: shape.F32, Batch: Axis{{images, 0}}, Free: Axis{{8, k}}, Depth: Axis{{k, 1}}}}
	}
	for _, test := range []struct {
		images, in, of, vector int
		takes                  bool
	}{{8, 4, 4, 32, true}, {8, 4, 4, 0, false}, {7, 4, 4, 32, false}, {8, 4, 5, 32, false}, {8, 113, 113, 32, true},
		{8, 128, 128, 32, false}} {
		s := spec(test.images, test.in, test.of)
		if got := s.TakesAround(test.vector); got != test.takes {
			t.Errorf("%v, vectors of %d: takes zeros around planes %t, expected %t", &s, test.vector, got, test.takes)
		}
	}
	s := spec(7, 4, 4)
	if _, err := New(s, Config{Tier: exec.AVX2, Threads: 1}); err == nil {
		t.Error("expected an error of zeros around B that are not brought")
	}
}
