package emu

import (
	"sync"

	"github.com/goxla/xla/cpu/asm"
)

// ops holds what executes each instruction.
type ops [asm.NumOps]exec

// execs builds the table: each group of instructions adds its own.
var execs = sync.OnceValue(func() *ops {
	t := new(ops)
	t.floats()
	t.converts()
	t.integers()
	t.shifts()
	t.shuffles()
	t.permutes()
	t.moves()
	t.sparse()
	t.masks()
	t.bits()
	t.general()
	t.arithmetic()
	t.amx()
	return t
})

// same sets a lane-wise instruction on elements of w bytes.
func (t *ops) same(op asm.Op, w int, fn laneFn) { t.lane(op, w, w, fn) }

// lane sets a lane-wise instruction with results of dw bytes from sources of sw bytes.
func (t *ops) lane(op asm.Op, dw, sw int, fn laneFn) {
	t[op] = func(m *Machine, in *inst) { m.eachLane(in, dw, sw, fn) }
}

// test sets an instruction that gives a bit for each lane of w bytes.
func (t *ops) test(op asm.Op, w int, fn laneFn) {
	t[op] = func(m *Machine, in *inst) { m.eachTest(in, w, fn) }
}

// whole sets an instruction across lanes; masks select elements of w bytes.
func (t *ops) whole(op asm.Op, w int, fn func(f *full) vec) {
	t[op] = func(m *Machine, in *inst) { m.whole(in, w, fn) }
}
