//go:build unix

package exec

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec/guard"
)

// flags returns MXCSR, without status bits, as code that d calls finds it.
func flags(c *Code, d Denormals) uint32 {
	args := struct {
		a     uint64
		b     *uint64
		sum   uint64
		spill uintptr
		mxcsr uint32
	}{b: new(uint64)}
	d.Call(c.Entry(0), unsafe.Pointer(&args))
	return args.mxcsr &^ 0x3f
}

// TestDenormals: code is told how to take denormal numbers for the time of a call, even of one that faults.
func TestDenormals(t *testing.T) {
	look, load := kernel(t, "convention", AVX2), kernel(t, "load", AVX2)
	fence := unsafe.Add(unsafe.Pointer(&guard.After(t, 64)[0]), 64)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for range 3 {
		if got := flags(look, FlushDenormals); got != 0x9fc0 {
			t.Errorf("flushed: MXCSR: got %#x, want 0x9fc0", got)
		}
		if got := flags(look, KeepDenormals); got != 0x1f80 {
			t.Errorf("kept: MXCSR: got %#x, want 0x1f80", got)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no fault")
				}
			}()
			args := [2]unsafe.Pointer{fence}
			FlushDenormals.Call(load.Entry(0), unsafe.Pointer(&args))
		}()
		if got := flags(look, KeepDenormals); got != 0x1f80 {
			t.Errorf("after a fault: MXCSR: got %#x, want 0x1f80", got)
		}
	}
}
