package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/shape"
)

// TestSameBits: the number of threads does not show in the result.
func TestSameBits(t *testing.T) {
	for _, tier := range tiers() {
		for _, d := range [][3]int{{70, 130, 1100}, {2, 1000, 65}, {70, 70, 70}, {150, 200, 90}, {1, 517, 2000}} {
			if testing.Short() && tier == exec.Portable && d[0]*d[1]*d[2] > 1<<21 {
				continue
			}
			for _, l := range [][2]layout{{rowMajor, rowMajor}, {rowMajor, columnMajor}, {columnMajor, rowMajor}} {
				var first []byte
				for _, threads := range racetest.Threads(1, 2, 3) {
					got := product32(t, tier, threads, d, l[0], l[1])
					if first == nil {
						first = got
					}
					if string(got) != string(first) {
						t.Errorf("%v, %v, layouts %d: %d threads give other bits", tier, d, l, threads)
					}
				}
			}
		}
	}
}

func product32(t *testing.T, tier exec.Tier, threads int, d [3]int, a, b layout) []byte {
	t.Helper()
	pool := exec.NewPool(threads)
	defer pool.Close()
	r := rand.New(rand.NewPCG(9, 9))
	s := Spec{C: shape.F32}
	var na, nb int
	s.A, na = operand(shape.F32, a, 1, d[0], d[2], false)
	s.B, nb = operand(shape.F32, b, 1, d[1], d[2], true)
	p, err := New(s, Config{Tier: tier, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	args := Args{A: fill(r, shape.F32, na).Bytes(), B: fill(r, shape.F32, nb).Bytes(), C: make([]byte, 4*d[0]*d[1]),
		Scratch: scratchFor(p)}
	var j Job
	j.Run(pool, p, args)
	return args.C
}
