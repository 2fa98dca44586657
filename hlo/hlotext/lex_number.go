package hlotext

import (
	"math"
	"strconv"
	"strings"
)

// numeric reads what begins with a digit, '-' or '?'. The forms are tried in the
// order that XLA tries them: number with point or exponent, dimension labels
// (01bf_01io->01bf), sizes (3x3), padding (0_1x-1_0), integer, -inf, -nan.
func (l *lexer) numeric() token {
	start := l.off
	rest := l.text[start:]
	if strings.HasPrefix(rest, "->") {
		l.off += 2
		return token{kind: kindArrow, pos: start}
	}
	if n := scanDecimal(rest); n > 0 {
		return l.decimal(start, n)
	}
	for _, f := range [...]struct {
		kind kind
		scan func(string) int
	}{{kindDimLabels, scanDimLabels}, {kindDxD, scanDxD}, {kindPad, scanPad}} {
		if n := f.scan(rest); n > 0 {
			l.off += n
			return token{kind: f.kind, pos: start, text: rest[:n]}
		}
	}
	switch {
	case scanInt(rest) > 0:
		return l.integer(start, scanInt(rest))
	case strings.HasPrefix(rest, "-inf"):
		l.off += 4
		return token{kind: kindNegInf, pos: start, text: rest[:4]}
	case strings.HasPrefix(rest, "-nan"):
		return l.nan(start, start+4, true)
	case rest[0] == '?':
		l.off++
		return token{kind: kindQuestion, pos: start}
	}
	return token{kind: kindBad, pos: start}
}

func (l *lexer) decimal(start, n int) token {
	l.off = start + n
	t := token{kind: kindDecimal, pos: start, text: l.text[start:l.off]}
	// An error is an overflow, for which the value is an infinity, as in XLA.
	t.decimal, _ = strconv.ParseFloat(t.text, 64)
	return t
}

// integer reads an integer from -2^63 to 2^64-1; the upper half wraps to negative numbers.
func (l *lexer) integer(start, n int) token {
	text := l.text[start : start+n]
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return token{kind: kindBad, pos: start}
		}
		value = int64(u)
	}
	if int64(int(value)) != value { // where an int has 32 bits
		return token{kind: kindBad, pos: start}
	}
	l.off = start + n
	return token{kind: kindInt, pos: start, text: text, integer: int(value)}
}

// nan reads the payload that may follow a nan ending at end: (0x123).
func (l *lexer) nan(start, end int, negative bool) token {
	bits := uint64(math.Float64bits(math.NaN()))&^1 | 1<<51
	if end < len(l.text) && l.text[end] == '(' {
		n := nanPayload(l.text[end:])
		payload, err := strconv.ParseUint(strings.TrimPrefix(l.text[end:end+n], "(0x"), 16, 64)
		if n == 0 || err != nil || payload == 0 || payload >= 1<<52 {
			return token{kind: kindBad, pos: start}
		}
		bits = 0x7ff<<52 | payload
		end += n + 1
	}
	if negative {
		bits |= 1 << 63
	}
	l.off = end
	return token{kind: kindDecimal, pos: start, text: l.text[start:end], decimal: math.Float64frombits(bits)}
}

// nanPayload returns the length of "(0x12" in text that goes on with ")"; 0 if there is none.
func nanPayload(text string) int {
	if !strings.HasPrefix(text, "(0x") {
		return 0
	}
	n := 3
	for n < len(text) && strings.IndexByte("0123456789abcdefABCDEF", text[n]) >= 0 {
		n++
	}
	if n == 3 || n == len(text) || text[n] != ')' {
		return 0
	}
	return n
}

// The scan functions return how much of the start of text has a form, 0 for none.

func scanDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func scanInt(text string) int {
	sign := 0
	if strings.HasPrefix(text, "-") {
		sign = 1
	}
	if n := scanDigits(text[sign:]); n > 0 {
		return sign + n
	}
	return 0
}

// scanDecimal takes a number with a point, an exponent or both: 1.5, 5., -.5, 1e-3.
func scanDecimal(text string) int {
	n := 0
	if text[0] == '-' {
		n = 1
	}
	whole := scanDigits(text[n:])
	n += whole
	point := n < len(text) && text[n] == '.'
	if point {
		fraction := scanDigits(text[n+1:])
		if whole+fraction == 0 {
			return 0
		}
		n += 1 + fraction
	} else if whole == 0 {
		return 0
	}
	if e := scanExponent(text[n:]); e > 0 {
		return n + e
	}
	if point {
		return n
	}
	return 0
}

func scanExponent(text string) int {
	if text == "" || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	n := 1
	if n < len(text) && (text[n] == '+' || text[n] == '-') {
		n++
	}
	if digits := scanDigits(text[n:]); digits > 0 {
		return n + digits
	}
	return 0
}

// scanDimLabels takes lhs_rhs->out, where each part has two or more labels.
func scanDimLabels(text string) int {
	n := scanLabels(text, "bf?")
	if n < 2 || !strings.HasPrefix(text[n:], "_") {
		return 0
	}
	n++
	kernel := scanLabels(text[n:], "io?")
	if kernel < 2 || !strings.HasPrefix(text[n+kernel:], "->") {
		return 0
	}
	n += kernel + 2
	out := scanLabels(text[n:], "bf?")
	if out < 2 {
		return 0
	}
	return n + out
}

func scanLabels(text, letters string) int {
	n := 0
	for n < len(text) && (isDigit(text[n]) || strings.IndexByte(letters, text[n]) >= 0) {
		n++
	}
	return n
}

// scanDxD takes two or more integers with x between them.
func scanDxD(text string) int {
	n := scanDigits(text)
	if n == 0 {
		return 0
	}
	more := scanRepeated(text[n:], func(s string) int { return scanDigits(s) })
	if more == 0 {
		return 0
	}
	return n + more
}

// scanPad takes low_high or low_high_interior, once or more with x between.
func scanPad(text string) int {
	n := scanPadDim(text)
	if n == 0 {
		return 0
	}
	return n + scanRepeated(text[n:], scanPadDim)
}

func scanPadDim(text string) int {
	n := scanInt(text)
	if n == 0 || !strings.HasPrefix(text[n:], "_") {
		return 0
	}
	high := scanInt(text[n+1:])
	if high == 0 {
		return 0
	}
	n += 1 + high
	if strings.HasPrefix(text[n:], "_") {
		if interior := scanDigits(text[n+1:]); interior > 0 {
			n += 1 + interior
		}
	}
	return n
}

// scanRepeated takes what item takes, each time after an x.
func scanRepeated(text string, item func(string) int) int {
	n := 0
	for strings.HasPrefix(text[n:], "x") {
		size := item(text[n+1:])
		if size == 0 {
			break
		}
		n += 1 + size
	}
	return n
}
