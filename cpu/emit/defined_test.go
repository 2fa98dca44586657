package emit

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/cpu/asm"
)

// places says which virtual register each register of the machine holds: of all classes, as classBits numbers them.
// 0 is none, or different ones on different ways here.
type places [64]reg

// definition follows which registers hold what through the code of a kernel.
type definition struct {
	memory *Compiler
	states map[asm.Label]*places // by label: what holds on all ways that lead there
	now    places
	dead   bool // no way leads here
	again  bool // a label holds less than it did
	err    error
}

// checkDefined follows all ways through the code that m made last. Every instruction must have all of its operands, and
// each register that it reads must hold what was written for it, on every way.
func checkDefined(m *Compiler) error {
	d := &definition{memory: m, states: map[asm.Label]*places{}, again: true}
	for d.again && d.err == nil {
		d.again, d.dead, d.now = false, false, places{}
		for k := 0; k < len(m.list) && d.err == nil; k++ {
			d.step(&m.list[k])
		}
	}
	return d.err
}

// step follows one instruction.
func (d *definition) step(i *ins) {
	switch i.kind {
	case dead, loopStart, loopEnd:
	case bind, coldEnd:
		d.arrive(i.in.Label)
	case coldStart: // the way in front goes on behind the end
		d.leave(d.closing(i))
		d.now, d.dead = places{}, true
		d.arrive(i.in.Label)
	default:
		if d.dead {
			return
		}
		d.readAll(i)
		if i.def >= 0 && i.r[i.def] > 0 {
			d.now[d.place(i.r[i.def])] = i.r[i.def]
		}
		switch i.in.Op {
		case asm.JMP:
			d.leave(i.in.Label)
			d.dead = true
		case asm.JCC:
			d.leave(i.in.Label)
		}
	}
}

// closing is the label at the end of the cold code that starts with i.
func (d *definition) closing(i *ins) asm.Label {
	list := d.memory.list
	k := slices.IndexFunc(list, func(x ins) bool { return x.kind == coldStart && x.in.Label == i.in.Label })
	for list[k].kind != coldEnd {
		k++
	}
	return list[k].in.Label
}

// leave notes what holds on a way to l.
func (d *definition) leave(l asm.Label) {
	if d.dead {
		return
	}
	s := d.states[l]
	if s == nil {
		now := d.now
		d.states[l], d.again = &now, true
		return
	}
	for k, r := range d.now {
		if s[k] != r && s[k] != 0 {
			s[k], d.again = 0, true
		}
	}
}

// arrive goes on with what holds on all ways to l.
func (d *definition) arrive(l asm.Label) {
	d.leave(l)
	if s := d.states[l]; s != nil {
		d.now, d.dead = *s, false
	}
}

// place is where r is.
func (d *definition) place(r reg) int8 {
	return d.memory.phys[r] + classBits[d.memory.regs[r].class]
}

// readAll checks what i reads.
func (d *definition) readAll(i *ins) {
	if i.tie > 0 {
		d.read(i, i.tie, "tie")
		if i.def >= 0 && d.place(i.tie) != d.place(i.r[i.def]) { // it is moved there first
			d.now[d.place(i.r[i.def])] = i.r[i.def]
		}
	}
	memory := i.in.Place == asm.InLoad || i.in.Place == asm.InStore
	at := -1
	switch {
	case memory && i.at > 0:
		at = int(i.at)
	case memory:
		at = i.in.MemAt()
	}
	for k := range d.operands(i) {
		if k != int(i.def) && k != at {
			d.read(i, i.r[k], fmt.Sprint("operand ", k))
		}
	}
	if i.mask != 0 {
		d.read(i, i.mask, "mask")
	}
	if memory && i.in.Mem.Base != asm.RIP {
		d.read(i, i.base, "base")
	}
	if memory && i.in.Mem.Scale != 0 {
		d.read(i, i.index, "index")
	}
}

// operands is how many operands of i are registers, or memory.
func (d *definition) operands(i *ins) int {
	switch i.kind {
	case move:
		return 2
	case fused:
		return 4
	case zero:
		return 1
	}
	return int(i.in.N)
}

// read checks that r, which i reads, is there.
func (d *definition) read(i *ins, r reg, what string) {
	if d.err == nil && r > 0 && d.memory.phys[r] < 0 {
		d.err = fmt.Errorf("%v %v: %s r%d has no place", i.in.Op, i.r, what, r)
	}
	if d.err != nil || r < 0 || r > 0 && d.now[d.place(r)] == r {
		return
	}
	holds := reg(0)
	if r > 0 {
		holds = d.now[d.place(r)]
	}
	d.err = fmt.Errorf("%v kind %d r%v base r%d: %s r%d has no value, r%d is there",
		i.in.Op, i.kind, i.r, i.base, what, r, holds)
}
