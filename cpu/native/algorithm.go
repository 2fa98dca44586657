package native

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
)

// Kernel is a loop nest as machine code.
type Kernel interface {
	// Run executes iterations [lo, hi) of the outermost loop, see [loop.Nest.Outermost], or everything where there
	// is none, on the buffers, which are in the order of the nest's.
	Run(bufs [][]byte, lo, hi int64) error
}

// Algorithm is how an instruction is computed.
type Algorithm struct {
	// Nests are what it does much of and has as loop nests.
	Nests []*loop.Nest
	// Bind returns the function. It is given the nests as machine code, or nil where there is none: then Go does it all.
	Bind func(kernels []Kernel) Func
}

// For returns how i is computed, or nil if this package does not do it.
func For(i *hlo.Instruction) *Algorithm {
	if !static(i.Shape()) {
		return nil
	}
	for _, o := range i.Operands() {
		if !static(o.Shape()) {
			return nil
		}
	}
	if make := vectorized[i.Code()]; make != nil {
		return make(i)
	}
	make := makers[i.Code()]
	if make == nil {
		return nil
	}
	f := make(i)
	if f == nil {
		return nil
	}
	return &Algorithm{Bind: func([]Kernel) Func { return f }}
}
