package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// halfBits is the width of the lanes of a shortShift.
const halfBits = 16

// shortShift is a shift to the right in lanes of 16 bits: of x, or of the upper half of the product of x and y.
type shortShift struct {
	*shorts
	ok   bool
	x, y loop.Value
	high asm.Op // that gives the upper half, or 0
	// factor, if not 0, is the constant that x is multiplied with, instead of y.
	factor int64
	up     int // shift to the left first
	op     asm.Op
	by     int
	op2    asm.Op // another one behind, or 0
	by2    int
}

// shiftOf finds the form of Sar or Shr i; ok is false if there is none.
func (s *shorts) shiftOf(i *loop.Inst) (f shortShift) {
	f.shorts = s
	by, ok := s.count(i)
	if !ok || by > 31 {
		return f
	}
	from := s.g.nest.Inst(i.Args[0])
	if !s.inLoop[i.Args[0]] {
		from = &loop.Inst{}
	}
	f.op = asm.VPSRAWI
	if i.Op == loop.Shr {
		f.op = asm.VPSRLWI
	}
	switch {
	case from.Op == loop.Shl && by >= halfBits && f.ofUpper(from, by), from.Op == loop.Mul && f.ofProduct(i, from, by):
		return f
	}
	f.plain(i, by)
	return f
}

// ofUpper is a shift of the upper half of what was shifted to the left.
func (f *shortShift) ofUpper(from *loop.Inst, by int) bool {
	up, ok := f.count(from)
	if !ok || up < halfBits || up > 31 {
		return false
	}
	f.x, f.up, f.by, f.ok = from.Args[0], up-halfBits, by-halfBits, true
	return true
}

// ofProduct is a shift of a product of numbers that fit 16 bits: of its upper half, or of that of one with a constant
// that was shifted before.
func (f *shortShift) ofProduct(i, from *loop.Inst, by int) bool {
	f.x, f.y = from.Args[0], from.Args[1]
	if f.g.nest.Inst(f.x).Op == loop.Const {
		f.x, f.y = f.y, f.x
	}
	signed, unsigned := f.fitBoth(f.x, f.y)
	if by >= halfBits && (signed || unsigned) {
		f.high, f.by, f.ok = asm.VPMULHW, by-halfBits, true
		if !signed {
			f.high = asm.VPMULHUW
		}
		return true
	}
	c := f.g.nest.Inst(f.y)
	if by >= halfBits || c.Op != loop.Const {
		return false
	}
	lo, _ := f.g.span(i.Args[0])
	factor := int64(int32(c.Imm)) << (halfBits - by)
	fits := factor == int64(int16(factor))
	switch {
	case signed && fits && (i.Op == loop.Sar || lo >= 0):
		f.high = asm.VPMULHW
	case unsigned && lo >= 0 && factor == int64(uint16(factor)):
		f.high = asm.VPMULHUW
	default:
		return false
	}
	f.factor, f.by, f.ok = factor, 0, true
	return true
}

// plain is a shift of a number that fits 16 bits.
func (f *shortShift) plain(i *loop.Inst, by int) {
	signed, unsigned := f.fits(i.Args[0])
	f.x, f.by, f.ok = i.Args[0], min(by, halfBits-1), signed || unsigned
	switch {
	case unsigned:
		f.op, f.by = asm.VPSRLWI, by
	case i.Op == loop.Shr && by == 31: // the sign, which is the same in 16 bits
		f.op = asm.VPSRLWI
	case i.Op == loop.Shr:
		f.op = asm.VPSRAWI
		if by > halfBits {
			f.op2, f.by2 = asm.VPSRLWI, by-halfBits
		}
	}
}

// make makes its code for the present pair.
func (f *shortShift) make() reg {
	c, size := f.g.c, f.g.c.vl
	x := f.value(f.x)
	if f.up > 0 {
		x = c.vi(asm.VPSLLWI, size, uint8(f.up), x)
	}
	if f.high != 0 {
		y := f.constant(f.factor)
		if f.factor == 0 {
			y = f.value(f.y)
		}
		x = c.v(f.high, size, x, y)
	}
	if f.by > 0 {
		x = c.vi(f.op, size, uint8(f.by), x)
	}
	if f.op2 != 0 {
		x = c.vi(f.op2, size, uint8(f.by2), x)
	}
	return x
}
