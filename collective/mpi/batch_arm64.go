//go:build linux

package mpi

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// run makes the calls.
func (b *batch) run() {
	list := unsafe.Slice(b.calls, b.first+1+b.after)
	for i, tests := 0, b.tests; i < len(list); {
		code, _, _ := purego.SyscallN(list[i].function, list[i].args[:]...)
		b.code, b.at = int64(int32(code)), i*int(unsafe.Sizeof(invocation{}))
		if b.code != 0 {
			return
		}
		if i == b.first && *b.flag == 0 {
			if tests--; tests <= 0 {
				return
			}
			continue
		}
		i++
	}
}

// memfdCreate is the number of the system call that makes a file without a name.
const memfdCreate = 279
