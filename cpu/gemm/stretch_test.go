package gemm

import (
	"testing"
	"unsafe"

	"github.com/goxla/xla/shape"
)

// TestStretch: steps of tiles of runs that are evenly spaced are one call, as many as there are images: these are
// further apart.
func TestStretch(t *testing.T) {
	const height, width, features = 6, 20, 64
	s, na, nb := tapsSpec([2]shape.ElementType{shape.BF16, shape.F32}, height, width, 1, features, 32, false)
	images := 2
	s.A.Free = append(Axis{{images, na + features}}, s.A.Free...)
	p, err := New(s, amx)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[int]int{}
	p.emulate = func(_ uintptr, block []byte) {
		args := (*microArgs)(unsafe.Pointer(&block[0]))
		if args.nextA != (width+2)*features*2 || args.nextC != width*32*4 {
			t.Errorf("steps are %d bytes apart in A, %d in C", args.nextA, args.nextC)
		}
		steps[args.steps]++
	}
	for i := range p.forms {
		f := &p.forms[i]
		for mr := range f.entry {
			f.entry[mr] = 1
		}
	}
	c := make([]byte, 4*p.m*p.n)
	w := task{Job: &Job{p: p, c: unsafe.Pointer(&c[0])}}
	w.args.depth = p.k
	a, b := make([]byte, 2*images*(na+features)), make([]byte, 2*nb)
	w.args.b = unsafe.Pointer(&b[0])
	w.panelRows(&p.panels[0], unsafe.Pointer(&a[0]), w.c, 0, 0, p.m, 0, p.n*4)
	if len(steps) != 1 || steps[height] != images {
		t.Errorf("expected %d calls of %d steps, got %v", images, height, steps)
	}
}
