package emu

import (
	"math"
	"math/bits"
	"strings"

	"github.com/goxla/xla/cpu/asm"
)

// toInt rounds x to an integer of w bytes; what does not fit gives the indefinite value: the most negative one, or all
// ones if unsigned.
func toInt(f *format, w int, unsigned bool) func(x uint64, round asm.Opt) uint64 {
	limit := math.Ldexp(1, 8*w-1)
	return func(x uint64, round asm.Opt) uint64 {
		v := roundInt(f.value(x), round)
		switch {
		case unsigned && v >= 0 && v < 2*limit:
			if v >= 1<<63 {
				return uint64(v-1<<63) | 1<<63
			}
			return uint64(v)
		case unsigned:
			return ones(w)
		case v >= -limit && v < limit:
			return uint64(int64(v)) & ones(w)
		}
		return 1 << (8*w - 1)
	}
}

// fromInt converts an integer of w bytes to f.
func fromInt(f *format, w int, unsigned bool) func(x uint64, round asm.Opt) uint64 {
	return func(x uint64, round asm.Opt) uint64 {
		neg := false
		if s := uint(64 - 8*w); !unsigned && int64(x<<s) < 0 {
			neg, x = true, uint64(-(int64(x<<s) >> s))
		}
		return f.fromUint(x, neg, round)
	}
}

// fromUint rounds the integer x, negated if neg, to f.
func (f *format) fromUint(x uint64, neg bool, round asm.Opt) uint64 {
	if x == 0 {
		return 0
	}
	sign := uint64(0)
	if neg {
		sign = f.sign
	}
	n := uint(bits.Len64(x)) - 1 // exponent
	if n <= f.mant {
		return sign | uint64(f.bias+int(n))<<f.mant | x<<(f.mant-n)&(1<<f.mant-1)
	}
	s := n - f.mant
	r := sign | uint64(f.bias+int(n))<<f.mant | x>>s&(1<<f.mant-1)
	rest, half := x&(1<<s-1), uint64(1)<<(s-1)
	up := rest > half || rest == half && r&1 == 1
	switch round {
	case asm.RZ:
		up = false
	case asm.RD:
		up = neg && rest != 0
	case asm.RU:
		up = !neg && rest != 0
	}
	if up {
		r++
	}
	return r
}

// conversion is one row of the table of packed conversions.
type conversion struct {
	op     asm.Op
	dw, sw int
	fn     func(x uint64, round asm.Opt) uint64
}

// flushing returns fn with denormal sources, and results of VCVTPD2PS, as zeros where the machine flushes them.
func (c *conversion) flushing(fn laneFn) laneFn {
	switch {
	case c.op == asm.VCVTPD2PS:
		return f32.flushingFrom(f64, fn)
	case !c.fromFloat():
		return fn
	case c.sw == 4:
		return f32.testing(fn)
	}
	return f64.testing(fn)
}

// fromFloat reports whether sources are floats that may be flushed, which half floats are not.
func (c *conversion) fromFloat() bool {
	name := c.op.String()
	return strings.HasPrefix(name, "vcvtps") || strings.HasPrefix(name, "vcvtpd") || strings.HasPrefix(name, "vcvtt")
}

func truncating(fn func(x uint64, round asm.Opt) uint64) func(x uint64, round asm.Opt) uint64 {
	return func(x uint64, _ asm.Opt) uint64 { return fn(x, asm.RZ) }
}

func (t *ops) converts() {
	for _, c := range []conversion{
		{asm.VCVTDQ2PS, 4, 4, fromInt(f32, 4, false)}, {asm.VCVTUDQ2PS, 4, 4, fromInt(f32, 4, true)},
		{asm.VCVTDQ2PD, 8, 4, fromInt(f64, 4, false)}, {asm.VCVTUDQ2PD, 8, 4, fromInt(f64, 4, true)},
		{asm.VCVTQQ2PD, 8, 8, fromInt(f64, 8, false)}, {asm.VCVTUQQ2PD, 8, 8, fromInt(f64, 8, true)},
		{asm.VCVTQQ2PS, 4, 8, fromInt(f32, 8, false)}, {asm.VCVTUQQ2PS, 4, 8, fromInt(f32, 8, true)},
		{asm.VCVTPS2DQ, 4, 4, toInt(f32, 4, false)}, {asm.VCVTPS2UDQ, 4, 4, toInt(f32, 4, true)},
		{asm.VCVTPD2DQ, 4, 8, toInt(f64, 4, false)}, {asm.VCVTPD2UDQ, 4, 8, toInt(f64, 4, true)},
		{asm.VCVTPD2QQ, 8, 8, toInt(f64, 8, false)}, {asm.VCVTPD2UQQ, 8, 8, toInt(f64, 8, true)},
		{asm.VCVTPS2QQ, 8, 4, toInt(f32, 8, false)}, {asm.VCVTPS2UQQ, 8, 4, toInt(f32, 8, true)},
		{asm.VCVTTPS2DQ, 4, 4, truncating(toInt(f32, 4, false))}, {asm.VCVTTPS2UDQ, 4, 4, truncating(toInt(f32, 4, true))},
		{asm.VCVTTPD2DQ, 4, 8, truncating(toInt(f64, 4, false))}, {asm.VCVTTPD2UDQ, 4, 8, truncating(toInt(f64, 4, true))},
		{asm.VCVTTPD2QQ, 8, 8, truncating(toInt(f64, 8, false))}, {asm.VCVTTPD2UQQ, 8, 8, truncating(toInt(f64, 8, true))},
		{asm.VCVTTPS2QQ, 8, 4, truncating(toInt(f32, 8, false))}, {asm.VCVTTPS2UQQ, 8, 4, truncating(toInt(f32, 8, true))},
		{asm.VCVTPS2PD, 8, 4, widen}, {asm.VCVTPD2PS, 4, 8, narrow}, {asm.VCVTPH2PS, 4, 2, halfToSingle},
		{asm.VCVTNEPS2BF16, 2, 4, func(x uint64, _ asm.Opt) uint64 { return singleToBF16(x) }},
	} {
		t.lane(c.op, c.dw, c.sw, c.flushing(func(l *lane) uint64 { return c.fn(l.a, l.round) }))
	}
	t.lane(asm.VCVTPS2PH, 2, 4, f32.testing(func(l *lane) uint64 { return singleToHalf(l.a, immRound(l.imm)) }))
	t[asm.VCVTNE2PS2BF16] = (*Machine).narrowPair
	t.scalarConverts()
}

// narrowPair rounds two vectors of float32 to one of bfloat16, the second source into the low half. The mask counts
// results, a broadcast repeats a source.
func (m *Machine) narrowPair(in *inst) {
	a, b := m.operand(in, 1, 4), m.operand(in, 2, 4)
	if m.err != nil {
		return
	}
	n := int(in.Size) / 32
	var out vec
	for i := range n {
		out.set(2, i, singleToBF16(b.get(4, i)))
		out.set(2, n+i, singleToBF16(a.get(4, i)))
	}
	m.merge(in, 2, 2*n, &out, &m.v[in.Reg[0]])
	m.put(in, 2, 2*n, ^uint64(0), &out)
}

func widen(x uint64, _ asm.Opt) uint64 {
	if f32.isNaN(x) {
		return x>>31<<63 | f64.inf | f64.quiet | x&(1<<23-1)<<29
	}
	return f64.bits(f32.value(x))
}

func narrow(x uint64, round asm.Opt) uint64 {
	if f64.isNaN(x) {
		return x>>63<<31 | f32.inf | f32.quiet | x>>29&(1<<23-1)
	}
	v := f64.value(x)
	r := f32.bits(v)
	if round == asm.RN || math.IsInf(v, 0) {
		return r
	}
	return f32.direct(r, round, func() int { return compare(exact(v), f32, r) }, false)
}

func halfToSingle(x uint64, _ asm.Opt) uint64 {
	sign, exp, frac := x>>15<<31, x>>10&31, x&1023
	switch {
	case exp == 31 && frac != 0:
		return sign | f32.inf | f32.quiet | frac<<13
	case exp == 31:
		return sign | f32.inf
	case exp == 0:
		return sign | f32.bits(math.Ldexp(float64(frac), -24))
	}
	return sign | (exp+112)<<23 | frac<<13
}

func singleToHalf(x uint64, round asm.Opt) uint64 {
	sign := x >> 31 << 15
	if f32.isNaN(x) {
		return sign | 0x7E00 | x>>13&0x1FF
	}
	mag := f32.value(x &^ f32.sign)
	if math.IsInf(mag, 0) {
		return sign | 0x7C00
	}
	// Count in units of the last place: of the denormals, or of the binade.
	unit := -24
	if _, e := math.Frexp(mag); mag != 0 && e > -13 {
		unit = e - 11
	}
	if sign != 0 && round == asm.RD || sign == 0 && round == asm.RU {
		round = asm.RU // away from zero
	} else if round != asm.RN {
		round = asm.RZ
	}
	n := roundInt(math.Ldexp(mag, -unit), round)
	bits := uint64(unit+24)<<10 + uint64(n)
	if bits >= 0x7C00 {
		bits = 0x7C00
		if round == asm.RZ {
			bits = 0x7BFF
		}
	}
	return sign | bits
}

// singleToBF16 rounds to nearest even; denormals become zero.
func singleToBF16(x uint64) uint64 {
	switch mag := x &^ f32.sign; {
	case f32.isNaN(x):
		return x>>16 | 0x40
	case mag < 1<<23:
		return x >> 31 << 15
	}
	return (x + 0x7FFF + x>>16&1) >> 16
}

func (t *ops) scalarConverts() {
	for i, ops := range [][6]asm.Op{
		{asm.VCVTSI2SS, asm.VCVTUSI2SS, asm.VCVTSS2SI, asm.VCVTTSS2SI, asm.VCVTSS2USI, asm.VCVTTSS2USI},
		{asm.VCVTSI2SD, asm.VCVTUSI2SD, asm.VCVTSD2SI, asm.VCVTTSD2SI, asm.VCVTSD2USI, asm.VCVTTSD2USI},
	} {
		f := []*format{f32, f64}[i]
		for j, op := range ops {
			switch j {
			case 0, 1:
				t[op] = func(m *Machine, in *inst) { m.fromGeneral(in, f, j == 1) }
			default:
				t[op] = func(m *Machine, in *inst) { m.toGeneral(in, f, j >= 4, j&1 == 1) }
			}
		}
	}
	t[asm.VCVTSS2SD] = func(m *Machine, in *inst) { m.scalarConvert(in, 8, 4, widen) }
	t[asm.VCVTSD2SS] = func(m *Machine, in *inst) { m.scalarConvert(in, 4, 8, narrow) }
}

func (m *Machine) scalarConvert(in *inst, dw, sw int, fn func(x uint64, round asm.Opt) uint64) {
	active := m.active(in)
	b := m.source(in, 2, sw, 1, active)
	a, old := m.v[in.Reg[1]], m.v[in.Reg[0]]
	out := vec{a[0], a[1]}
	switch {
	case active&1 != 0:
		out.set(dw, 0, m.flushed(fn(m.flushed(b.get(sw, 0), sw), in.rounding()), dw))
	case in.Opt&asm.Zero != 0:
		out.set(dw, 0, 0)
	default:
		out.set(dw, 0, old.get(dw, 0))
	}
	m.put(in, dw, 1, 1, &out)
}

func (m *Machine) fromGeneral(in *inst, f *format, unsigned bool) {
	w := int(in.Size) / 8
	var x uint64
	if in.memAt == 2 {
		x = m.load(m.address(in), w)
	} else {
		x = m.gp[in.Reg[2]] & ones(w)
	}
	a := m.v[in.Reg[1]]
	out := vec{a[0], a[1]}
	out.set(f.w, 0, fromInt(f, w, unsigned)(x, in.rounding()))
	m.put(in, f.w, 1, 1, &out)
}

func (m *Machine) toGeneral(in *inst, f *format, unsigned, truncate bool) {
	w := int(in.Size) / 8
	b := m.source(in, 1, f.w, 1, 1)
	round := in.rounding()
	if truncate {
		round = asm.RZ
	}
	m.gp[in.Reg[0]] = toInt(f, w, unsigned)(m.flushed(b.get(f.w, 0), f.w), round)
}

// flushed is x, a float of w bytes, or a zero in place of a denormal one.
func (m *Machine) flushed(x uint64, w int) uint64 {
	switch {
	case !m.flush:
		return x
	case w == 4:
		return f32.flush(x)
	}
	return f64.flush(x)
}
