package emit

import "github.com/goxla/xla/cpu/asm"

// changeInMemory makes one instruction of three that load an integer, change it and store it where it was, and of
// which nothing else uses the results: the processor need not name what it reads, changes and writes. uses are those
// that sweep found.
func (c *code) changeInMemory(uses []int32) {
	for k := 2; k < len(c.list); k++ {
		load, change, store := &c.list[k-2], &c.list[k-1], &c.list[k]
		if !c.loadsWhole(load) || !c.storesWhole(store) || !load.samePlace(store) || store.r[1] != change.r[0] ||
			uses[load.r[0]] != 1 || uses[change.r[0]] != 1 || !changes(change, load.r[0], store.in.Size) {
			continue
		}
		in := asm.Inst{Op: change.in.Op, Size: store.in.Size, N: change.in.N, Place: asm.InStore, Mem: store.in.Mem,
			Imm: change.in.Imm, HasImm: change.in.HasImm}
		by := change.r[1]
		if by == load.r[0] {
			by = change.tie
		}
		store.in, store.r = in, [4]reg{0, by}
		load.kind, change.kind = dead, dead
	}
}

// loadsWhole reports whether i loads a general register without a change.
func (c *code) loadsWhole(i *ins) bool {
	return i.kind == plain && i.in.Op == asm.MOV && i.in.Place == asm.InLoad && i.def == 0 && i.slot == 0 &&
		i.r[0] > 0 && c.classOfReg(i.r[0]) == genClass
}

// storesWhole reports whether i stores a general register.
func (c *code) storesWhole(i *ins) bool {
	return i.kind == plain && i.in.Op == asm.MOV && i.in.Place == asm.InStore && !i.in.HasImm && i.slot == 0 &&
		i.r[1] > 0 && c.classOfReg(i.r[1]) == genClass
}

// samePlace reports whether the memory operands of i and j are one.
func (i *ins) samePlace(j *ins) bool {
	return i.in.Mem == j.in.Mem && i.base == j.base && i.index == j.index && i.in.Size == j.in.Size
}

// changes reports whether i is an operation of size size on x and another register, or an immediate, that memory can
// take x's place in.
func changes(i *ins, x reg, size asm.Size) bool {
	if i.kind != plain || i.def != 0 || i.in.Place != asm.InReg || i.in.Size != size {
		return false
	}
	switch i.in.Op {
	case asm.ADD, asm.AND, asm.OR, asm.XOR:
		return i.tie == x && i.r[1] != x || i.r[1] == x && i.tie > 0 && i.tie != x
	case asm.SUB:
		return i.tie == x && i.r[1] != x
	}
	return false
}
