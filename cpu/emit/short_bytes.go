package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Shifts to the right of bytes: those of pairs of bytes, without the bits that came from the other one.

// canShiftBytes reports whether i shifts a number that fits a byte.
func (s *shorts) canShiftBytes(i *loop.Inst) bool {
	by, ok := s.count(i)
	signed, unsigned := s.fits(i.Args[0])
	return ok && by < 32 && (signed || unsigned)
}

// shiftBytes makes i.
func (s *shorts) shiftBytes(i *loop.Inst) reg {
	by, _ := s.count(i)
	x := s.value(i.Args[0])
	c, size := s.g.c, s.g.c.vl
	_, unsigned := s.fits(i.Args[0])
	switch {
	case unsigned:
		return s.cutBytes(x, by)
	case i.Op == loop.Shr && by == 31:
		return s.cutBytes(x, 7)
	}
	sign := s.constant(0x80 >> min(by, 7))
	r := c.v(asm.VPSUBB, size, c.v(asm.VPXORD, size, s.cutBytes(x, min(by, 7)), sign), sign)
	if i.Op == loop.Shr && by > 24 {
		r = c.v(asm.VPANDD, size, r, s.constant(0xFF>>(by-24)))
	}
	return r
}

// cutBytes is bytes without a sign, shifted to the right.
func (s *shorts) cutBytes(x reg, by int) reg {
	if by == 0 {
		return x
	}
	c := s.g.c
	return c.v(asm.VPANDD, c.vl, c.vi(asm.VPSRLWI, c.vl, uint8(by), x), s.constant(0xFF>>min(by, 8)))
}
