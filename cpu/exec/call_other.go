//go:build !amd64

package exec

import "unsafe"

// Call runs the machine code at fn. This platform has none: [NewCode] returns [ErrNoExec], so no
// valid fn exists, and Call panics.
func Call(fn uintptr, args unsafe.Pointer) {
	panic("exec: Call on a platform without machine code")
}
