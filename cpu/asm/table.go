package asm

import (
	"slices"
	"strconv"
)

// table holds the row of each Op; entry 0 is empty.
var table = slices.Concat([]row{{name: "(bad)"}}, opFloatRows[:], opConvertRows[:], opIntRows[:], opShuffleRows[:],
	opMoveRows[:], opMaskRows[:], opGeneralRows[:])

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

// HasEVEX reports whether op takes masks, 512 bits and registers from 16 on.
func (op Op) HasEVEX() bool { return op.row().d.has(evex) }

// ReadsDst reports whether op reads its destination even without a mask: FMA, VPTERNLOG, VPERMT2, dot products.
func (op Op) ReadsDst() bool { return op.row().d.has(accum) }

// Scalar reports whether op ignores the vector length.
func (op Op) Scalar() bool { return op.row().d.has(lig) }
