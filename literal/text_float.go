package literal

// This file prints floating-point numbers as C's %.Ng does, with the number of
// digits that XLA chooses for each type. The fast way scales the number by an
// exact power of ten, which gives N <= 9 digits whenever the scaled number is not
// next to a half; strconv does the rest.

import (
	"math"
	"strconv"

	"github.com/goxla/xla/shape"
)

// decimal is the number digits * 10^(exp-n+1), where digits has n decimal digits:
// exp is the exponent of the first digit. Zero has digits 0.
type decimal struct {
	digits uint64
	n      int
	exp    int
}

// textDigits is the number of digits that tells any two values of a type apart,
// ceil(1 + p*log10(2)) for p significand bits.
var textDigits = [shape.NumElementTypes]int{
	shape.F16: 5, shape.BF16: 4,
	shape.F8E5M2: 2, shape.F8E5M2FNUZ: 2, shape.F8E8M0FNU: 2, shape.F4E2M1FN: 2, shape.F6E3M2FN: 2,
	shape.F8E4M3: 3, shape.F8E4M3FN: 3, shape.F8E4M3FNUZ: 3, shape.F8E4M3B11FNUZ: 3, shape.F8E3M4: 3,
	shape.F6E2M3FN: 3,
}

// exactPowers are the powers of ten that a float64 holds exactly.
var exactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

const (
	maxExactPower = len(exactPowers) - 1
	// maxFastDigits is how many digits scaling by a power gives: the error of the
	// scaled number stays below halfMargin.
	maxFastDigits = 9
	halfMargin    = 1e-6
)

// fastDecimal returns v > 0 rounded to n <= maxFastDigits digits; ok is false where
// one multiplication cannot decide the last digit.
func fastDecimal(v float64, n int) (d decimal, ok bool) {
	exp2 := int(math.Float64bits(v)>>52) - 1023
	exp := exp2 * 78913 >> 18 // floor(exp2 * log10(2)): the exponent of v or one less
	scaled, ok := scaleByPower(v, n-1-exp)
	if ok && scaled >= exactPowers[n] {
		exp++
		scaled, ok = scaleByPower(v, n-1-exp)
	}
	if !ok {
		return decimal{}, false
	}
	digits := uint64(scaled)
	frac := scaled - float64(digits)
	if math.Abs(frac-0.5) < halfMargin {
		return decimal{}, false
	}
	if frac > 0.5 {
		digits++
	}
	if digits == uint64(exactPowers[n]) {
		digits, exp = digits/10, exp+1
	}
	return decimal{digits, n, exp}, true
}

// scaleByPower returns v * 10^k rounded once; ok is false if the power is not exact.
func scaleByPower(v float64, k int) (scaled float64, ok bool) {
	switch {
	case k < -maxExactPower || k > maxExactPower:
		return 0, false
	case k < 0:
		return v / exactPowers[-k], true
	}
	return float64(v * exactPowers[k]), true
}

// roundDecimal returns v >= 0 rounded to n digits, to even at a tie.
func roundDecimal(v float64, n int) decimal {
	if n <= maxFastDigits && v > 0 {
		if d, ok := fastDecimal(v, n); ok {
			return d
		}
	}
	var buf [32]byte
	return scanDecimal(strconv.AppendFloat(buf[:0], v, 'e', n-1, 64))
}

// shortestDecimal returns the fewest digits that read back to v >= 0 in a float of
// the given width, 32 or 64.
func shortestDecimal(v float64, bits int) decimal {
	var buf [32]byte
	return scanDecimal(strconv.AppendFloat(buf[:0], v, 'e', -1, bits))
}

// scanDecimal reads what strconv writes for format 'e': "1.25e-07".
func scanDecimal(text []byte) (d decimal) {
	i := 0
	for ; text[i] != 'e'; i++ {
		if text[i] != '.' {
			d.digits = d.digits*10 + uint64(text[i]-'0')
			d.n++
		}
	}
	negative := text[i+1] == '-'
	for _, c := range text[i+2:] {
		d.exp = d.exp*10 + int(c-'0')
	}
	if negative {
		d.exp = -d.exp
	}
	return d
}

// append appends d as %.Ng with N = precision does: without trailing zeros, with
// an exponent if that is below -4 or not below precision.
func (d decimal) append(dst []byte, precision int) []byte {
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], d.digits, 10)
	n := len(digits)
	for n > 1 && digits[n-1] == '0' {
		n--
	}
	digits = digits[:n]
	switch {
	case d.exp < -4 || d.exp >= precision:
		return appendScientific(dst, digits, d.exp)
	case d.exp < 0:
		dst = append(dst, "0.0000"[:1-d.exp]...)
		return append(dst, digits...)
	case n <= d.exp+1:
		dst = append(dst, digits...)
		for range d.exp + 1 - n {
			dst = append(dst, '0')
		}
		return dst
	}
	dst = append(dst, digits[:d.exp+1]...)
	dst = append(dst, '.')
	return append(dst, digits[d.exp+1:]...)
}

// appendScientific appends d.ddde±xx with at least two digits of exponent.
func appendScientific(dst, digits []byte, exp int) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	}
	sign := byte('+')
	if exp < 0 {
		sign, exp = '-', -exp
	}
	dst = append(dst, 'e', sign)
	if exp < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendUint(dst, uint64(exp), 10)
}

// appendFloat32 appends v with 6 digits if they read back to v, else with 9.
func appendFloat32(dst []byte, v float32) []byte {
	x := float64(v)
	bits := math.Float64bits(x)
	if x-x != 0 {
		return appendNonFinite(dst, &formats[shape.F32], uint64(math.Float32bits(v)))
	}
	if bits>>63 != 0 {
		dst, x = append(dst, '-'), -x
	}
	if x == 0 {
		return append(dst, '0')
	}
	nine, ok := fastDecimal(x, 9)
	if !ok {
		return appendRoundTrip(dst, x, 6, 9, 32)
	}
	// Half the distance to the next float32 is at most 2^-24 of v, below 60 units of
	// the ninth digit: six digits can only be enough if the last three are near 0.
	if r := nine.digits % 1000; r > 61 && r < 1000-61 {
		return nine.append(dst, 9)
	}
	six := decimal{(nine.digits + 500) / 1000, 6, nine.exp}
	if six.digits == 1e6 {
		six.digits, six.exp = 1e5, six.exp+1
	}
	back, ok := scaleByPower(float64(six.digits), six.exp-5)
	if !ok || math.Float64bits(back)<<35 == 1<<63 { // reading it is not one rounding
		return appendRoundTrip(dst, x, 6, 9, 32)
	}
	if float64(float32(back)) == x {
		return six.append(dst, 6)
	}
	return nine.append(dst, 9)
}

// appendFloat64 appends v with 15 digits if they read back to v, else with 17.
func appendFloat64(dst []byte, v float64) []byte {
	const maxInteger = 1e15
	if v-v != 0 {
		return appendNonFinite(dst, &formats[shape.F64], math.Float64bits(v))
	}
	if math.Signbit(v) {
		dst, v = append(dst, '-'), -v
	}
	if v < maxInteger && v == math.Trunc(v) {
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	// As for float32: 12 units of digit 17 are more than half the distance.
	all := roundDecimal(v, 17)
	if r := all.digits % 100; r > 12 && r < 100-12 && v >= smallestNormal64 {
		return all.append(dst, 17)
	}
	return appendRoundTrip(dst, v, 15, 17, 64)
}

const smallestNormal64 = 0x1p-1022

// appendRoundTrip appends v >= 0 with few digits if they read back to v in a float
// of the given width, else with many.
func appendRoundTrip(dst []byte, v float64, few, many, bits int) []byte {
	start := len(dst)
	dst = roundDecimal(v, few).append(dst, few)
	back, err := strconv.ParseFloat(string(dst[start:]), bits)
	if err == nil && back == v {
		return dst
	}
	return roundDecimal(v, many).append(dst[:start], many)
}

// appendSmallFloat appends the value of the code bits with the digits of f's type.
func appendSmallFloat(dst []byte, f *Format, bits uint64) []byte {
	v := f.Decode(bits)
	if v-v != 0 {
		return appendNonFinite(dst, f, bits)
	}
	if math.Signbit(v) {
		dst, v = append(dst, '-'), -v
	}
	n := textDigits[f.Type]
	return roundDecimal(v, n).append(dst, n)
}

// appendNonFinite appends the infinity or NaN with the code bits. Types with
// infinities have NaN payloads, and one other than that of the default NaN shows.
func appendNonFinite(dst []byte, f *Format, bits uint64) []byte {
	bits &= f.mask
	if bits&f.signBit != 0 {
		dst = append(dst, '-')
	}
	if !f.IsNaN(bits) {
		return append(dst, "inf"...)
	}
	dst = append(dst, "nan"...)
	payload := bits & (1<<f.MantissaBits - 1)
	if !f.HasInf || payload == 1<<(f.MantissaBits-1) {
		return dst
	}
	dst = append(dst, "(0x"...)
	dst = strconv.AppendUint(dst, payload, 16)
	return append(dst, ')')
}
