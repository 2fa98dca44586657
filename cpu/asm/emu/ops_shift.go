package emu

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

// Shifts of x, w bytes wide, by any count.
func shl(x, n uint64, w int) uint64 {
	if n >= uint64(8*w) {
		return 0
	}
	return x << n
}

func shr(x, n uint64, w int) uint64 {
	if n >= uint64(8*w) {
		return 0
	}
	return x >> n
}

func sar(x, n uint64, w int) uint64 { return uint64(signed(x, w) >> min(n, uint64(8*w-1))) }

func rol(x, n uint64, w int) uint64 {
	if w == 4 {
		return uint64(bits.RotateLeft32(uint32(x), int(n&31)))
	}
	return bits.RotateLeft64(x, int(n&63))
}

func ror(x, n uint64, w int) uint64 { return rol(x, -n, w) }

type shiftFn func(x, n uint64, w int) uint64

// shifts: by an immediate, by the low quadword of a register, by each lane's own count. Words, doublewords, quadwords.
func (t *ops) shifts() {
	for _, k := range []struct {
		fn            shiftFn
		imm, one, own [3]asm.Op
	}{
		{shl, [3]asm.Op{asm.VPSLLWI, asm.VPSLLDI, asm.VPSLLQI}, [3]asm.Op{asm.VPSLLW, asm.VPSLLD, asm.VPSLLQ},
			[3]asm.Op{asm.VPSLLVW, asm.VPSLLVD, asm.VPSLLVQ}},
		{shr, [3]asm.Op{asm.VPSRLWI, asm.VPSRLDI, asm.VPSRLQI}, [3]asm.Op{asm.VPSRLW, asm.VPSRLD, asm.VPSRLQ},
			[3]asm.Op{asm.VPSRLVW, asm.VPSRLVD, asm.VPSRLVQ}},
		{sar, [3]asm.Op{asm.VPSRAWI, asm.VPSRADI, asm.VPSRAQI}, [3]asm.Op{asm.VPSRAW, asm.VPSRAD, asm.VPSRAQ},
			[3]asm.Op{asm.VPSRAVW, asm.VPSRAVD, asm.VPSRAVQ}},
		{rol, [3]asm.Op{0, asm.VPROLDI, asm.VPROLQI}, [3]asm.Op{}, [3]asm.Op{0, asm.VPROLVD, asm.VPROLVQ}},
		{ror, [3]asm.Op{0, asm.VPRORDI, asm.VPRORQI}, [3]asm.Op{}, [3]asm.Op{0, asm.VPRORVD, asm.VPRORVQ}},
	} {
		for i := range 3 {
			w := 2 << i
			t.shift(k.fn, w, k.imm[i], k.one[i], k.own[i])
		}
	}
	t.whole(asm.VPSLLDQI, 1, func(f *full) (r vec) {
		for i := range f.n {
			if s := i&15 - int(f.imm); s >= 0 {
				r.set(1, i, f.a.get(1, i&^15+s))
			}
		}
		return r
	})
	t.whole(asm.VPSRLDQI, 1, func(f *full) (r vec) {
		for i := range f.n {
			if s := i&15 + int(f.imm); s < 16 {
				r.set(1, i, f.a.get(1, i&^15+s))
			}
		}
		return r
	})
}

func (t *ops) shift(fn shiftFn, w int, imm, one, own asm.Op) {
	if imm != 0 {
		t.same(imm, w, func(l *lane) uint64 { return fn(l.a, uint64(l.imm), w) })
	}
	if own != 0 {
		t.same(own, w, func(l *lane) uint64 { return fn(l.a, l.b, w) })
	}
	if one != 0 {
		t.whole(one, w, func(f *full) (r vec) {
			for i := range f.n / w {
				r.set(w, i, fn(f.a.get(w, i), f.b[0], w))
			}
			return r
		})
	}
}
