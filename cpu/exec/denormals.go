package exec

import "unsafe"

// Denormals says how the arithmetic of machine code takes numbers below the smallest normal one of their type. Those of
// f32 and f64 cost many processors about a hundred times what other numbers do, and bf16 is computed in f32.
type Denormals uint8

const (
	// KeepDenormals computes with them as IEEE 754 says.
	KeepDenormals Denormals = iota
	// FlushDenormals takes operands for zeros, and leaves zeros in place of results.
	FlushDenormals
)

// Call is the function [Call] with denormal numbers taken so. What the processor is told holds for the thread, within
// machine code, where no other goroutine gets it.
func (d Denormals) Call(fn uintptr, args unsafe.Pointer) {
	if d == KeepDenormals {
		Call(fn, args)
		return
	}
	returned := false
	defer func() {
		if !returned { // a fault became a panic
			keepDenormals()
		}
	}()
	callFlushing(fn, args)
	returned = true
}
