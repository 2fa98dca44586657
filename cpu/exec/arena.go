package exec

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"
)

const (
	pageSize = 4 << 10
	hugePage = 2 << 20
	// maxMap leaves room for rounding a size up.
	maxMap = math.MaxInt - 2*hugePage
)

// Arena is zeroed memory outside the Go heap, where the platform allows that: the garbage collector
// neither scans nor moves it. It starts on a page of 4 KiB; large ones start on 2 MiB and ask for huge pages.
//
// The memory is freed by Close or, failing that, after Arena becomes unreachable. A slice from Bytes
// does not keep it: whoever uses the bytes also holds the Arena ([runtime.KeepAlive]).
type Arena struct {
	mu      sync.Mutex
	bytes   []byte
	mem     []byte // bytes and what aligns them
	cleanup runtime.Cleanup
}

// NewArena returns size bytes. It fails if size is negative or the system has no such memory.
func NewArena(size int) (*Arena, error) {
	if size < 0 || size > maxMap {
		return nil, fmt.Errorf("arena: expected a size in [0, %d], got %d", maxMap, size)
	}
	a := &Arena{}
	if size == 0 {
		return a, nil
	}
	align := pageSize
	if size >= hugePage {
		align = hugePage
	}
	slack := align
	if offHeap && align == pageSize {
		slack = 0 // mapped memory starts on a page
	}
	mem, err := mapMemory(size + slack)
	if err != nil {
		return nil, fmt.Errorf("arena of %d bytes: %w", size, err)
	}
	skip := 0
	if slack > 0 {
		skip = int(-uintptr(unsafe.Pointer(&mem[0])) & uintptr(align-1))
	}
	a.mem, a.bytes = mem, mem[skip:skip+size:skip+size]
	if offHeap && align == hugePage {
		adviseHuge(mem[skip : skip+(size+pageSize-1)&^(pageSize-1)])
	}
	a.cleanup = runtime.AddCleanup(a, unmapMemory, mem)
	return a, nil
}

// Bytes returns the memory, or nil after Close.
func (a *Arena) Bytes() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bytes
}

// Close frees the memory: a use of it from then on is a fault. Closing again does nothing.
func (a *Arena) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return
	}
	a.cleanup.Stop()
	unmapMemory(a.mem)
	a.mem, a.bytes = nil, nil
}
