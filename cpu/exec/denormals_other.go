//go:build !amd64

package exec

import "unsafe"

func callFlushing(fn uintptr, args unsafe.Pointer) { Call(fn, args) }

func keepDenormals() {}
