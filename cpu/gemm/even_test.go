package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/shape"
)

// TestEvenRows: of three runs of rows, as those of gradients of weights of three rows of a kernel are, each thread gets
// as many, and their number does not show in the result.
func TestEvenRows(t *testing.T) {
	for _, columns := range []int{64, 60} {
		s := Spec{C: shape.F32}
		s.A = Operand{Type: shape.F32, Free: Axis{{3, 29 * 32}, {96, 1}},
			Depth: Axis{{2, 29 * 29 * 32}, {14, 2 * 29 * 32}, {14, 64}}}
		s.B = Operand{Type: shape.F32, Free: Axis{{columns, 1}}, Depth: Axis{{2 * 14 * 14, columns}}}
		r := rand.New(rand.NewPCG(3, 4))
		a, b := fill(r, shape.F32, 2*29*29*32).Bytes(), fill(r, shape.F32, 2*14*14*columns).Bytes()
		for _, tier := range tiers() {
			var first []byte
			for _, threads := range racetest.Threads(1, 2, 3, 4, 7) {
				p, err := New(s, Config{Tier: tier, Threads: threads, Halves: true})
				if err != nil {
					t.Fatal(err)
				}
				if n := parts(p.m, p.mc) * parts(len(p.panels), p.group); threads == 2 && n%2 > 0 {
					t.Errorf("%v: %v: expected as many parts for each of two threads, got %d", tier, p, n)
				}
				got := onThreads(t, p, threads, a, b)
				if first == nil {
					first = got
				}
				if string(got) != string(first) {
					t.Errorf("%v, %d columns: %d threads give other bits", tier, columns, threads)
				}
			}
		}
	}
}

// TestManyThreads: of large products each of many threads gets several items, and the bits are those of one thread.
func TestManyThreads(t *testing.T) {
	m, n, k := 1030, 1047, 301
	if racetest.Enabled {
		k = 43
	}
	r := rand.New(rand.NewPCG(5, 6))
	a, b := fill(r, shape.F32, m*k).Bytes(), fill(r, shape.F32, n*k).Bytes()
	for _, tier := range tiers() {
		for _, columns := range []bool{false, true} {
			s := Spec{C: shape.F32, A: matrix(m, k), B: columnsOf(k, n)}
			if columns {
				s.B = matrix(n, k)
			}
			var first []byte
			for _, threads := range racetest.Threads(1, 4, 16) {
				p, err := New(s, Config{Tier: tier, Threads: threads, L2: 1 << 18})
				if err != nil {
					t.Fatal(err)
				}
				if p.routeB == packed && threads > 4 && p.run.items < 2*threads {
					t.Errorf("%v: %v: expected several items for each of %d threads, got %d", tier, p, threads, p.run.items)
				}
				got := onThreads(t, p, threads, a, b)
				if first == nil {
					first = got
				}
				if string(got) != string(first) {
					t.Errorf("%v: %v: %d threads give other bits", tier, p, threads)
				}
			}
		}
	}
}

// onThreads returns p of f32 arrays.
func onThreads(t *testing.T, p *Product, threads int, a, b []byte) []byte {
	t.Helper()
	pool := exec.NewPool(threads)
	defer pool.Close()
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	args := Args{A: a, B: b, C: make([]byte, 4*p.batch*p.m*p.n), Scratch: scratchFor(p)}
	new(Job).Run(pool, p, args)
	return args.C
}
