//go:build linux && (amd64 || arm64)

package mpi

import "unsafe"

// invocation is a call of a C function that returns an int, with up to eight integers or addresses. What an address
// points to is kept by whoever makes the invocation, on the heap, where it does not move.
type invocation struct {
	function uintptr
	args     [8]uintptr
}

// batch is several calls made at once, of which one is repeated until it sets a flag; those behind it are made
// then. Going from Go to C and back takes longer than most calls of MPI.
type batch struct {
	calls *invocation
	first int // calls in front of the one that tests
	// tests is how often that is called at most.
	tests int
	flag  *int32
	after int // calls behind it
	// code is what the last call returned, which was calls[at/size].
	code int64
	at   int
}

// set prepares the batch for a list of calls. That at place test sets the flag.
func (b *batch) set(list []invocation, test, tests int, flag *int32) {
	*b = batch{calls: unsafe.SliceData(list), first: test, tests: tests, flag: flag, after: len(list) - 1 - test}
}

// last returns the place of the call that was made last.
func (b *batch) last() int { return b.at / int(unsafe.Sizeof(invocation{})) }
