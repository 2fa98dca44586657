package stablehlo

import (
	"math"
	"math/bits"
	"slices"
)

// natural is a whole number of any size: its words, the lowest first; the last is not 0.
type natural []uint64

// times returns x*y, in the words of x.
func (x natural) times(y uint64) natural {
	var carry uint64
	for k, word := range x {
		high, low := bits.Mul64(word, y)
		var c uint64
		x[k], c = bits.Add64(low, carry, 0)
		carry = high + c
	}
	if carry != 0 {
		x = append(x, carry)
	}
	return x
}

// over returns x/y and the rest, in the words of x.
func (x natural) over(y uint64) (quotient natural, rest uint64) {
	for k := len(x) - 1; k >= 0; k-- {
		x[k], rest = bits.Div64(rest, x[k], y)
	}
	if n := len(x); n > 0 && x[n-1] == 0 {
		x = x[:n-1]
	}
	return x, rest
}

// timesPower returns x * y^n, in the words of x.
func (x natural) timesPower(y uint64, n int) natural {
	for n > 0 {
		factor, count := power(y, n)
		x, n = x.times(factor), n-count
	}
	return x
}

// overPower returns x / y^n without the rest, in the words of x.
func (x natural) overPower(y uint64, n int) natural {
	for n > 0 {
		factor, count := power(y, n)
		x, _ = x.over(factor)
		n -= count
	}
	return x
}

// power returns the largest of the first n powers of y that fits in a word, and which it is.
func power(y uint64, n int) (power uint64, count int) {
	for power = 1; count < n && power <= math.MaxUint64/y; count++ {
		power *= y
	}
	return power, count
}

// bits returns the number of bits of x.
func (x natural) bits() int {
	n := len(x)
	if n == 0 {
		return 0
	}
	return 64*(n-1) + bits.Len64(x[n-1])
}

// decimal returns the digits of x, of which it leaves nothing.
func (x natural) decimal() string {
	var text []byte
	for len(x) > 0 {
		var digit uint64
		x, digit = x.over(10)
		text = append(text, byte('0'+digit))
	}
	slices.Reverse(text)
	return string(text)
}
