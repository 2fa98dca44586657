//go:build race

package exec

import (
	"runtime"
	"unsafe"
)

// RaceEnabled: this program was built with the race detector.
const RaceEnabled = true

// RaceRead tells the race detector that machine code reads n bytes at p, which it cannot see for
// itself. Without the detector it is nothing. Memory outside the Go heap is not watched.
func RaceRead(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceReadRange(p, n)
	}
}

// RaceWrite tells the race detector that machine code writes n bytes at p.
func RaceWrite(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceWriteRange(p, n)
	}
}
