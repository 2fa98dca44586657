//go:build xla_emulate && amd64

package exec

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu/asm/emu"
)

// This file, in place of call_amd64.go, runs machine code in the emulator of package emu, on a processor that
// XLA_EMULATE names: whole programs of tiers that the machine lacks. It is for tests.

// programs holds the code that is mapped, in the order of the addresses; it is replaced, never changed.
var (
	programs atomic.Pointer[[]*emu.Program]
	changing sync.Mutex
	machines = sync.Pool{New: func() any { return emu.New() }}
)

// Call runs the machine code at fn in the emulator. args escapes.
func Call(fn uintptr, args unsafe.Pointer) { emulate(fn, args, false) }

func callFlushing(fn uintptr, args unsafe.Pointer) { emulate(fn, args, true) }

func keepDenormals() {}

func emulate(fn uintptr, args unsafe.Pointer, flush bool) {
	p := programAt(fn)
	m := machines.Get().(*emu.Machine)
	err := m.Run(p, fn, args, flush)
	runtime.KeepAlive(args)
	if err != nil {
		panic(err.Error())
	}
	machines.Put(m)
}

func byBase(p *emu.Program, at uintptr) int { return cmp.Compare(p.Base(), at) }

// programAt returns the code that holds address fn.
func programAt(fn uintptr) *emu.Program {
	if list := programs.Load(); list != nil {
		if i, _ := slices.BinarySearchFunc(*list, fn+1, byBase); i > 0 {
			return (*list)[i-1]
		}
	}
	panic(fmt.Sprintf("exec: call of %#x, where no code is", fn))
}

// codeMapped makes code known that begins mem.
func codeMapped(mem []byte, size int) {
	p := emu.NewProgram(mem[:size], refuses)
	change(func(list []*emu.Program) []*emu.Program {
		i, _ := slices.BinarySearchFunc(list, p.Base(), byBase)
		return slices.Insert(list, i, p)
	})
}

// unmapCode forgets the code at mem, and frees it.
func unmapCode(mem []byte) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	change(func(list []*emu.Program) []*emu.Program {
		return slices.DeleteFunc(list, func(p *emu.Program) bool { return p.Base() == at })
	})
	unmapMemory(mem)
}

func change(edit func([]*emu.Program) []*emu.Program) {
	changing.Lock()
	defer changing.Unlock()
	var list []*emu.Program
	if old := programs.Load(); old != nil {
		list = slices.Clone(*old)
	}
	list = edit(list)
	programs.Store(&list)
}
