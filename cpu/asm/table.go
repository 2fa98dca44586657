package asm

import (
	"slices"
	"strconv"
)

// table holds the row of each Op; entry 0 is empty.
var table = completed(slices.Concat([]row{{name: "(bad)"}}, opFloatRows[:], opConvertRows[:], opIntRows[:],
	opShuffleRows[:], opMoveRows[:], opMaskRows[:], opGeneralRows[:]))

// completed derives the operand layouts of each row.
func completed(rows []row) []row {
	for i := range rows {
		r := &rows[i]
		if f := r.d.form(); f < gALU {
			r.load = r.layoutOf(f)
			r.stored, r.usual = r.load, r.usualOf()
			if r.store != 0 {
				r.stored = r.layoutOf(storeForm[f>>18])
			}
		}
	}
	return rows
}

// storeForm is the form whose memory operand is the destination.
var storeForm = [...]desc{fRM >> 18: fMR, fRVM >> 18: fMVR}

// layout says what the operands of an instruction are and in which fields they stand.
type layout struct {
	reg, vvvv, rm, is4 int8 // operand number of each field, -1 where there is none
	n                  uint8
	sig                uint16 // class of operand i in bits 4i
	kinds              [4]Kind
}

func (r *row) layoutOf(form desc) layout {
	p := fieldPlaces[form>>18]
	l := layout{reg: p.reg, vvvv: p.vvvv, rm: p.rm, is4: p.is4, n: uint8(p.n)}
	set := func(at int8, k Kind) {
		if at >= 0 {
			l.kinds[at] = k
			l.sig |= uint16(classes[k]) << (4 * at)
		}
	}
	set(p.reg, r.d.reg())
	set(p.vvvv, r.d.vvvv())
	set(p.rm, r.d.rm())
	set(p.is4, r.d.reg())
	return l
}

// NumOps is one more than the largest Op: the length of a table by Op.
const NumOps = int(opGeneralEnd)

func (op Op) valid() bool { return op != 0 && int(op) < len(table) }

func (op Op) row() *row {
	if !op.valid() {
		return &table[0]
	}
	return &table[op]
}

// String returns the Intel mnemonic in lower case.
func (op Op) String() string {
	if !op.valid() {
		return "op" + strconv.Itoa(int(op))
	}
	return table[op].name
}

// General reports whether op is a legacy-encoded instruction on general registers.
func (op Op) General() bool { return op.row().d.form() >= gALU }

// HasVEX reports whether the AVX2 tier can express op (with at most 256 bits and registers below 16).
func (op Op) HasVEX() bool { return op.row().d.has(vex) }

// HasEVEX reports whether op takes 512 bits and registers from 16 on; most take masks.
func (op Op) HasEVEX() bool { return op.row().d.has(evex) }

// TakesMask reports whether op may carry an opmask, which is EVEX form too.
func (op Op) TakesMask() bool { return op.HasEVEX() && !op.row().d.has(noMask) }

// ReadsDst reports whether op reads its destination even without a mask: FMA, VPTERNLOG, VPERMT2, dot products.
func (op Op) ReadsDst() bool { return op.row().d.has(accum) }

// Scalar reports whether op ignores the vector length.
func (op Op) Scalar() bool { return op.row().d.has(lig) }
