package native

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Kernel is a loop nest as machine code.
type Kernel interface {
	// Run executes iterations [lo, hi) of the outermost loop, see [loop.Nest.Outermost], or everything where there
	// is none, on the buffers, which are in the order of the nest's. A range of lanes begins and ends at multiples of
	// [loop.RangeUnit], or ends with the loop.
	Run(bufs [][]byte, lo, hi int64) error
}

// wholeRange is the least range of lanes that has n iterations.
func wholeRange(n int) int64 { return int64(n+loop.RangeUnit-1) &^ (loop.RangeUnit - 1) }

// Algorithm is how an instruction is computed.
type Algorithm struct {
	// Nests are what it does much of and has as loop nests.
	Nests []*loop.Nest
	// Bind returns the function. It is given the nests as machine code, or nil where there is none: then Go does it all.
	Bind func(kernels []Kernel) Func
	// Passes, if there is one, is Bind for a function that may be ended.
	Passes func(kernels []Kernel) Interruptible
	// Dense, if there is one, returns the function on the steps of dense factorizations, or in Go if s is nil.
	Dense func(s *dense.Set) (Interruptible, error)
	// Order, if there is one, returns the function on machine code that orders elements, of the set Orders, or in Go if
	// code is nil, and with the nests as machine code, or nil where there is none.
	Order  func(code *order.Code, kernels []Kernel) Interruptible
	Orders order.Set
	// Scratch, if there is one, returns the bytes that a run on so many threads takes beside operands and results.
	Scratch func(threads int) int64
}

// Interruptible is a Func that leaves the rest out, and returns soon, after done is closed.
type Interruptible func(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error

// interrupted reports whether done is closed.
func interrupted(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// newOrder is the algorithm of an Order.
func newOrder(orders order.Set, scratch func(int) int64,
	f func(code *order.Code, kernels []Kernel) Interruptible) *Algorithm {
	return &Algorithm{Orders: orders, Order: f, Scratch: scratch, Bind: func([]Kernel) Func {
		inGo := f(nil, nil)
		return func(pool *exec.Pool, in, out [][]byte) error { return inGo(nil, pool, in, out) }
	}}
}

// newDense is the algorithm of a Dense.
func newDense(scratch func(int) int64, f func(s *dense.Set) (Interruptible, error)) *Algorithm {
	return &Algorithm{Dense: f, Scratch: scratch, Bind: func([]Kernel) Func {
		inGo, err := f(nil)
		return func(pool *exec.Pool, in, out [][]byte) error {
			if err != nil {
				return err
			}
			return inGo(nil, pool, in, out)
		}
	}}
}

// For returns how i is computed, or nil if this package does not do it. The nests are for vectors of 64 bytes if it is
// wide, else for those of 32.
func For(i *hlo.Instruction, wide bool) *Algorithm {
	if !static(i.Shape()) {
		return nil
	}
	for _, o := range i.Operands() {
		if !static(o.Shape()) {
			return nil
		}
	}
	if i.Code() == op.Fft {
		return newVectorFFT(i, wide)
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
