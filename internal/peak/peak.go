// Package peak measures what this machine can do at the moment, as the yardstick of a measurement next to it: clocks
// change with the load and with the width of vectors.
package peak

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// FMA is a kernel of nothing but f32 multiply-adds in registers, in the vectors of a tier.
type FMA struct {
	code  *exec.Code
	flops float64 // of one call
}

// turns is how often a call goes round: some 20 microseconds.
const turns = 2000

// chains is the number of sums, enough to hide the latency of two units, and leaves registers for the factors.
const chains = 12

// NewFMA makes the kernel. It fails where tier has no machine code or the system refuses memory for it.
func NewFMA(tier exec.Tier) (*FMA, error) {
	code, err := kernel(tier, chains, 1)
	if err != nil {
		return nil, err
	}
	return &FMA{code, float64(turns * chains * tier.VectorBytes() / 4 * 2)}, nil
}

// kernel makes code of multiply-adds: so many sums, each so often in a turn.
func kernel(tier exec.Tier, sums, often int) (*exec.Code, error) {
	if tier == exec.Portable {
		return nil, fmt.Errorf("peak: expected a tier with machine code, got %v", tier)
	}
	a := asm.Assembler{VEXOnly: tier < exec.AVX512}
	vl := asm.Size(tier.VectorBytes() * 8)
	for i := range sums + 2 {
		a.V3(asm.VXORPS, vl, asm.Vec(i), asm.Vec(i), asm.Vec(i))
	}
	a.RI(asm.MOV, asm.W64, asm.RCX, turns)
	turn := a.Here()
	for range often {
		for i := range sums {
			a.V3(asm.VFMADD231PS, vl, asm.Vec(i), asm.Vec(sums), asm.Vec(sums+1))
		}
	}
	a.RI(asm.SUB, asm.W64, asm.RCX, 1)
	a.Jcc(asm.NE, turn)
	a.Zero0(asm.VZEROUPPER)
	a.Ret()
	text, err := a.Finish()
	if err != nil {
		return nil, fmt.Errorf("peak: %w", err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		return nil, fmt.Errorf("peak: %w", err)
	}
	return code, nil
}

// Rate returns the f32 operations a second, two a multiply-add, of as many threads of pool at once: the best of a few
// short bursts. The clock is now, a time since some moment.
func (f *FMA) Rate(pool *exec.Pool, threads int, now func() time.Duration) float64 {
	best := 0.0
	for range 3 {
		start := now()
		pool.Run(threads, 1, exec.JobFunc(func(_, lo, hi int) {
			for range 2 * (hi - lo) {
				f.call()
			}
		}))
		best = max(best, 2*f.flops*float64(threads)/(now()-start).Seconds())
	}
	return best
}

func (f *FMA) call() { call(f.code) }

func call(code *exec.Code) {
	var none [8]byte
	exec.Call(code.Entry(0), unsafe.Pointer(&none))
}

// Chain is a kernel of multiply-adds each of which waits for the one before.
type Chain struct{ code *exec.Code }

// links is the number of multiply-adds in a turn.
const links = 8

// NewChain makes the kernel, and fails as NewFMA does.
func NewChain(tier exec.Tier) (*Chain, error) {
	code, err := kernel(tier, 1, links)
	return &Chain{code}, err
}

// Latency returns the nanoseconds from one multiply-add to the next: the best of some short bursts. The clock is now,
// a time since some moment.
func (c *Chain) Latency(now func() time.Duration) float64 {
	best := math.Inf(1)
	for range 20 {
		start := now()
		call(c.code)
		best = min(best, float64(now()-start)/(turns*links))
	}
	return best
}
