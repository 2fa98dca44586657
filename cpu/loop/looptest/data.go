package looptest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/goxla/xla/cpu/loop"
)

// corners are values at which operations turn, as integers or as the bits of floats.
var (
	corners32 = []uint32{0, 1, 2, 3, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00ffffff,
		0x01000001, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x4b000001,
		0x4f000000, 0xcf000000, 0x4effffff, 0x3f000000, 0xbf000000, 0x40200000, 0x477fe000, 0x477ff000, 0x33000000,
		0x387fc000, 0x3f808000, 0x3f818000}
	corners64 = []uint64{0, 1, 2, 3, 63, 64, 65, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 1, 1<<64 - 2, 1<<53 + 1, 1 << 32,
		1<<32 - 1, 1 << 31, 0x3ff0 << 48, 0xbff0 << 48, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 0x0010 << 48, 1<<52 - 1,
		0x43e0 << 48, 0xc3e0 << 48, 0x43dfffffffffffff, 0x41dfffffffc00000, 0x41e0 << 48, 0xc1e0 << 48,
		0xc1e00000001fffff, 0x3fe0 << 48, 0x4004 << 48, 0x36a0 << 48, 0x7fffffbfffffffff, 0x7fffff4000000001,
		0x8000008000000001}
)

// Fill fills b with elements of type m: corners, small and random values.
func Fill(r *rand.Rand, m loop.Mem, b []byte) {
	n := int(m.Bytes())
	for k := 0; k+n <= len(b); k += n {
		switch n {
		case 1:
			b[k] = byte(r.Uint32())
			if m == loop.MemPred {
				b[k] &= 1
			}
		case 2:
			binary.LittleEndian.PutUint16(b[k:], uint16(r.Uint32())>>(r.IntN(2)*r.IntN(16)))
		case 4:
			binary.LittleEndian.PutUint32(b[k:], word32(r, m == loop.MemF32))
		default:
			binary.LittleEndian.PutUint64(b[k:], word64(r, m == loop.MemF64))
		}
	}
}

func word32(r *rand.Rand, float bool) uint32 {
	switch {
	case r.IntN(3) == 0:
		return corners32[r.IntN(len(corners32))]
	case float && r.IntN(2) == 0:
		return math.Float32bits(float32(r.NormFloat64() * math.Ldexp(1, r.IntN(40)-10)))
	}
	return r.Uint32() >> (r.IntN(2) * r.IntN(32))
}

func word64(r *rand.Rand, float bool) uint64 {
	switch {
	case r.IntN(3) == 0:
		return corners64[r.IntN(len(corners64))]
	case float && r.IntN(2) == 0:
		return math.Float64bits(r.NormFloat64() * math.Ldexp(1, r.IntN(80)-10))
	}
	return r.Uint64() >> (r.IntN(2) * r.IntN(64))
}

// Exponents fills b with integral floats of type m, as Scale takes them.
func Exponents(r *rand.Rand, m loop.Mem, b []byte) {
	special := []float64{0, -126, -127, 127, 128, -1022, -1023, 1023, 1024, 1e6, -1e6, math.NaN()}
	n := int(m.Bytes())
	for k := 0; k+n <= len(b); k += n {
		reach := 300
		if m == loop.MemF64 {
			reach = 2300
		}
		e := float64(r.IntN(2*reach) - reach)
		if r.IntN(8) == 0 {
			e = special[r.IntN(len(special))]
		}
		if m == loop.MemF64 {
			binary.LittleEndian.PutUint64(b[k:], math.Float64bits(e))
		} else {
			binary.LittleEndian.PutUint32(b[k:], math.Float32bits(float32(e)))
		}
	}
}

// Diff returns the first element of type m in which got and want differ, or -1. NaN equals NaN.
func Diff(m loop.Mem, got, want []byte) int {
	n := int(m.Bytes())
	for k := 0; k+n <= len(want); k += n {
		if !bytes.Equal(got[k:k+n], want[k:k+n]) && !(isNaN(m, got[k:]) && isNaN(m, want[k:])) {
			return k / n
		}
	}
	return -1
}

func isNaN(m loop.Mem, b []byte) bool {
	switch m {
	case loop.MemF32:
		return binary.LittleEndian.Uint32(b)&(1<<31-1) > 0xff<<23
	case loop.MemF64:
		return binary.LittleEndian.Uint64(b)&(1<<63-1) > 0x7ff<<52
	case loop.MemF16:
		return binary.LittleEndian.Uint16(b)&(1<<15-1) > 0x1f<<10
	case loop.MemBF16:
		return binary.LittleEndian.Uint16(b)&(1<<15-1) > 0xff<<7
	}
	return false
}
