package stablehlo

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// shortDigits is the number of digits with which a number is written if it is exact
// with so many.
const shortDigits = 6

// appendFloat appends a number as MLIR does: 1.500000e+00 where six digits say it all,
// else with as many digits as the format needs; infinities and NaN as hexadecimal bits.
func appendFloat(dst []byte, pattern uint64, t FloatType) []byte {
	v := t.Float64(pattern)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return appendFloatBits(dst, pattern)
	}
	digits, exp := decimal(math.Abs(v), shortDigits)
	from := len(dst)
	if math.Signbit(v) {
		dst = append(dst, '-')
	}
	sign := len(dst)
	dst = appendScientific(dst, digits, exp, shortDigits)
	if back, err := strconv.ParseFloat(string(dst[from:]), 64); err == nil && t.FromFloat64(back) == pattern {
		return dst
	}
	dst = appendPlain(dst[:sign], v, t)
	if bytes.IndexByte(dst[sign:], '.') >= 0 {
		return dst
	}
	return appendFloatBits(dst[:from], pattern)
}

// appendF64 appends an f64.
func appendF64(dst []byte, v float64) []byte { return appendFloat(dst, math.Float64bits(v), F64) }

// appendFloatBits appends 0x and the bits.
func appendFloatBits(dst []byte, pattern uint64) []byte {
	text := strconv.FormatUint(pattern, 16)
	return append(append(dst, "0x"...), strings.ToUpper(text)...)
}

// isHexFloat reports whether text is what appendFloatBits writes.
func isHexFloat(text []byte) bool { return bytes.HasPrefix(text, []byte("0x")) }

// decimal returns the first n significant digits of v and the power of ten of the first
// one, without the zeros at the end. It rounds as LLVM does, whose digits MLIR prints:
// digits beyond about n are cut off, and those that are left beyond n round half up.
func decimal(v float64, n int) (digits string, exp int) {
	if v == 0 {
		return "0", 0
	}
	fraction, power := math.Frexp(v)
	mantissa := uint64(math.Ldexp(fraction, 53))
	zeros := bits.TrailingZeros64(mantissa)
	whole, exp := natural{mantissa >> zeros}, power-53+zeros
	if exp > 0 {
		whole = whole.timesPower(2, exp)
		exp = 0
	} else { // m * 2^-k is m * 5^k * 10^-k
		whole = whole.timesPower(5, -exp)
	}
	if cut := (whole.bits() - (n*196+58)/59) * 59 / 196; cut > 0 {
		whole = whole.overPower(10, cut)
		exp += cut
	}
	text := whole.decimal()
	exp += len(text) - 1
	if len(text) > n {
		var carry bool
		if text, carry = roundDigits(text, n); carry {
			exp++
		}
	}
	return strings.TrimRight(text, "0"), exp
}

// roundDigits rounds to n digits, half up; carry says that the result is 1 and the
// power of ten one higher.
func roundDigits(text string, n int) (digits string, carry bool) {
	if text[n] < '5' {
		return text[:n], false
	}
	kept := strings.TrimRight(text[:n], "9")
	if kept == "" {
		return "1", true
	}
	last := len(kept) - 1
	return kept[:last] + string(kept[last]+1), false
}

// appendScientific appends d.ddddde+dd with precision digits after the point.
func appendScientific(dst []byte, digits string, exp, precision int) []byte {
	dst = append(append(dst, digits[0], '.'), digits[1:]...)
	for range precision - len(digits) + 1 {
		dst = append(dst, '0')
	}
	sign := byte('+')
	if exp < 0 {
		sign, exp = '-', -exp
	}
	dst = append(dst, 'e', sign)
	if exp < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(exp), 10)
}

// maxPadding is the number of zeros beside the point up to which a number is written
// without an exponent.
const maxPadding = 3

// appendPlain appends |v| with the digits that its format needs.
func appendPlain(dst []byte, v float64, t FloatType) []byte {
	precision := 2 + (formats[t].mantissa+1)*59/196
	digits, first := decimal(math.Abs(v), precision)
	last := first - len(digits) + 1 // the power of ten of the last digit
	var scientific bool
	switch {
	case last >= 0:
		scientific = last > maxPadding || len(digits)+last > precision
	case first < 0:
		scientific = -first > maxPadding
	}
	switch {
	case scientific:
		return appendExponent(dst, digits, first)
	case last >= 0:
		return append(append(dst, digits...), strings.Repeat("0", last)...)
	case first >= 0:
		dst = append(append(dst, digits[:first+1]...), '.')
		return append(dst, digits[first+1:]...)
	}
	dst = append(append(dst, "0."...), strings.Repeat("0", -first-1)...)
	return append(dst, digits...)
}

// appendExponent appends d.dddE+d.
func appendExponent(dst []byte, digits string, exp int) []byte {
	dst = append(dst, digits[0], '.')
	if len(digits) == 1 {
		dst = append(dst, '0')
	}
	dst = append(append(dst, digits[1:]...), 'E')
	if exp >= 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exp), 10)
}
