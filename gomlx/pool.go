package gomlx

import (
	"unsafe"

	"github.com/goxla/xla/internal/blocks"
)

// pool is memory of buffers that are gone.
type pool struct{ blocks.Pool }

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
	if block := p.Get(n); block != nil {
		return block
	}
	return newBlock(n)
}

// newBlock returns n bytes of zeros.
func newBlock(n int) []byte {
	all := make([]byte, n+alignment+wholeWord)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(all))) % alignment
	return all[skip : skip+uintptr(n) : skip+uintptr(n)]
}
