//go:build !xla_emulate

package exec

import "unsafe"

// callFlushing is Call with the flags of MXCSR set that flush denormal numbers, and as they were afterwards.
//
//go:noescape
func callFlushing(fn uintptr, args unsafe.Pointer)

// keepDenormals clears these flags.
//
//go:noescape
func keepDenormals()
