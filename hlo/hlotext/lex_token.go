package hlotext

import "strconv"

// kind is the kind of a token. Punctuation is its own kind.
type kind uint8

const (
	kindEOF kind = iota
	kindBad      // what no token begins with, and everything after an error
	kindIdent
	kindName      // %name or "name:"
	kindAttribute // "name="
	kindKeyword   // a word that cannot be a name
	kindType      // an element type; it cannot be a name either
	kindInt
	kindDecimal
	kindNegInf
	kindDimLabels
	kindDxD
	kindPad
	kindString
	kindArrow
	kindLessEqual
	kindDots
	kindEqual
	kindComma
	kindColon
	kindAsterisk
	kindHash
	kindPlus
	kindTilde
	kindQuestion
	kindLeftSquare
	kindRightSquare
	kindLeftBrace
	kindRightBrace
	kindLeftParen
	kindRightParen
)

var kindNames = [...]string{
	kindEOF: "the end of the text", kindBad: "an invalid character", kindIdent: "a word", kindName: "a name",
	kindAttribute: "an attribute name", kindKeyword: "a keyword", kindType: "an element type",
	kindInt: "an integer", kindDecimal: "a number", kindNegInf: "-inf", kindDimLabels: "dimension labels",
	kindDxD: "sizes", kindPad: "a padding", kindString: "a string", kindArrow: "'->'", kindLessEqual: "'<='",
	kindDots: "'...'", kindEqual: "'='", kindComma: "','", kindColon: "':'", kindAsterisk: "'*'",
	kindHash: "'#'", kindPlus: "'+'", kindTilde: "'~'", kindQuestion: "'?'", kindLeftSquare: "'['",
	kindRightSquare: "']'", kindLeftBrace: "'{'", kindRightBrace: "'}'", kindLeftParen: "'('",
	kindRightParen: "')'",
}

// String returns how an error names the kind.
func (k kind) String() string { return kindNames[k] }

// punctuation is the kind of a token that is one character; kindEOF for other characters.
var punctuation = [256]kind{
	'=': kindEqual, ',': kindComma, ':': kindColon, '*': kindAsterisk, '#': kindHash, '+': kindPlus,
	'~': kindTilde, '[': kindLeftSquare, ']': kindRightSquare, '{': kindLeftBrace, '}': kindRightBrace,
	'(': kindLeftParen, ')': kindRightParen,
}

// token is one token. Text is the name, the word or the contents of a string, and the
// spelling of the other tokens.
type token struct {
	kind    kind
	pos     int // where it begins in the text, in bytes
	text    string
	integer int
	decimal float64
}

// String describes the token for "expected ..., got ...".
func (t token) String() string {
	const longest = 40
	switch t.kind {
	case kindIdent, kindName, kindAttribute, kindKeyword, kindType, kindInt, kindDecimal, kindDxD, kindPad, kindDimLabels:
		s := t.text
		if len(s) > longest {
			s = s[:longest] + "..."
		}
		return strconv.Quote(s)
	}
	return t.kind.String()
}

// isKeyword reports whether word is reserved: it is a token of its own and not a name.
func isKeyword(word string) bool {
	switch word {
	case "true", "false", "inf", "HloModule", "ENTRY", "ROOT", "FileLocations", "FileNames", "FunctionNames",
		"StackFrames", "maximal", "replicated", "manual", "last_tile_dim_replicate", "shard_as", "shard_like",
		"unknown", "unreduced":
		return true
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// wordBytes tells which characters a name is made of.
var wordBytes = makeWordBytes()

func makeWordBytes() (set [256]bool) {
	for c := range 256 {
		b := byte(c)
		set[c] = isLetter(b) || isDigit(b) || b == '_' || b == '.' || b == '-'
	}
	return set
}
