// Package exec is everything of the CPU compiler that touches the machine: executable memory and the
// trampoline into it, CPU features, the worker pool, and memory outside the Go heap. It is Go and Go
// assembly only, without cgo.
//
// # Rules for machine code
//
// The Go runtime knows nothing about compiled kernels, and stays right beside them under these rules:
//
//   - A kernel is a leaf. It never moves RSP or RBP, calls nothing, and spills only into the 8 KiB
//     that RSI points to. A fault inside it is then an ordinary Go panic; see [Call].
//   - It may change every other register, flags and opmasks. MXCSR stays as it was.
//   - It ends with VZEROUPPER, and with TILERELEASE if it loaded a tile configuration: a goroutine
//     may run on another thread at its next call.
//   - It takes at most 100 to 200 µs. The garbage collector cannot stop a goroutine inside a kernel
//     and the whole program waits for it: long work is cut into chunks.
//   - Addresses reach it as typed pointers in the argument block, never as bare uintptr.
package exec
