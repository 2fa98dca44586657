package literal

import (
	"math/bits"

	"github.com/goxla/xla/shape"
)

// integer lists the Go types of integer elements.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// intRange returns the smallest and the largest value of the integer type t.
func intRange(t shape.ElementType) (lowest int64, highest uint64) {
	if t.IsSigned() {
		return -1 << (t.Bits() - 1), 1<<(t.Bits()-1) - 1
	}
	return 0, 1<<t.Bits() - 1
}

// saturate returns the bits of v in the integer type t: truncated toward zero, the
// nearest end of the range where v is outside, and 0 for NaN.
func saturate(t shape.ElementType, v float64) uint64 {
	lowest, highest := intRange(t)
	switch {
	case v != v:
		return 0
	case v <= float64(lowest):
		return uint64(lowest)
	case v >= float64(highest): // 2^63-1 and 2^64-1 round up, and nothing lies between
		return highest
	case v < 0:
		return uint64(int64(v))
	}
	return uint64(v)
}

// floatsToInts converts as saturate does, for an integer type with the given limits.
func floatsToInts[D integer, S float](dst []D, src []S, lowest, highest D) {
	low, high := S(lowest), S(highest) // high may be rounded up, and nothing lies between
	dst = dst[:len(src)]
	for i, v := range src {
		switch {
		case v > low && v < high:
			dst[i] = D(v)
		case v >= high:
			dst[i] = highest
		case v <= low:
			dst[i] = lowest
		default:
			dst[i] = 0
		}
	}
}

// intToOdd returns v as a float64 of which an inexact last bit is set, so that
// rounding it to a narrower type rounds v itself.
func intToOdd(v int64) float64 {
	if v < 0 {
		return -float64(keepTop(-uint64(v), 53))
	}
	return float64(keepTop(uint64(v), 53))
}

// keepTop returns v with all but the top n significant bits cleared; the last of
// those is set if a cleared bit was.
func keepTop(v uint64, n int) uint64 {
	drop := max(bits.Len64(v)-n, 0)
	kept := v >> drop << drop
	if kept != v {
		kept |= 1 << drop
	}
	return kept
}
