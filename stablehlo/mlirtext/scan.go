package mlirtext

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// scanner walks over the text. White space and comments before a token are skipped by
// the method that looks for it.
type scanner struct {
	file  string
	text  string
	pos   int // of the next byte
	line  int // of pos, from 0
	start int // of the line that pos is in
	depth int // of the nesting
}

// mark is a place to which the scanner can return.
type mark struct{ pos, line, start int }

func (s *scanner) mark() mark { return mark{s.pos, s.line, s.start} }

func (s *scanner) reset(m mark) { s.pos, s.line, s.start = m.pos, m.line, m.start }

// place returns line and column of the next token.
//
//go:noinline
func (s *scanner) place() stablehlo.Pos {
	s.space()
	return stablehlo.Pos{Line: s.line + 1, Col: s.pos - s.start + 1}
}

// errorf returns an error at the next token.
func (s *scanner) errorf(format string, args ...any) error {
	return s.errorAt(s.place(), format, args...)
}

// errorAt returns an error at a place.
func (s *scanner) errorAt(pos stablehlo.Pos, format string, args ...any) error {
	return &stablehlo.Error{File: s.file, Pos: pos, Err: fmt.Errorf(format, args...)}
}

// expected returns the error that what should come next is not there.
func (s *scanner) expected(what string) error {
	return s.errorf("expected %s, got %s", what, s.next())
}

// next describes the next token for an error.
func (s *scanner) next() string {
	s.space()
	if s.pos >= len(s.text) {
		return "the end of the text"
	}
	const most = 40
	end := s.pos + 1
	for end < len(s.text) && end-s.pos < most && isWordByte(s.text[end-1]) && isWordByte(s.text[end]) {
		end++
	}
	return fmt.Sprintf("%q", s.text[s.pos:end])
}

// space skips white space and comments.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case '\n':
			s.newline()
		case ' ', '\t', '\r':
			s.pos++
		case '/':
			if !strings.HasPrefix(s.text[s.pos:], "//") {
				return
			}
			s.skipLine()
		default:
			return
		}
	}
}

func (s *scanner) newline() {
	s.pos++
	s.line++
	s.start = s.pos
}

// skipLine moves to the end of the line.
func (s *scanner) skipLine() {
	if n := strings.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
		s.pos += n
	} else {
		s.pos = len(s.text)
	}
}

// peek returns the first byte of the next token, 0 at the end.
//
//go:noinline
func (s *scanner) peek() byte {
	s.space()
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// atEnd reports whether no token is left.
func (s *scanner) atEnd() bool { return s.peek() == 0 && s.pos >= len(s.text) }

// accept skips a token if it comes next: punctuation, or a word that ends there.
//
//go:noinline
func (s *scanner) accept(token string) bool {
	if !s.sees(token) {
		return false
	}
	s.pos += len(token)
	return true
}

// sees reports whether the token comes next.
func (s *scanner) sees(token string) bool {
	s.space()
	if !strings.HasPrefix(s.text[s.pos:], token) {
		return false
	}
	end := s.pos + len(token)
	return !isWordByte(token[len(token)-1]) || end >= len(s.text) || !isWordByte(s.text[end])
}

// expect skips a token that must come next.
func (s *scanner) expect(token string) error {
	if s.accept(token) {
		return nil
	}
	return s.expected(fmt.Sprintf("%q", token))
}

// word reads a name such as stablehlo.add: a letter or _, then letters, digits, _, $
// and dots. It returns "" if none comes next.
func (s *scanner) word() string {
	c := s.peek()
	if !isLetter(c) {
		return ""
	}
	from := s.pos
	for s.pos < len(s.text) && isNameByte(s.text[s.pos]) {
		s.pos++
	}
	return s.text[from:s.pos]
}

// suffix reads what follows the sigil of a name: %name, %3, ^bb0, @name, #name. Dashes
// may stand in it.
func (s *scanner) suffix() string {
	from := s.pos
	for s.pos < len(s.text) && (isNameByte(s.text[s.pos]) || s.text[s.pos] == '-') {
		if s.text[s.pos] == '-' && strings.HasPrefix(s.text[s.pos:], "->") {
			break
		}
		s.pos++
	}
	return s.text[from:s.pos]
}

func isLetter(c byte) bool { return c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z') }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWordByte reports whether c may stand in a word.
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) }

// isNameByte reports whether c may stand in a name after its first letter.
func isNameByte(c byte) bool { return isWordByte(c) || c == '.' || c == '$' }

// quoted reads a string; ok is false if none comes next.
func (s *scanner) quoted() (value string, ok bool, err error) {
	if s.peek() != '"' {
		return "", false, nil
	}
	raw, err := s.rawQuoted()
	if err != nil {
		return "", false, err
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return raw, true, nil
	}
	value, bad := unescape(raw)
	if bad {
		return "", false, s.errorf("expected an escape of \\n, \\t, \\\", \\\\ or two hexadecimal digits in %q", raw)
	}
	return value, true, nil
}

// rawQuoted skips a string and returns what stands between the quotes.
func (s *scanner) rawQuoted() (string, error) {
	end := endOfString(s.text, s.pos)
	if end < 0 {
		return "", s.errorf("expected '\"' at the end of the string, got the end of the text")
	}
	raw := s.text[s.pos+1 : end]
	if strings.IndexByte(raw, '\n') >= 0 {
		return "", s.errorf("expected '\"' at the end of the string, got a new line")
	}
	s.pos = end + 1
	return raw, nil
}

// escapes are the one-letter escapes of strings.
var escapes = map[byte]byte{'n': '\n', 't': '\t', '"': '"', '\\': '\\'}

// unescape replaces the escapes of a string; bad is true if there is one that is none.
func unescape(raw string) (value string, bad bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		if i++; i >= len(raw) {
			return "", true
		}
		if c, ok := escapes[raw[i]]; ok {
			b.WriteByte(c)
			continue
		}
		if i+1 >= len(raw) || hexDigit(raw[i]) < 0 || hexDigit(raw[i+1]) < 0 {
			return "", true
		}
		b.WriteByte(byte(hexDigit(raw[i])<<4 | hexDigit(raw[i+1])))
		i++
	}
	return b.String(), false
}

// hexDigit returns the value of a hexadecimal digit, -1 for another byte.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// closers are the brackets that balanced knows.
var closers = map[byte]byte{'<': '>', '(': ')', '[': ']', '{': '}'}

// balanced returns where the bracket that stands at from closes: the place of the
// closing one. Strings and -> are skipped. It returns -1 if nothing closes it.
func (s *scanner) balanced(from int) int {
	var open [MaxNesting]byte
	depth := 0
	for i := from; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '<', '(', '[', '{':
			if depth == MaxNesting {
				return -1
			}
			open[depth] = closers[c]
			depth++
		case '>', ')', ']', '}':
			if c == '>' && s.text[i-1] == '-' {
				continue
			}
			if depth--; open[depth] != c {
				return -1
			}
			if depth == 0 {
				return i
			}
		case '"':
			n := endOfString(s.text, i)
			if n < 0 {
				return -1
			}
			i = n
		case '/':
			if strings.HasPrefix(s.text[i:], "//") {
				n := strings.IndexByte(s.text[i:], '\n')
				if n < 0 {
					return -1
				}
				i += n
			}
		}
	}
	return -1
}

// endOfString returns the place of the quote that ends the string that begins at from,
// -1 if there is none.
func endOfString(text string, from int) int {
	for i := from + 1; i <= len(text); {
		n := strings.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		escape := strings.IndexByte(text[i:i+n], '\\')
		if escape < 0 {
			return i + n
		}
		i += escape + 2 // what follows a backslash is no end
	}
	return -1
}

// skipTo moves to a later place, counting lines.
func (s *scanner) skipTo(pos int) {
	for {
		n := strings.IndexByte(s.text[s.pos:pos], '\n')
		if n < 0 {
			s.pos = pos
			return
		}
		s.pos += n
		s.newline()
	}
}

// enter counts the nesting up; leave must follow. It fails beyond MaxNesting.
func (s *scanner) enter() error {
	if s.depth++; s.depth > MaxNesting {
		return s.errorf("expected at most %d levels of nesting", MaxNesting)
	}
	return nil
}

func (s *scanner) leave() { s.depth-- }

// list calls read for the elements of a list with commas up to the closing bracket,
// which is skipped; the opening one has been read.
func (s *scanner) list(closing string, read func() error) error {
	if s.accept(closing) {
		return nil
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if s.accept(closing) {
			return nil
		}
		if !s.accept(",") {
			return s.expected(fmt.Sprintf("\",\" or %q", closing))
		}
	}
}
