package native

import (
	"sync"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// denseSpeed is how many times faster the steps of machine code are than loops in Go, roughly.
const denseSpeed = 16

// denseMemory is the steps of machine code for a type, and memory that is used again.
type denseMemory[E dense.Float] struct {
	*dense.Kernels[E]
	pool sync.Pool // of []E
}

func newDenseMemory[E dense.Float](set *dense.Set) (*denseMemory[E], error) {
	k, err := dense.Of[E](set)
	if err != nil {
		return nil, err
	}
	return &denseMemory[E]{Kernels: k}, nil
}

// borrow returns memory for n numbers, of unknown content, for [dense.Aligned]; give it back with lend.
func (m *denseMemory[E]) borrow(n int) *[]E {
	s, _ := m.pool.Get().(*[]E)
	if s == nil {
		s = new([]E)
	}
	*s = resized(*s, n+dense.Slack)
	return s
}

func (m *denseMemory[E]) lend(s *[]E) { m.pool.Put(s) }

// eachPart is the threads of a pool, or the one thread if it is nil. Once done is closed it does nothing.
func eachPart(done <-chan struct{}, pool *exec.Pool) dense.Parallel {
	return func(n int, f func(k int)) bool {
		all := func(_, lo, hi int) {
			for k := lo; k < hi && !interrupted(done); k++ {
				f(k)
			}
		}
		if pool == nil || n < 2 {
			all(0, 0, n)
		} else {
			pool.Run(n, 1, exec.JobFunc(all))
		}
		return !interrupted(done)
	}
}
