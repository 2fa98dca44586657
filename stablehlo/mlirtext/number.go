package mlirtext

import (
	"strconv"
	"strings"
)

// number is a literal as the text has it: its sign and its digits.
type number struct {
	negative bool
	text     string // 12, 0x1F, 1.5e-3: without the sign
	hex      bool
	float    bool
}

// number reads a literal; ok is false if none comes next.
func (s *scanner) number() (n number, ok bool) {
	m := s.mark()
	n.negative = s.accept("-")
	if !isDigit(s.peek()) {
		s.reset(m)
		return n, false
	}
	from := s.pos
	if strings.HasPrefix(s.text[s.pos:], "0x") && s.pos+2 < len(s.text) && hexDigit(s.text[s.pos+2]) >= 0 {
		n.hex = true
		for s.pos += 2; s.pos < len(s.text) && hexDigit(s.text[s.pos]) >= 0; s.pos++ {
		}
	} else {
		n.float = s.decimal()
	}
	n.text = s.text[from:s.pos]
	return n, true
}

// decimal skips digits and, after a point, a fraction and an exponent.
func (s *scanner) decimal() (float bool) {
	s.digits()
	if s.pos >= len(s.text) || s.text[s.pos] != '.' {
		return false
	}
	s.pos++
	s.digits()
	m := s.pos
	if s.pos < len(s.text) && s.text[s.pos]|0x20 == 'e' {
		s.pos++
		if s.pos < len(s.text) && (s.text[s.pos] == '+' || s.text[s.pos] == '-') {
			s.pos++
		}
		if s.pos >= len(s.text) || !isDigit(s.text[s.pos]) {
			s.pos = m
		}
		s.digits()
	}
	return true
}

func (s *scanner) digits() {
	for s.pos < len(s.text) && isDigit(s.text[s.pos]) {
		s.pos++
	}
}

// integer returns the value as the bits of an integer of a width and a sign; ok is
// false if it does not fit. Hexadecimal digits, and the digits of a signless type, may
// use the unsigned range.
func (n number) integer(width int, unsigned bool) (v int64, ok bool) {
	base, digits := 10, n.text
	if n.hex {
		base, digits = 16, n.text[2:]
	}
	u, err := strconv.ParseUint(digits, base, 64)
	if err != nil || n.float {
		return 0, false
	}
	limit := ^uint64(0)
	if width < 64 {
		limit = 1<<width - 1
	}
	if n.negative {
		return int64(-u), !unsigned && u <= limit/2+1
	}
	return int64(u), u <= limit
}

// value returns the value of a decimal literal.
func (n number) value() float64 {
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil && v == 0 {
		return 0
	}
	if n.negative {
		return -v
	}
	return v
}

// int64 reads an integer that must come next.
func (s *scanner) int64() (int64, error) {
	pos := s.place()
	n, ok := s.number()
	if !ok || n.float {
		return 0, s.expected("an integer")
	}
	v, ok := n.integer(64, false)
	if !ok || (v < 0) != (n.negative && v != 0) {
		return 0, s.errorAt(pos, "expected an integer of 64 bits, got %s", n)
	}
	return v, nil
}

// longestShown is how many bytes of a literal an error repeats at most.
const longestShown = 64

// String returns the literal, or its beginning, for "expected ..., got ...".
func (n number) String() string {
	text := n.text
	if n.negative {
		text = "-" + text
	}
	if len(text) > longestShown {
		text = text[:longestShown] + "..."
	}
	return text
}
