package literal

import (
	"math"
	"strconv"
)

// unparsable is XLA's message for a decimal beyond the range of float64.
const unparsable = "Constant is out of range for double (+/-%.6g) and so is unparsable."

type numberKind uint8

const (
	intNumber numberKind = iota
	floatNumber
	boolNumber
)

// number is a numeric token of HLO text, or true or false.
type number struct {
	kind numberKind
	// overflows is set for a decimal too large for a float64.
	overflows bool
	i         int64   // an integer; one from 2^63 to 2^64-1 as its bits; 1 for true
	f         float64 // a decimal, infinity or NaN with its payload
}

// float returns the value as a float64.
func (n number) float() float64 {
	if n.kind == floatNumber {
		return n.f
	}
	return float64(n.i)
}

// number reads the token at pos. If there is none, ok is false and pos stays.
//
//	int     = -?[0-9]+
//	decimal = -?[0-9]+[.][0-9]* | -[.][0-9]+ | either, or an int, with [eE][+-]?[0-9]+
func (p *textParser) number() (n number, ok bool) {
	s, i := p.text, p.pos
	negative := i < len(s) && s[i] == '-'
	if negative {
		i++
	}
	first := i
	var m uint64 // the digits; correct up to maxDigits of them
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		m = m*10 + uint64(s[i]-'0')
	}
	digits, exp, decimal := i-first, 0, false
	if i < len(s) && s[i] == '.' {
		dot := i
		for i++; i < len(s) && s[i]-'0' <= 9; i++ {
			m = m*10 + uint64(s[i]-'0')
		}
		exp = dot + 1 - i
		decimal = digits > 0 || negative && exp < 0
		digits -= exp
	}
	if digits == 0 || !decimal && exp < 0 {
		return p.word()
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if e, end := scanExponent(s, i+1); end > 0 {
			exp, i, decimal = exp+e, end, true
		}
	}
	if !decimal {
		return p.integer(i, m, digits, negative)
	}
	n = number{kind: floatNumber}
	if n.f, ok = exactFloat(m, digits, exp); !ok {
		n.f, n.overflows = parseFloat(s[first:i])
	}
	if negative {
		n.f = -n.f
	}
	p.pos = i
	return n, true
}

// maxDigits is how many decimal digits always fit a uint64.
const maxDigits = 19

// exactFloat returns m * 10^exp where one rounding gives it; m has so many digits,
// leading zeros included.
func exactFloat(m uint64, digits, exp int) (f float64, ok bool) {
	if digits > maxDigits || m > 1<<53 {
		return 0, false
	}
	return scaleByPower(float64(m), exp)
}

func parseFloat(text string) (f float64, overflows bool) {
	f, _ = strconv.ParseFloat(text, 64)
	return f, math.IsInf(f, 0)
}

// scanExponent reads [+-]?[0-9]+ at s[i]; end is 0 if it is not there.
func scanExponent(s string, i int) (exp, end int) {
	const huge = 1 << 20 // beyond any float64, whatever the mantissa
	negative := i < len(s) && s[i] == '-'
	if negative || i < len(s) && s[i] == '+' {
		i++
	}
	first := i
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		exp = min(exp*10+int(s[i]-'0'), huge)
	}
	if i == first {
		return 0, 0
	}
	if negative {
		exp = -exp
	}
	return exp, i
}

// integer finishes an integer that ends before end. It is refused if it needs more
// than 64 bits, or if it starts a longer token: sizes, padding or dimension labels.
func (p *textParser) integer(end int, m uint64, digits int, negative bool) (n number, ok bool) {
	if digits >= maxDigits {
		var err error
		if m, err = strconv.ParseUint(p.text[end-digits:end], 10, 64); err != nil {
			return number{}, false
		}
	}
	if negative && m > 1<<63 {
		return number{}, false
	}
	if end < len(p.text) && startsPattern(p.text[p.pos:], end-p.pos) {
		return number{}, false
	}
	p.pos = end
	if negative {
		m = -m
	}
	return number{kind: intNumber, i: int64(m)}, true
}

// startsPattern reports whether text, which starts with an integer of n bytes,
// starts with `2x3`, `0_1` or `0b_0i->0b`, each of which HLO text has as one token.
func startsPattern(text string, n int) bool {
	rest := text[n:]
	switch rest[0] {
	case 'x':
		if text[0] != '-' && startsDigit(rest[1:]) {
			return true
		}
	case '_':
		after := rest[1:]
		if len(after) > 0 && after[0] == '-' {
			after = after[1:]
		}
		if startsDigit(after) {
			return true
		}
	case 'b', 'f', '?':
	default:
		return false
	}
	return startsDimLabels(text)
}

func startsDigit(text string) bool { return len(text) > 0 && text[0]-'0' <= 9 }

// startsDimLabels reports whether text starts with the dimension labels of a convolution.
func startsDimLabels(text string) bool {
	rest, ok := skipLabels(text, 'b', 'f', "_")
	if ok {
		rest, ok = skipLabels(rest, 'i', 'o', "->")
	}
	if ok {
		_, ok = skipLabels(rest, 'b', 'f', "")
	}
	return ok
}

// skipLabels skips two or more digits, '?' or the letters a and b, and then after.
func skipLabels(text string, a, b byte, after string) (rest string, ok bool) {
	n := 0
	for n < len(text) && (text[n]-'0' <= 9 || text[n] == a || text[n] == b || text[n] == '?') {
		n++
	}
	if n < 2 || len(text) < n+len(after) || text[n:n+len(after)] != after {
		return "", false
	}
	return text[n+len(after):], true
}

// word reads true, false, inf, nan, -inf or -nan. Without the minus they are
// whole identifiers.
func (p *textParser) word() (n number, ok bool) {
	rest := p.text[p.pos:]
	negative := len(rest) > 0 && rest[0] == '-'
	if negative {
		rest = rest[1:min(4, len(rest))]
	} else {
		rest = rest[:wordLen(rest)]
	}
	end := p.pos + len(rest)
	if negative {
		end++
	}
	n = number{kind: floatNumber}
	switch {
	case rest == "inf":
		n.f = math.Inf(1)
	case rest == "nan":
		payload, length := nanPayload(p.text[end:])
		if payload == 0 {
			return number{}, false
		}
		n.f = math.Float64frombits(0x7ff<<52 | payload)
		end += length
	case rest == "true" && !negative:
		n = number{kind: boolNumber, i: 1}
	case rest == "false" && !negative:
		n = number{kind: boolNumber}
	default:
		return number{}, false
	}
	if negative {
		n.f = math.Copysign(n.f, -1)
	}
	p.pos = end
	return n, true
}

// wordLen returns the length of the identifier at the start of text, with the ':'
// or '=' behind it that would make it a name.
func wordLen(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	if n > 0 && n < len(text) && (text[n] == ':' || text[n] == '=') {
		n++
	}
	return n
}

func isWordByte(c byte) bool {
	return c|0x20-'a' < 26 || c-'0' <= 9 || c == '_' || c == '.' || c == '-'
}

// quietNaN is the payload of the default NaN of a float64.
const quietNaN = 1 << 51

// nanPayload reads `(0xHEX)` at the start of text. Without parenthesis it is that of
// the default NaN; a payload of 0 says that the parenthesis holds none that is valid.
func nanPayload(text string) (payload uint64, length int) {
	const most = 1<<52 - 1
	if len(text) == 0 || text[0] != '(' {
		return quietNaN, 0
	}
	if len(text) < 3 || text[1:3] != "0x" {
		return 0, 0
	}
	i := 3
	for ; i < len(text) && text[i] != ')'; i++ {
		digit := hexDigit(text[i])
		if digit > 15 || payload > most>>4 {
			return 0, 0
		}
		payload = payload<<4 | digit
	}
	if i == len(text) {
		return 0, 0
	}
	return payload, i + 1
}

// hexDigit returns the value of a hexadecimal digit, more than 15 for any other byte.
func hexDigit(c byte) uint64 {
	switch {
	case c-'0' <= 9:
		return uint64(c - '0')
	case c|0x20-'a' < 6:
		return uint64(c|0x20-'a') + 10
	}
	return 16
}
