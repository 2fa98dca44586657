package tile

import (
	"fmt"
	"sync"

	"github.com/goxla/xla/cpu/loop"
)

// Program is a compiled nest. It is safe for concurrent use.
type Program struct {
	nest   *loop.Nest
	root   code
	slots  slots
	frames sync.Pool
	// extent is that of the outermost loop, second that of the second one of a nest that is Divided; 0 if there is none.
	extent, second int64
}

// instr computes one instruction on n lanes.
type instr func(f *frame, n int)

// code is a block: instructions and loops.
type code []instr

func (c code) run(f *frame, n int) {
	for _, i := range c {
		i(f, n)
	}
}

// Extent is the number of iterations that Run's range is over: those of the outermost loop (loop.Nest.Outermost),
// or 1 where there is none.
func (p *Program) Extent() int64 { return max(p.extent, 1) }

// Run executes iterations [lo, hi) of the outermost loop, or everything where there is
// none, on the buffers, which are in the order of the nest's. It fails, with memory outside of the
// buffers untouched, if an index value leads out of one.
func (p *Program) Run(bufs [][]byte, lo, hi int64) error { return p.RunPart(bufs, lo, hi, 0, p.second) }

// RunPart is Run of iterations [from, to) of the second loop of a nest that is Divided.
func (p *Program) RunPart(bufs [][]byte, lo, hi, from, to int64) (err error) {
	f := p.frames.Get().(*frame)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kernel %s: %v", p.nest.Name, r)
		}
		clear(f.bufs)
		p.frames.Put(f)
	}()
	for i, b := range bufs {
		if int64(len(b)) < p.nest.Buffers[i].Bytes {
			return fmt.Errorf("kernel %s: buffer %s: expects %d bytes, got %d", p.nest.Name, p.nest.Buffers[i].Name,
				p.nest.Buffers[i].Bytes, len(b))
		}
		f.bufs[i] = viewOf(b)
	}
	f.ranges = [2]span{{lo, hi}, {from, to}}
	p.root.run(f, 1)
	return nil
}
