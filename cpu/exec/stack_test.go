package exec_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// TestDeepen: deep calls behind Deepen leave the stack where it is; without it they move it.
func TestDeepen(t *testing.T) {
	moved := func(deepen bool) bool {
		moves := make(chan bool)
		go func() {
			if deepen {
				exec.Deepen()
			}
			var here byte
			before := uintptr(unsafe.Pointer(&here))
			descend(40) // KB
			moves <- before != uintptr(unsafe.Pointer(&here))
		}()
		return <-moves
	}
	if moved(true) {
		t.Error("deep calls moved the stack behind Deepen")
	}
	if !moved(false) {
		runtime.GC() // those of new goroutines are as large as others were at the last collection
		if !moved(false) {
			t.Error("expected deep calls to move the stack without Deepen")
		}
	}
}

//go:noinline
func descend(kb int) byte {
	var room [1 << 10]byte
	if kb > 0 {
		room[kb] = descend(kb - 1)
	}
	return room[kb/2]
}
