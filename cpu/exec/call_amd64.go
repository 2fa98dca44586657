//go:build !xla_emulate

package exec

import "unsafe"

// Call runs the machine code at fn with RDI = args and RSI = 8 KiB of spill space, aligned to 64
// bytes, on the goroutine's stack. The code keeps to the rules in the package comment. It costs
// about 4 ns beside the code itself: see BenchmarkCall.
//
// args points to a block whose pointers are typed (*float32, unsafe.Pointer). The block and all that
// it points to may then live on the Go heap, on the stack, or off the heap: neither heap objects
// nor this stack move while the code runs, and whatever can be reached from args stays alive until
// Call returns. The compiler is told (go:noescape) that the code keeps no pointer beyond the call:
// args may be a local variable without an allocation. An address held in a uintptr has none of
// these guarantees: nothing updates it when a stack moves, and nothing keeps its memory alive.
//
// Where the system has POSIX signals, a memory fault inside the code is an ordinary run-time panic
// of the calling goroutine. A fault at an address from 4096 on is so only under
// [runtime/debug.SetPanicOnFault], which the workers of a [Pool] have on. An illegal instruction
// ends the program, and so does any fault on Windows.
//
//go:noescape
func Call(fn uintptr, args unsafe.Pointer)
