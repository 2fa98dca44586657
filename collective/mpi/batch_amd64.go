//go:build linux

package mpi

import "unsafe"

// batchCode is the address of the code that makes the calls of a *batch, for callers by the conventions of C.
var batchCode uintptr

// cgocall calls a C function of one argument; purego calls by it too.
//
//go:linkname cgocall runtime.cgocall
func cgocall(function uintptr, argument unsafe.Pointer) int32

// run makes the calls.
func (b *batch) run() { cgocall(batchCode, unsafe.Pointer(b)) }

// memfdCreate is the number of the system call that makes a file without a name.
const memfdCreate = 319
