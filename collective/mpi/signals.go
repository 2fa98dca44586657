//go:build linux && (amd64 || arm64)

package mpi

import (
	"syscall"
	"unsafe"
)

// action is the kernel's struct sigaction.
type action struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

// synchronous are the signals that Go makes panics of.
func synchronous() [4]syscall.Signal {
	return [4]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL}
}

// saveSignals notes the handlers of the synchronous signals; the result puts them back.
// Some MPI libraries install their own, with which a panic that could be recovered from
// becomes the death of the process. Other signals they may need.
func saveSignals() (restore func()) {
	var saved [4]action
	for i, s := range synchronous() {
		sigaction(s, nil, &saved[i])
	}
	return func() {
		for i, s := range synchronous() {
			sigaction(s, &saved[i], nil)
		}
	}
}

func sigaction(s syscall.Signal, set, get *action) {
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)),
		unsafe.Sizeof(action{}.mask), 0, 0)
}
