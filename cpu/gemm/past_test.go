package gemm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/shape"
)

// TestStreams: what is written past the caches is whole lines, of sums that have all of the depth.
func TestStreams(t *testing.T) {
	wide := Config{Tier: exec.AVX512, Threads: 1, L1: 48 << 10, L2: 2 << 20}
	narrow := Config{Tier: exec.AVX2, Threads: 1, L1: 32 << 10, L2: 512 << 10}
	dense := func(m, n, k int) Spec { return Spec{C: shape.F32, A: matrix(m, k), B: columnsOf(k, n), Stream: true} }
	kept, halves, placed := dense(512, 1024, 64), dense(512, 1024, 64), dense(512, 1024, 64)
	kept.Stream, halves.C = false, shape.BF16
	placed.Rows, placed.Products = Axis{{Size: 512, Stride: 2048}}, Axis{{Size: 1, Stride: 0}}
	for _, test := range []struct {
		name    string
		spec    Spec
		machine Config
		want    bool
	}{
		{"little depth", dense(512, 1024, 64), wide, true},
		{"little depth, narrow", dense(512, 1024, 64), narrow, true},
		{"parts of the depth", dense(512, 1024, 5000), wide, false},
		{"rows that are no lines", dense(512, 1028, 64), wide, false},
		{"panels of half a line", dense(512, 1008, 64), wide, true},
		{"it is read again", kept, wide, false},
		{"rounded", halves, wide, false},
		{"rows elsewhere", placed, wide, false},
		{"one column", dense(1<<19, 1, 64), wide, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := New(test.spec, test.machine)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.streams(); got != test.want {
				t.Errorf("%v streams: %v, want %v", p, got, test.want)
			}
		})
	}
}

// TestPast: a C anywhere has the same bits as one that begins with a line.
func TestPast(t *testing.T) {
	pool := pools(t)
	s := Spec{C: shape.F32, A: matrix(50, 33), B: columnsOf(33, 192), Stream: true}
	kept := s
	kept.Stream = false
	for _, tier := range tiers() {
		want := runPast(t, pool, kept, tier, 0)
		for _, off := range []int{0, 4, 32} {
			if got := runPast(t, pool, s, tier, off); !bytes.Equal(got, want) {
				t.Errorf("%v, %d bytes behind a line: other bits", tier, off)
			}
		}
	}
}

// runPast returns C of s, off bytes behind a line, at the end of memory.
func runPast(t *testing.T, pool *exec.Pool, s Spec, tier exec.Tier, off int) []byte {
	t.Helper()
	p, err := New(s, Config{Tier: tier, Threads: pool.Threads()})
	if err != nil {
		t.Fatal(err)
	}
	if p.streams() != s.Stream {
		t.Errorf("%v on %v streams: %v", p, tier, p.streams())
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	size := sizeOfC(&s) * s.C.ByteSize()
	r := rand.New(rand.NewPCG(5, 6))
	args := Args{A: fill(r, s.A.Type, s.M()*s.K()).Bytes(), B: fill(r, s.B.Type, s.K()*s.N()).Bytes(),
		C: guard.After(t, size+line-off)[:size], Scratch: scratchFor(p)}
	if off == 0 {
		args.C = guard.After(t, size)
	}
	var j Job
	j.Run(pool, p, args)
	return bytes.Clone(args.C)
}
