//go:build !race

package exec

import "unsafe"

// RaceEnabled: this program was built with the race detector.
const RaceEnabled = false

// RaceRead tells the race detector that machine code reads n bytes at p, which it cannot see for
// itself. Without the detector it is nothing. Memory outside the Go heap is not watched.
func RaceRead(p unsafe.Pointer, n int) {}

// RaceWrite tells the race detector that machine code writes n bytes at p.
func RaceWrite(p unsafe.Pointer, n int) {}
