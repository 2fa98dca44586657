package hlotext

import (
	"strings"

	"github.com/goxla/xla/shape"
)

// lexer cuts text into tokens. It is a value: a copy is a place to come back to.
type lexer struct {
	text string
	off  int // where the next token is looked for
}

// next returns the next token. White space and comments stand between tokens.
func (l *lexer) next() token {
	if !l.skip() {
		return token{kind: kindBad, pos: l.off}
	}
	if l.off >= len(l.text) {
		return token{kind: kindEOF, pos: len(l.text)}
	}
	start := l.off
	c := l.text[start]
	if k := punctuation[c]; k != kindEOF {
		l.off++
		return token{kind: k, pos: start}
	}
	switch {
	case isLetter(c) || c == '_':
		return l.word()
	case c == '%':
		return l.percent()
	case isDigit(c) || c == '-' || c == '?':
		return l.numeric()
	case c == '"' || c == '\'':
		return l.quoted()
	case strings.HasPrefix(l.text[start:], "<="):
		l.off += 2
		return token{kind: kindLessEqual, pos: start}
	case strings.HasPrefix(l.text[start:], "..."):
		l.off += 3
		return token{kind: kindDots, pos: start}
	}
	return token{kind: kindBad, pos: start}
}

// skip moves to the next token and reports whether the comments on the way are
// closed. It leaves off at the start of one that is not.
func (l *lexer) skip() bool {
	for l.off < len(l.text) {
		switch l.text[l.off] {
		case ' ', '\t', '\n', '\r':
			l.off++
			continue
		case '/':
		default:
			return true
		}
		rest := l.text[l.off:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return false
			}
			l.off += end + 4
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexAny(rest, "\r\n")
			if end < 0 {
				end = len(rest)
			}
			l.off += end
		default:
			return false
		}
	}
	return true
}

// word reads what begins with a letter or '_': a name, a keyword, an element type,
// nan, or dimension labels.
func (l *lexer) word() token {
	start, end := l.off, l.wordEnd(l.off)
	t := token{kind: kindIdent, pos: start, text: l.text[start:end]}
	l.off = end
	if end < len(l.text) {
		switch l.text[end] {
		case ':':
			l.off++
			t.kind = kindName
			return t
		case '=':
			l.off++
			t.kind = kindAttribute
			return t
		}
	}
	switch {
	case looksLikeType(t.text) && isType(t.text):
		t.kind = kindType
	case t.text == "nan":
		return l.nan(start, end, false)
	case isKeyword(t.text):
		t.kind = kindKeyword
	case t.text[0] == 'b' || t.text[0] == 'f':
		if n := scanDimLabels(l.text[start:]); n > 0 {
			l.off = start + n
			t.kind, t.text = kindDimLabels, l.text[start:l.off]
		}
	}
	return t
}

func (l *lexer) wordEnd(from int) int {
	for from < len(l.text) && wordBytes[l.text[from]] {
		from++
	}
	return from
}

// percent reads %name.
func (l *lexer) percent() token {
	start := l.off
	first := start + 1
	if first >= len(l.text) || !isLetter(l.text[first]) && l.text[first] != '_' {
		return token{kind: kindBad, pos: start}
	}
	l.off = l.wordEnd(first)
	return token{kind: kindName, pos: start, text: l.text[first:l.off]}
}

// looksLikeType tells cheaply that word is no element type: those are short, and
// begin with one of a few letters.
func looksLikeType(word string) bool {
	return len(word) >= 2 && len(word) <= len("f8e4m3b11fnuz") && strings.IndexByte("bcfopstu", word[0]) >= 0
}

func isType(word string) bool {
	_, ok := shape.ParseElementType(word)
	return ok
}
