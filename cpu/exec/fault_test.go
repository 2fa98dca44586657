//go:build unix

package exec

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec/guard"
)

// fault runs the kernel on address in its argument block and returns the panic.
func fault(c *Code, address unsafe.Pointer) (err error) {
	defer func() { err, _ = recover().(runtime.Error) }()
	args := [2]unsafe.Pointer{address}
	call(c, unsafe.Pointer(&args))
	return nil
}

// TestFault: a fault inside a kernel is a panic that can be recovered from, as often as one likes.
func TestFault(t *testing.T) {
	fence := unsafe.Add(unsafe.Pointer(&guard.After(t, 64)[0]), 64)
	for _, name := range []string{"load", "store"} {
		c := kernel(t, name, AVX2)
		if err := fault(c, nil); err == nil || !strings.Contains(err.Error(), "nil pointer") {
			t.Errorf("%s at 0: expected a nil pointer error, got %v", name, err)
		}
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		for i := range 1000 {
			var err error
			recurse(i%100, func() { err = fault(c, fence) })
			addr, ok := err.(interface{ Addr() uintptr })
			if !ok || addr.Addr() != uintptr(fence) {
				t.Fatalf("%s: expected a fault at %p, got %v", name, fence, err)
			}
			if i%100 == 0 {
				runtime.GC()
			}
		}
		ok := [8]uint64{}
		if err := fault(c, unsafe.Pointer(&ok)); err != nil {
			t.Errorf("%s at good memory: %v", name, err)
		}
	}
	if c := kernel(t, "store", AVX2); fault(c, unsafe.Pointer(&c.mem[0])) == nil {
		t.Error("code can be overwritten")
	}
}

// TestFaultInWorker: a fault in a worker is a panic of the Run that gave the work.
func TestFaultInWorker(t *testing.T) {
	c := kernel(t, "load", AVX2)
	fence := unsafe.Add(unsafe.Pointer(&guard.After(t, 64)[0]), 64)
	p := NewPool(2)
	defer p.Close()
	var who [2]int
	for range 100 {
		meet := make(chan struct{})
		err := func() (err error) {
			defer func() { err, _ = recover().(runtime.Error) }()
			p.Run(2, 1, JobFunc(func(worker, lo, hi int) {
				if lo == 0 {
					<-meet
				} else {
					close(meet)
				}
				if worker == 1 {
					args := [2]unsafe.Pointer{fence}
					who[worker]++
					call(c, unsafe.Pointer(&args))
				}
			}))
			return nil
		}()
		if err == nil {
			t.Fatal("the fault of a worker did not reach the caller")
		}
	}
	if who[1] != 100 {
		t.Errorf("faults: expected 100, got %d", who[1])
	}
}
