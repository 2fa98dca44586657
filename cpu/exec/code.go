package exec

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// ErrNoExec says that this platform has no trampoline, or that the system refuses executable memory
// (hardened kernels, sandboxes). The caller then uses the portable executor.
var ErrNoExec = errors.New("executable memory is not available")

// canExec: a trampoline exists for these; the system may still refuse the memory.
const canExec = runtime.GOARCH == "amd64" && (runtime.GOOS == "linux" || runtime.GOOS == "darwin" ||
	runtime.GOOS == "freebsd" || runtime.GOOS == "windows")

// Executable reports whether there is executable memory: whether the system gave some when it was asked first.
func Executable() bool { return executable() }

var executable = sync.OnceValue(func() bool {
	c, err := NewCode([]byte{trap})
	if err != nil {
		return false
	}
	c.Close()
	return true
})

// trap is INT3: a jump into the padding behind the code stops at once.
const trap = 0xcc

// Code is one region of executable, read-only memory that starts on a page. It holds all kernels and
// constants of one compiled module.
//
// Code counts its users. Bracket each run with [Code.Acquire] and [Code.Release]: that keeps the
// region mapped when [Code.Close] is called, or the last reference dropped, in the middle of a run.
type Code struct {
	mem     []byte
	size    int
	users   atomic.Int64 // one for the owner until Close, one for each Acquire
	closed  atomic.Bool
	cleanup runtime.Cleanup
}

// NewCode copies code into fresh memory and makes that executable and read-only. It is never
// writable and executable at the same time. The error wraps [ErrNoExec] where the platform or the
// system refuses; the memory is freed by Close or, failing that, after Code becomes unreachable.
func NewCode(code []byte) (*Code, error) {
	if !canExec {
		return nil, fmt.Errorf("%w on %s/%s", ErrNoExec, runtime.GOOS, runtime.GOARCH)
	}
	mem, err := mapMemory(max(len(code), 1))
	if err != nil {
		return nil, fmt.Errorf("%w: %d bytes: %w", ErrNoExec, len(code), err)
	}
	rest := mem[copy(mem, code):]
	if len(rest) > 0 {
		rest[0] = trap
	}
	for k := 1; k < len(rest); k *= 2 {
		copy(rest[k:], rest[:k])
	}
	if err := protectExec(mem); err != nil {
		unmapMemory(mem)
		return nil, fmt.Errorf("%w: protection of %d bytes: %w", ErrNoExec, len(code), err)
	}
	codeMapped(mem, len(code))
	c := &Code{mem: mem, size: len(code)}
	c.users.Store(1)
	c.cleanup = runtime.AddCleanup(c, unmapCode, mem)
	return c, nil
}

// Len returns the number of bytes given to NewCode.
func (c *Code) Len() int { return c.size }

// Entry returns the address of the byte at offset off, for [Call] or as the address of a constant.
// It is good while the region is mapped. It panics if off is not in [0, Len()).
func (c *Code) Entry(off int) uintptr {
	if off < 0 || off >= c.size {
		panic(fmt.Sprintf("exec: entry offset: expected [0, %d), got %d", c.size, off))
	}
	return uintptr(unsafe.Pointer(&c.mem[off]))
}

// Acquire keeps the region mapped until the matching [Code.Release]. It reports false, and needs no
// Release, once Code is closed. It costs a few nanoseconds: see BenchmarkAcquireRelease.
func (c *Code) Acquire() bool {
	for {
		n := c.users.Load()
		if n <= 0 || c.closed.Load() {
			return false
		}
		if c.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release ends what Acquire began. The last Release after Close frees the memory.
func (c *Code) Release() {
	switch n := c.users.Add(-1); {
	case n == 0:
		c.cleanup.Stop()
		unmapCode(c.mem)
	case n < 0:
		panic("exec: Release of code without Acquire")
	}
}

// Close refuses further runs and frees the memory as soon as the runs in progress have ended; it
// does not wait for them. Closing again does nothing.
func (c *Code) Close() {
	if !c.closed.Swap(true) {
		c.Release()
	}
}
