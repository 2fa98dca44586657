package asm

// Place says which operand of an instruction is memory.
type Place uint8

// Places of the memory operand.
const (
	InReg   Place = iota // none
	InLoad               // a source
	InStore              // the destination
	toReg                // none, but the opcode of the store: VMOVD from vector to general register
)

// Inst is one instruction with its operands in Intel's order, destination first. The typed methods of Assembler
// build it; Decode reads it back from code.
type Inst struct {
	Op     Op
	Size   Size // vector length, or width of the general registers
	Opt    Opt
	Cond   Cond
	Place  Place
	N      uint8 // operands, without the immediate
	HasImm bool
	VEX    bool     // decoded from a VEX encoding
	Reg    [4]uint8 // register numbers; that of the memory operand is not looked at
	Mem    Mem
	Label  Label // of a jump
	Imm    int64
}

// MemAt returns the number of the memory operand, -1 if there is none.
func (in *Inst) MemAt() int {
	if !in.hasMem() {
		return -1
	}
	r := in.Op.row()
	if r.d.form() >= gALU {
		if in.Place == InStore {
			return 0
		}
		return int(in.N) - 1
	}
	return int(in.layout(r).rm)
}

// hasMem reports whether an operand is memory.
func (in *Inst) hasMem() bool { return in.Place == InLoad || in.Place == InStore }

// layout returns where the operands stand: a store turns the roles of ModRM's fields.
func (in *Inst) layout(r *row) *layout {
	if in.Place >= InStore {
		return &r.stored
	}
	return &r.load
}

// Kinds returns what each operand of in is.
func (in *Inst) Kinds() (kinds [4]Kind) {
	r := in.Op.row()
	if r.d.form() < gALU {
		return in.layout(r).kinds
	}
	for i := range kinds[:in.N] {
		kinds[i] = GP
	}
	return kinds
}

// Element returns the number of bytes that an embedded broadcast reads, 0 if Op has no broadcast.
func (op Op) Element() int { return op.row().elem() }

func (r *row) elem() int {
	if b := r.d.bcst(); b != 0 {
		return 1 << b
	}
	return 0
}

// MemBytes returns the size of the memory operand of in: one element with Bcst.
func (in *Inst) MemBytes() int {
	r := in.Op.row()
	if in.Opt&Bcst != 0 {
		return r.elem()
	}
	if r.d.form() >= gALU && r.d&memMask == 0 {
		return int(in.Size) / 8
	}
	_, full := r.d.memBytes(in.Size)
	return full
}

// IndexBytes returns the size of the index elements of a gather or scatter: what the first letter of VGATHERDPS says.
func (in *Inst) IndexBytes() int {
	d := in.Op.row().d
	_, data := d.memBytes(in.Size)
	switch {
	case d.rm() == Half:
		return data / 2
	case d.reg() == Half:
		return data * 2
	}
	return data
}
