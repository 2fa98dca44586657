package loop

import "slices"

// moveBits makes 16-bit integers of the bf16 that a nest does nothing with but move: they are the upper halves of f32,
// which takes neither widening nor rounding then.
//
//	v1 = load bf16 x[i]; v2 = select m, v1, 0.0; store bf16 y[j] v2
//
// becomes
//
//	v1 = load u16 x[i]; v2 = select m, v1, 0; store u16 y[j] v2
func (n *Nest) moveBits() {
	moved := n.onlyBits()
	for _, v := range moved {
		switch i := n.Inst(v); i.Op {
		case Const:
			i.Kind, i.Imm = I32, i.Imm>>16
		case Store:
			n.Accesses[i.Access].Mem = MemU16
		case Load:
			i.Kind, n.Accesses[i.Access].Mem = I32, MemU16
		default:
			i.Kind = I32
		}
	}
}

// onlyBits returns what moves bf16, if nothing else has to do with f32 and there is a store.
func (n *Nest) onlyBits() (moved []Value) {
	if !slices.ContainsFunc(n.Accesses, func(a Access) bool { return a.Mem == MemBF16 }) {
		return nil
	}
	stores, only := 0, true
	n.Root.Each(func(node Node) {
		if node.Loop != nil {
			for _, c := range node.Loop.Carries {
				only = only && n.Kind(c.Phi) != F32
			}
			return
		}
		switch i := n.Inst(node.Value); {
		case i.Op == Store && n.Kind(i.Args[0]) == F32:
			stores++
			only = only && n.Accesses[i.Access].Mem == MemBF16
		case i.Op == Load && i.Kind == F32:
			only = only && n.Accesses[i.Access].Mem == MemBF16
		case i.Op == Const && i.Kind == F32:
			only = only && uint16(i.Imm) == 0
		case i.Op == Select && i.Kind == F32:
		default:
			for _, v := range i.Operands() {
				only = only && n.Kind(v) != F32
			}
			only = only && i.Kind != F32
			return
		}
		moved = append(moved, node.Value)
	})
	if !only || stores == 0 {
		return nil
	}
	return moved
}
