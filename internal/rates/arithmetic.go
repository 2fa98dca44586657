package rates

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// turns is how often a kernel goes round.
const turns = 2000

// kernel makes code of multiply-adds to that many registers, each of vector bytes and so often in a turn.
func kernel(registers, vector, often int) (*exec.Code, error) {
	var a asm.Assembler
	size := asm.Size(vector * 8)
	for i := range registers + 2 {
		a.V3(asm.VXORPS, size, asm.Vec(i), asm.Vec(i), asm.Vec(i))
	}
	a.RI(asm.MOV, asm.W64, asm.RCX, turns)
	turn := a.Here()
	for range often {
		for i := range registers {
			a.V3(asm.VFMADD231PS, size, asm.Vec(i), asm.Vec(registers), asm.Vec(registers+1))
		}
	}
	a.RI(asm.SUB, asm.W64, asm.RCX, 1)
	a.Jcc(asm.NE, turn)
	a.Zero0(asm.VZEROUPPER)
	a.Ret()
	text, err := a.Finish()
	if err != nil {
		return nil, err
	}
	return exec.NewCode(text)
}

// calls is how often a thread calls the kernel of the throughput, so that the start of the threads does not count.
const calls = 16

// arithmetic measures the multiply-adds: many at once, and one after another.
func (r *Rates) arithmetic(pool *exec.Pool, tier exec.Tier) error {
	vector := tier.VectorBytes()
	if tier == exec.Portable {
		return nil
	}
	const registers, chained = 12, 16
	many, err := kernel(registers, vector, 1)
	if err != nil {
		return err
	}
	defer many.Close()
	one, err := kernel(1, vector, chained)
	if err != nil {
		return err
	}
	defer one.Close()
	n := pool.Threads()
	job := exec.JobFunc(func(_, lo, hi int) {
		for ; lo < hi; lo++ {
			for range calls {
				call(many)
			}
		}
	})
	flops := float64(2 * turns * registers * vector / 4 * calls * n)
	r.GFlops = flops / 1e9 / best(func() { pool.Run(n, 1, job) })
	r.LatencyNS = 1e9 * best(func() { call(one) }) / (turns * chained)
	return nil
}

func call(code *exec.Code) {
	var args [8]byte
	exec.Call(code.Entry(0), unsafe.Pointer(&args))
}
