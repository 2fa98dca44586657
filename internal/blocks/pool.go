// Package blocks keeps memory that one owner is done with for the next one.
package blocks

import (
	"sync"
	"unsafe"
)

// Pool is memory that was given back, by size. A computation that is run over and over, such as a training step, takes
// its results from what it was given before: memory that the system has mapped and that the caches may have. What is
// left in the pool belongs to the garbage collector. The zero Pool is empty. It is safe for concurrent use.
type Pool struct{ bySize sync.Map } // of *sync.Pool

// Get returns n bytes with anything in them, which nobody else has; nil if there are none of that size.
func (p *Pool) Get(n int) []byte {
	if free, ok := p.bySize.Load(n); ok {
		if block, ok := free.(*sync.Pool).Get().(*byte); ok {
			return unsafe.Slice(block, n)
		}
	}
	return nil
}

// Put gives a block back. Nobody may use it any more.
func (p *Pool) Put(block []byte) {
	if len(block) == 0 {
		return
	}
	free, ok := p.bySize.Load(len(block))
	if !ok {
		free, _ = p.bySize.LoadOrStore(len(block), &sync.Pool{})
	}
	free.(*sync.Pool).Put(unsafe.SliceData(block))
}

// Clear forgets all memory.
func (p *Pool) Clear() { p.bySize.Clear() }
