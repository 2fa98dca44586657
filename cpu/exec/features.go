package exec

import (
	"errors"
	"runtime"
	"sync"
)

// Features describes a processor. A feature counts only where the system also saves the registers
// that it uses.
type Features struct {
	Vendor string // "GenuineIntel", "AuthenticAMD", or empty
	Brand  string // the processor's name in words, or empty

	// AVX2 stands for the whole of the tier: AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT.
	AVX2    bool
	AVXVNNI bool // VEX forms of the int8 dot products
	// AVX512 stands for the whole of the tier: F, BW, CD, DQ, VL.
	AVX512                                                                         bool
	AVX512VNNI, AVX512BF16, AVX512FP16, AVX512IFMA                                 bool
	AVX512VBMI, AVX512VBMI2, AVX512BITALG, AVX512VPOPCNTDQ, GFNI, VAES, VPCLMULQDQ bool
	// The AMX features do not say that the system grants the permission; see [EnableAMX].
	AMXTile, AMXBF16, AMXInt8, AMXFP16 bool

	// Caches holds the sizes in bytes: of one core for L1D and L2, of all cores that share it for
	// L3. Usual sizes stand where the processor does not tell.
	L1D, L2, L3 int
	// ThreadsPerCore is the number of hardware threads of one core, at least 1.
	ThreadsPerCore int
}

// Usual sizes of caches, for processors that do not tell theirs.
const (
	usualL1D = 32 << 10
	usualL2  = 512 << 10
	usualL3  = 8 << 20
)

// Host describes the processor that this program runs on. It is found once.
func Host() Features { return host() }

var host = sync.OnceValue(func() Features {
	f := presented(detect())
	f.L1D, f.L2, f.L3 = orUsual(f.L1D, usualL1D), orUsual(f.L2, usualL2), orUsual(f.L3, usualL3)
	f.ThreadsPerCore = max(f.ThreadsPerCore, 1)
	return f
})

func orUsual(size, usual int) int {
	if size <= 0 {
		return usual
	}
	return size
}

// NearL3 is how many bytes of the last cache take what so many threads write faster than memory takes it past the
// caches, or 0: none do.
//
// Of AMD with AVX-512 it is of few cores: a core of Zen 5 fills 97 bytes of it a nanosecond, two fill 200; past it they
// write 42 together, and so does one, which then leaves most of the cache to others. With more of it a core of Zen 4 is
// faster where it only moves elements, and slower where it computes. A core of Zen 3 copies 50 to 70 bytes a nanosecond
// in it, 45 past it, until both arrays have a third of it; two copy 100 and 85, up to half of it. Of Intel with
// AVX-512 before Ice Lake it is of many cores, so half of it counts; a core fills 24 bytes of it a nanosecond, and
// writes 7 past it, wherever they go.
func (f Features) NearL3(threads int) int {
	amd := f.Vendor == "AuthenticAMD"
	switch {
	case amd && !f.AVX512 && threads == 1:
		return f.L3 * 9 / 32
	case amd && (!f.AVX512 || threads == 1):
		return f.L3 * 3 / 8
	case amd:
		return f.L3
	case f.FarL3():
		return f.L3 / 2
	}
	return 0
}

// FarL3 reports whether a core waits so long for a line of the last cache that it gets several times as much where the
// hardware asks for what follows by itself: of Intel with AVX-512 before Ice Lake it is of slices of all cores. Of the
// last cache it reads 24 bytes a nanosecond then, and less than 8 where code asks for pieces of rows.
func (f Features) FarL3() bool { return f.Vendor == "GenuineIntel" && f.AVX512 && !f.AVX512VBMI2 }

// AskFrom is from how many bytes on what is only read is not in the caches for the most part, so that code asks for its
// lines, into the second cache, or 0: never. It is known of Zen 4 only: one core reads 31 to 34 bytes of memory a
// nanosecond by itself, 25 where rows are apart, and 40 to 50 so; of the last cache it reads less so.
func (f Features) AskFrom() int {
	if f.HalfVectors() {
		return f.L3 * 3 / 4
	}
	return 0
}

// AheadFrom is from how many bytes on code that goes over rows several times asks for the next row before its turn, or
// 0: from where they are not in the second cache. On AMD it is what is not in the first one, of whose lines the
// hardware brings few before they are read: layer norms of f32[64,1024] take 8.7 us on Zen 4, asked for, 7.1.
func (f Features) AheadFrom() int {
	if f.Vendor == "AuthenticAMD" {
		return f.L1D
	}
	return 0
}

// QuickDivision reports whether a vector of quotients takes no longer than the products that would make up for it: on
// processors of AMD with AVX-512. Zen 5 divides 64 bytes of f32 in 2.5 cycles and of f64 in 4, others take four times
// as long.
func (f Features) QuickDivision() bool { return f.amdWide() }

// SplitUnits reports whether floats are summed by units of their own, beside those for products: on processors of AMD
// with AVX-512. What compares into an opmask takes the place of a product there, and what reads three registers,
// such as a lookup in two of them, and a store of 64 bytes take that of a fused one; a broadcast of a number in memory
// to 64 bytes is a shuffle; results below the least number take no longer than others.
func (f Features) SplitUnits() bool { return f.amdWide() }

// amdWide reports whether it is a processor of AMD with AVX-512.
func (f Features) amdWide() bool { return f.Vendor == "AuthenticAMD" && f.AVX512 }

// SlowGather reports whether a gather takes longer than a load of each element that is stored at once: on Intel before
// its processors with the forms of AVX-VNNI, where gathers wait for what else is loaded.
func (f Features) SlowGather() bool { return f.Vendor == "GenuineIntel" && !f.AVXVNNI }

// HalfVectors reports whether an operation on 64 bytes takes two slots, as those on two halves do: on AMD with AVX-512
// before its processors with the forms of AVX-VNNI, Zen 4.
func (f Features) HalfVectors() bool { return f.amdWide() && !f.AVXVNNI }

// AsksRows reports whether code asks for the lines of rows of memory that it reads in turns, a few elements of each, as
// a transpose does: on processors of AMD. The hardware of Zen 4 follows 16 rows at once, of 64 it brings the lines so
// late that f32[4096,4096] takes 5.2 ms; asked for, 3.8. That of Sapphire Rapids follows enough by itself.
func (f Features) AsksRows() bool { return f.Vendor == "AuthenticAMD" }

// Tier returns the highest tier that a processor with these features runs.
func (f Features) Tier() Tier {
	switch {
	case !canExec || !f.AVX2:
		return Portable
	case !f.AVX512:
		return AVX2
	case !f.AMXTile || !f.AMXBF16 && !f.AMXInt8:
		return AVX512
	}
	return AMX
}

// Cores returns the number of physical cores that the program may use, at least 1. It takes the
// processors open to the program for whole cores.
func (f Features) Cores() int { return max(1, runtime.NumCPU()/max(f.ThreadsPerCore, 1)) }

// ErrNoAMX says that this machine has no AMX, or that the system does not let the program use it.
var ErrNoAMX = errors.New("AMX is not available")

// EnableAMX obtains the system's permission to use AMX tiles, for all threads of the program, and
// returns an error that wraps [ErrNoAMX] where there is none. It asks once and remembers.
func EnableAMX() error { return enableAMX() }

var enableAMX = sync.OnceValue(func() error {
	if !Host().AMXTile {
		return ErrNoAMX
	}
	return requestTiles()
})
