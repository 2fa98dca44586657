package gemm

import (
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// PackedBytes returns the size of what Prepack returns; 0: a run reads B itself.
func (p *Product) PackedBytes() int {
	if p.routeB != constant {
		return 0
	}
	return p.batch * p.batchBytes()
}

// What makes up for packing B where runs could read it in place: so many rows of A in all runs, or so many runs if it
// would not stay in the second-level cache. There, it is read faster if it is packed.
const (
	prepackRows = 1 << 10
	prepackRuns = 16
)

// WorthPrepacking reports whether so many runs of p, which is not planned for a constant B, would together take longer
// than those of one that is, and Prepack.
func (p *Product) WorthPrepacking(runs int) bool {
	switch {
	case p.routeB == inPlace || p.mayStay:
		large := p.batch*p.batchBytes() > p.config.l2()/2
		return p.m*runs >= prepackRows || large && runs >= prepackRuns
	case p.routeB == packed || p.routeB == packedBy:
		return runs > 1
	}
	return false
}

// Prepack returns B, which is constant, as the product reads it.
func (p *Product) Prepack(b []byte) []byte {
	mem := make([]uint64, p.PackedBytes()/8+align/8)
	all := unsafe.Slice((*byte)(unsafe.Pointer(&mem[0])), len(mem)*8)
	skip := int(-uintptr(unsafe.Pointer(&all[0])) & (align - 1))
	out := all[skip : skip+p.PackedBytes() : skip+p.PackedBytes()]
	p.PrepackTo(out, b)
	return out
}

// PrepackTo is Prepack to memory of PackedBytes, from a multiple of 64 on.
func (p *Product) PrepackTo(out, b []byte) {
	src := unsafe.Pointer(unsafe.SliceData(b))
	for n := 0; n < p.batch && len(out) > 0; n++ {
		for i := range p.panels {
			pn := &p.panels[i]
			at := n*p.batchBytes() + pn.at*p.regs.vector*p.k
			p.packPanel(unsafe.Pointer(&out[at]), src, n, pn, 0, p.k)
		}
	}
}

// Prepack writes b, which stays the same for several runs of p, to out, which has PackedBytes from a multiple of 64 on.
// The threads of pool share the work.
func (j *Job) Prepack(pool *exec.Pool, p *Product, out, b []byte) {
	*j = Job{p: p, b: unsafe.Pointer(unsafe.SliceData(b)), packed: unsafe.Pointer(unsafe.SliceData(out)),
		packing: true, last: len(p.panels)}
	for j.from = range p.batch {
		pool.Run(p.packParts()*parts(len(p.panels), packPanels), 1, j)
	}
	runtime.KeepAlive(p.code)
	*j = Job{}
}
