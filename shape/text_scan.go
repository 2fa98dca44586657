package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of the text form. They bound what malformed input can cost; no real
// program comes near them.
const (
	// MaxNesting is how deep tuples and buffers may nest in text: XLA's parser stops there too.
	MaxNesting = 8192
	// MaxRank is the largest number of dimensions that text may give an array, an
	// order or a tile.
	MaxRank = 1024
)

// ParseError is an error in the text of a shape, a layout or a program.
type ParseError struct {
	Offset int    // where in the text, in bytes
	Msg    string // what was expected and what is there
}

// Error returns the message with the offset in front.
func (e *ParseError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// scanner reads text from left to right. Every method that reads skips blanks and
// comments first.
type scanner struct {
	text  string
	pos   int
	depth int
	// tight asks that a layout follows its brackets without a blank.
	tight bool
	// scratch holds the list being read, so that it can be copied at its final size;
	// dynamic tells which entries of a list of dimensions are dynamic.
	scratch [8]int
	dynamic []bool
	flags   [8]bool // room for dynamic
}

// errorf returns an error at offset.
func (s *scanner) errorf(offset int, format string, args ...any) error {
	return &ParseError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// expected returns the error for finding something other than what at the next token.
func (s *scanner) expected(what string) error {
	s.skip()
	return s.errorf(s.pos, "expected %s, got %s", what, s.found())
}

// found describes the text at pos for an error: a word, a number or a character.
func (s *scanner) found() string {
	if s.pos >= len(s.text) {
		return "the end of the text"
	}
	const longest = 20
	rest := s.text[s.pos:]
	n := 0
	for n < len(rest) && n < longest && isWordByte(rest[n]) {
		n++
	}
	if n == 0 {
		n = len(firstRune(rest))
	}
	return strconv.Quote(rest[:n])
}

// firstRune returns the first character of a text that is not empty.
func firstRune(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) }

// skip moves over blanks, /* comments */ and // comments. An open comment is left
// in place, where nothing expects it.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			s.pos++
			continue
		}
		if c != '/' {
			return
		}
		rest := s.text[s.pos:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return
			}
			s.pos += 2 + end + 2
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.pos += end
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
//
//go:noinline
func (s *scanner) peek() byte {
	s.skip()
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

// accept moves over token and reports whether it was there.
//
//go:noinline
func (s *scanner) accept(token string) bool {
	s.skip()
	if !strings.HasPrefix(s.text[s.pos:], token) {
		return false
	}
	s.pos += len(token)
	return true
}

// expect moves over token or fails.
func (s *scanner) expect(token string) error {
	if s.accept(token) {
		return nil
	}
	return s.expected(strconv.Quote(token))
}

// word returns the word that is next without moving; it is empty if none is.
func (s *scanner) word() string {
	s.skip()
	end := s.pos
	for end < len(s.text) && isWordByte(s.text[end]) && (end > s.pos || isLetter(s.text[end])) {
		end++
	}
	return s.text[s.pos:end]
}

// integer reads a decimal integer of at least least; what names it in an error.
func (s *scanner) integer(what string, least int) (int, error) {
	s.skip()
	start := s.pos
	end := start
	if end < len(s.text) && s.text[end] == '-' {
		end++
	}
	for end < len(s.text) && isDigit(s.text[end]) {
		end++
	}
	n, err := strconv.ParseInt(s.text[start:end], 10, strconv.IntSize)
	switch {
	case end == start || s.text[end-1] == '-':
		return 0, s.expected(what)
	case err != nil:
		return 0, s.errorf(start, "expected %s below 2^63, got %.30s", what, s.text[start:end])
	case int(n) < least:
		return 0, s.errorf(start, "expected %s of at least %d, got %d", what, least, n)
	}
	s.pos = end
	return int(n), nil
}

// list reads items between commas up to the byte closing, which it leaves; the
// list may be empty. The result is only valid until the next list is read.
func (s *scanner) list(closing byte, item func(*scanner) (int, error)) ([]int, error) {
	values := s.scratch[:0]
	for s.peek() != closing || len(values) > 0 {
		if len(values) > 0 && !s.accept(",") {
			return values, nil
		}
		if len(values) == MaxRank {
			return nil, s.errorf(s.pos, "expected at most %d entries", MaxRank)
		}
		v, err := item(s)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// cloneInts returns a copy of values, nil if there are none.
func cloneInts(values []int) []int {
	if len(values) == 0 {
		return nil
	}
	return slices.Clone(values)
}

// enter counts one more level of nesting; the caller lowers depth again.
func (s *scanner) enter() error {
	s.depth++
	if s.depth > MaxNesting {
		return s.errorf(s.pos, "expected at most %d nested shapes", MaxNesting)
	}
	return nil
}

// atEnd fails unless nothing but blanks and comments is left.
func (s *scanner) atEnd() error {
	s.skip()
	if s.pos < len(s.text) {
		return s.expected("the end of the text")
	}
	return nil
}
