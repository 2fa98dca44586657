//go:build linux && (amd64 || arm64)

package mpi

import (
	"fmt"
	"math/bits"
	"sync"
	"syscall"
)

// arena is the memory that MPI sends from and receives into. It is outside of Go's
// heap and never given back: libraries for fast networks register memory with the
// device and learn of its end from libc alone, which Go's runtime does not call.
type arena struct {
	mu   sync.Mutex
	free [64][][]byte // by the binary logarithm of the size
}

const (
	smallestBuffer = 8  // its logarithm
	slabSize       = 22 // that of what is asked of the system at a time, for buffers below
	hugePage       = 2 << 20
)

// get returns n bytes at least at the start of a page, or of a power of two below a page.
func (a *arena) get(n int) ([]byte, error) {
	class := max(smallestBuffer, bits.Len(uint(max(n, 1)-1)))
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.free[class]) == 0 {
		if err := a.grow(class); err != nil {
			return nil, err
		}
	}
	list := a.free[class]
	b := list[len(list)-1]
	a.free[class] = list[:len(list)-1]
	return b[:n], nil
}

// grow adds buffers to a class. The lock is held.
func (a *arena) grow(class int) error {
	size := 1 << max(class, slabSize)
	slab, err := syscall.Mmap(-1, 0, size+hugePage, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("mpi: memory of %d bytes: %w", size, err)
	}
	skip := int(-address0(slab) & (hugePage - 1))
	slab = slab[skip : skip+size]
	_ = syscall.Madvise(slab, syscall.MADV_HUGEPAGE) // it is faster, where the system has such pages
	for ; len(slab) > 0; slab = slab[1<<class:] {
		a.free[class] = append(a.free[class], slab[:1<<class:1<<class])
	}
	return nil
}

// put takes back what get returned.
func (a *arena) put(b []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	class := bits.Len(uint(cap(b))) - 1
	a.free[class] = append(a.free[class], b[:cap(b)])
}

// enlarge makes n bytes of what is in memory, which it replaces if that is not enough.
func (a *arena) enlarge(memory *[]byte, n int) ([]byte, error) {
	if n <= cap(*memory) {
		*memory = (*memory)[:n]
		return *memory, nil
	}
	b, err := a.get(n)
	if err != nil {
		return nil, err
	}
	if *memory != nil {
		a.put(*memory)
	}
	*memory = b
	return b, nil
}
