package stablehlo

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// shortDigits is the number of digits with which a number is written if it is exact
// with so many; tieDigits is how many digits more decide a tie, and allDigits are
// enough to write any f64 exactly.
const (
	shortDigits = 6
	tieDigits   = 20
	allDigits   = 1100
)

// appendFloat appends a number as MLIR does: 1.500000e+00 where six digits say it all,
// else with as many digits as the format needs; infinities and NaN as hexadecimal bits.
func appendFloat(dst []byte, bits uint64, t FloatType) []byte {
	v := t.Float64(bits)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return appendFloatBits(dst, bits, t)
	}
	digits, exp := decimal(math.Abs(v), shortDigits)
	from := len(dst)
	if math.Signbit(v) {
		dst = append(dst, '-')
	}
	sign := len(dst)
	dst = appendScientific(dst, digits, exp, shortDigits)
	if back, err := strconv.ParseFloat(string(dst[from:]), 64); err == nil && t.FromFloat64(back) == bits {
		return dst
	}
	dst = appendPlain(dst[:sign], v, t)
	if bytes.IndexByte(dst[sign:], '.') >= 0 {
		return dst
	}
	return appendFloatBits(dst[:from], bits, t)
}

// appendF64 appends an f64.
func appendF64(dst []byte, v float64) []byte { return appendFloat(dst, math.Float64bits(v), F64) }

// appendFloatBits appends 0x and the bits, with all digits of the format.
func appendFloatBits(dst []byte, bits uint64, t FloatType) []byte {
	text := strconv.FormatUint(bits, 16)
	return append(append(dst, "0x"...), strings.ToUpper(text)...)
}

// isHexFloat reports whether text is what appendFloatBits writes.
func isHexFloat(text []byte) bool { return bytes.HasPrefix(text, []byte("0x")) }

// decimal returns the first n significant digits of v, rounded half up, without the
// zeros at the end, and the power of ten of the first digit.
func decimal(v float64, n int) (digits string, exp int) {
	if v == 0 {
		return "0", 0
	}
	text := strconv.FormatFloat(v, 'e', n-1, 64)
	if long := strconv.FormatFloat(v, 'e', n-1+tieDigits, 64); isTie(long, n) {
		if long = strconv.FormatFloat(v, 'e', allDigits, 64); isTie(long, n) {
			// To even is what strconv does; the next number up is half up.
			text = strconv.FormatFloat(math.Nextafter(v, math.Inf(1)), 'e', n-1, 64)
		}
	}
	mantissa, power, _ := strings.Cut(text, "e")
	exp, _ = strconv.Atoi(power)
	digits = strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	return digits, exp
}

// isTie reports whether the digits of text after the first n are 5 and zeros.
func isTie(text string, n int) bool {
	mantissa, _, _ := strings.Cut(text, "e")
	rest := mantissa[n+1:]
	return rest[0] == '5' && strings.Trim(rest[1:], "0") == ""
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
