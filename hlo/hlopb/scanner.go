package hlopb

import (
	"strconv"
	"strings"
)

// appendInts appends {0,1}.
func appendInts(dst []byte, list []int) []byte {
	dst = append(dst, '{')
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, '}')
}

// scanner reads the texts that package hlo keeps in the form that they print in.
type scanner struct {
	text   string
	bad    bool // something else came than was expected
	blanks bool // blanks between the parts do not count
}

// done reports whether the end is reached, or an error.
func (s *scanner) done() bool { return s.bad || s.text == "" }

func (s *scanner) accept(token string) bool {
	s.skip()
	rest, ok := strings.CutPrefix(s.text, token)
	s.text = rest
	return ok
}

func (s *scanner) expect(token string) {
	if !s.accept(token) {
		s.bad = true
	}
}

func (s *scanner) skip() {
	if s.blanks {
		s.text = strings.TrimLeft(s.text, " \t\r\n")
	}
}

// take returns the characters in front that fit.
func (s *scanner) take(fits func(c byte) bool) string {
	s.skip()
	n := 0
	for n < len(s.text) && fits(s.text[n]) {
		n++
	}
	word := s.text[:n]
	s.text = s.text[n:]
	return word
}

// word reads a name of letters, digits and '_'.
func (s *scanner) word() string {
	return s.take(func(c byte) bool {
		return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	})
}

func (s *scanner) integer() int {
	digits := s.take(func(c byte) bool { return c == '-' || '0' <= c && c <= '9' })
	n, err := strconv.ParseInt(digits, 10, 64)
	s.bad = s.bad || err != nil
	return int(n)
}

// integers reads {0,1}.
func (s *scanner) integers() []int {
	s.expect("{")
	var list []int
	for !s.done() && !s.accept("}") {
		list = append(list, s.integer())
		s.accept(",")
	}
	return list
}

// simpleEscapes are the escapes of one letter that op.AppendQuoted writes.
var simpleEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\'': '\'', '\\': '\\'}

// quoted reads what op.AppendQuoted writes.
func (s *scanner) quoted() string {
	s.expect(`"`)
	var out []byte
	for !s.done() {
		c := s.text[0]
		s.text = s.text[1:]
		switch c {
		case '"':
			return string(out)
		case '\\':
			c = s.escape()
		}
		out = append(out, c)
	}
	s.bad = true
	return ""
}

// escape reads an escape from behind its backslash.
func (s *scanner) escape() byte {
	if s.text == "" {
		s.bad = true
		return 0
	}
	if c, ok := simpleEscapes[s.text[0]]; ok {
		s.text = s.text[1:]
		return c
	}
	const octal = 3
	digits := s.text[:min(octal, len(s.text))]
	c, err := strconv.ParseUint(digits, 8, 8)
	s.bad = s.bad || err != nil || len(digits) < octal
	s.text = s.text[len(digits):]
	return byte(c)
}
