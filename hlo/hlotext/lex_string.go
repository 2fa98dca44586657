package hlotext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a string in double or single quotes. The text of the token is what it stands for.
func (l *lexer) quoted() token {
	start := l.off
	raw, n := scanQuoted(l.text[start:])
	if n == 0 {
		return token{kind: kindBad, pos: start}
	}
	text, ok := unescape(raw)
	if !ok || !utf8.ValidString(raw) {
		return token{kind: kindBad, pos: start}
	}
	l.off = start + n
	return token{kind: kindString, pos: start, text: text}
}

// scanQuoted returns what stands between the quote that text begins with and its
// partner, and the length of all of it; 0 if there is none. A backslash takes any
// character but a newline with it.
func scanQuoted(text string) (raw string, n int) {
	quote := text[0]
	for n = 1; n < len(text); n++ {
		switch text[n] {
		case quote:
			return text[1:n], n + 1
		case '\\':
			n++
			if n < len(text) && text[n] == '\n' {
				return "", 0
			}
		}
	}
	return "", 0
}

// jsonDict reads raw text from the opening brace at start to its partner. Braces in
// double-quoted strings do not count.
func (l *lexer) jsonDict(start int) token {
	depth := 0
	for n := start; n < len(l.text); n++ {
		switch l.text[n] {
		case '"':
			_, size := scanQuoted(l.text[n:])
			if size == 0 {
				return token{kind: kindBad, pos: start}
			}
			n += size - 1
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				l.off = n + 1
				return token{kind: kindString, pos: start, text: l.text[start:l.off]}
			}
		}
	}
	return token{kind: kindBad, pos: start}
}

// simpleEscapes are the escapes of one letter and what they stand for.
const (
	escapeLetters = `abfnrtv\?'"`
	escapeBytes   = "\a\b\f\n\r\t\v\\?'\""
)

// unescape replaces C escapes: \n and its like, octal \101, hexadecimal \x41,
// \u0041 and \U00000041.
func unescape(raw string) (string, bool) {
	slash := strings.IndexByte(raw, '\\')
	if slash < 0 {
		return raw, true
	}
	out := make([]byte, 0, len(raw))
	for slash >= 0 {
		out = append(out, raw[:slash]...)
		raw = raw[slash+1:]
		if raw == "" {
			return "", false
		}
		var n int
		if out, n = appendEscape(out, raw); n == 0 {
			return "", false
		}
		raw = raw[n:]
		slash = strings.IndexByte(raw, '\\')
	}
	return string(append(out, raw...)), true
}

// appendEscape appends what the escape stands for that begins rest, behind the
// backslash, and returns its length; 0 for what is none.
func appendEscape(out []byte, rest string) ([]byte, int) {
	if i := strings.IndexByte(escapeLetters, rest[0]); i >= 0 {
		return append(out, escapeBytes[i]), 1
	}
	switch rest[0] {
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := spanOf(rest, "01234567", 3)
		value, err := strconv.ParseUint(rest[:n], 8, 8)
		return append(out, byte(value)), lengthIf(n, err == nil)
	case 'x', 'X':
		n := spanOf(rest[1:], "0123456789abcdefABCDEF", len(rest))
		value, err := strconv.ParseUint(rest[1:1+n], 16, 8)
		return append(out, byte(value)), lengthIf(1+n, err == nil)
	case 'u', 'U':
		size := 4
		if rest[0] == 'U' {
			size = 8
		}
		n := spanOf(rest[1:], "0123456789abcdefABCDEF", size)
		value, err := strconv.ParseUint(rest[1:1+n], 16, 32)
		ok := err == nil && n == size && value <= utf8.MaxRune && utf8.ValidRune(rune(value))
		return utf8.AppendRune(out, rune(value)), lengthIf(1+n, ok)
	}
	return out, 0
}

// spanOf returns how many of the first limit characters of text are in set.
func spanOf(text, set string, limit int) int {
	n := 0
	for n < len(text) && n < limit && strings.IndexByte(set, text[n]) >= 0 {
		n++
	}
	return n
}

func lengthIf(n int, ok bool) int {
	if !ok {
		return 0
	}
	return n
}
