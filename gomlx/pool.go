package gomlx

import (
	"sync"
	"unsafe"
)

// pool is memory of buffers that are gone, by size. A computation that is run over and over, such as a training
// step, takes its results from what it was given before. The garbage collector may empty it.
type pool struct{ bySize sync.Map } // of *sync.Pool

// wholeWord is what the size of a buffer with strides is rounded up to.
const wholeWord = 4

// padded returns a block of newBlock with its size rounded up to whole words.
func padded(block []byte) []byte {
	n := (len(block) + wholeWord - 1) / wholeWord * wholeWord
	return unsafe.Slice(unsafe.SliceData(block), n)
}

// alignment is that of every block: a cache line, so that vectors do not straddle two.
const alignment = 64

// get returns n bytes with anything in them.
func (p *pool) get(n int) []byte {
	if free, ok := p.bySize.Load(n); ok {
		if block, ok := free.(*sync.Pool).Get().(*byte); ok {
			return unsafe.Slice(block, n)
		}
	}
	return newBlock(n)
}

// newBlock returns n bytes of zeros.
func newBlock(n int) []byte {
	all := make([]byte, n+alignment+wholeWord)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(all))) % alignment
	return all[skip : skip+uintptr(n) : skip+uintptr(n)]
}

// clear forgets all memory.
func (p *pool) clear() { p.bySize.Clear() }

// put gives a block back.
func (p *pool) put(block []byte) {
	if len(block) == 0 {
		return
	}
	free, ok := p.bySize.Load(len(block))
	if !ok {
		free, _ = p.bySize.LoadOrStore(len(block), &sync.Pool{})
	}
	free.(*sync.Pool).Put(unsafe.SliceData(block))
}
