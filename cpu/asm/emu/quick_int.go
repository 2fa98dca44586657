package emu

import "github.com/goxla/xla/cpu/asm"

// same sets an operation on elements of w bytes that are no floats.
func (t *quickOps) same(op asm.Op, w int, fn quickFn) { t[op] = quick{w: w, fn: fn, over: 1} }

func (t *quickOps) logic() {
	for op, fn := range map[asm.Op]func(x, y uint64) uint64{
		asm.VPANDD: func(x, y uint64) uint64 { return x & y }, asm.VANDPS: func(x, y uint64) uint64 { return x & y },
		asm.VPANDND: func(x, y uint64) uint64 { return ^x & y }, asm.VANDNPS: func(x, y uint64) uint64 { return ^x & y },
		asm.VPORD: func(x, y uint64) uint64 { return x | y }, asm.VORPS: func(x, y uint64) uint64 { return x | y },
		asm.VPXORD: func(x, y uint64) uint64 { return x ^ y }, asm.VXORPS: func(x, y uint64) uint64 { return x ^ y },
	} {
		t.same(op, 4, wordsOf(fn))
		t.same(op+1, 8, wordsOf(fn))
	}
	ternary := func(d, a, b *vec, n int, imm uint8) {
		for i := range n {
			d[i] = ternaryWord(d[i], a[i], b[i], imm)
		}
	}
	t.same(asm.VPTERNLOGD, 4, ternary)
	t.same(asm.VPTERNLOGQ, 8, ternary)
}

func ternaryWord(x, y, z uint64, imm uint8) (r uint64) {
	for i := range 8 {
		if imm>>i&1 == 1 {
			r |= choose(x, i&4) & choose(y, i&2) & choose(z, i&1)
		}
	}
	return r
}

func wordsOf(fn func(x, y uint64) uint64) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		for i, x := range a[:n] {
			d[i] = fn(x, b[i])
		}
	}
}

func doublesOf(fn func(x, y uint32) uint32) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		r, y := d.u32()[:2*n], b.u32()[:2*n]
		for i, x := range a.u32()[:2*n] {
			r[i] = fn(x, y[i])
		}
	}
}

func (t *quickOps) ints() {
	for op, fn := range map[asm.Op]func(x, y uint32) uint32{
		asm.VPADDD:  func(x, y uint32) uint32 { return x + y },
		asm.VPSUBD:  func(x, y uint32) uint32 { return x - y },
		asm.VPMULLD: func(x, y uint32) uint32 { return x * y },
		asm.VPSLLVD: func(x, y uint32) uint32 { return x << y },
		asm.VPSRLVD: func(x, y uint32) uint32 { return x >> y },
		asm.VPMAXSD: func(x, y uint32) uint32 { return uint32(max(int32(x), int32(y))) },
		asm.VPMINSD: func(x, y uint32) uint32 { return uint32(min(int32(x), int32(y))) },
		asm.VPMAXUD: func(x, y uint32) uint32 { return max(x, y) },
		asm.VPMINUD: func(x, y uint32) uint32 { return min(x, y) },
	} {
		t.same(op, 4, doublesOf(fn))
	}
	for op, fn := range map[asm.Op]func(x, y uint64) uint64{
		asm.VPADDQ:   func(x, y uint64) uint64 { return x + y },
		asm.VPSUBQ:   func(x, y uint64) uint64 { return x - y },
		asm.VPMULLQ:  func(x, y uint64) uint64 { return x * y },
		asm.VPMULUDQ: func(x, y uint64) uint64 { return x & ones(4) * (y & ones(4)) },
		asm.VPSLLVQ:  func(x, y uint64) uint64 { return x << y },
		asm.VPSRLVQ:  func(x, y uint64) uint64 { return x >> y },
	} {
		t.same(op, 8, wordsOf(fn))
	}
	t.shifts()
}

// shifts by an immediate.
func (t *quickOps) shifts() {
	for op, fn := range map[asm.Op]func(x uint32, n uint8) uint32{
		asm.VPSLLDI: func(x uint32, n uint8) uint32 { return x << n },
		asm.VPSRLDI: func(x uint32, n uint8) uint32 { return x >> n },
		asm.VPSRADI: func(x uint32, n uint8) uint32 { return uint32(int32(x) >> n) },
		asm.VPROLDI: func(x uint32, n uint8) uint32 { return x<<(n&31) | x>>(32-n&31) },
	} {
		t.same(op, 4, func(d, a, _ *vec, n int, imm uint8) {
			r := d.u32()[:2*n]
			for i, x := range a.u32()[:2*n] {
				r[i] = fn(x, imm)
			}
		})
	}
	for op, fn := range map[asm.Op]func(x uint64, n uint8) uint64{
		asm.VPSLLQI: func(x uint64, n uint8) uint64 { return x << n },
		asm.VPSRLQI: func(x uint64, n uint8) uint64 { return x >> n },
		asm.VPSRAQI: func(x uint64, n uint8) uint64 { return uint64(int64(x) >> n) },
	} {
		t.same(op, 8, func(d, a, _ *vec, n int, imm uint8) {
			for i, x := range a[:n] {
				d[i] = fn(x, imm)
			}
		})
	}
}
