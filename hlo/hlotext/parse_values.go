package hlotext

import (
	"errors"
	"slices"
	"strings"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// name reads the name of an instruction or computation, with or without "%".
func (p *parser) name() string {
	if p.tok.kind != kindIdent && p.tok.kind != kindName {
		switch p.tok.kind {
		case kindType:
			p.fail("expects a name, got %v, the name of an element type", p.tok)
		case kindAttribute: // as in "p=f32[] parameter(0)", which XLA does not read either
			p.fail("expects a name, got %q, an attribute: a name stands apart from '='", p.tok.text+"=")
		}
		p.expected("a name")
		return ""
	}
	name := p.tok.text
	p.advance()
	return name
}

// attributeName reads "name=".
func (p *parser) attributeName() string {
	if p.tok.kind != kindAttribute {
		p.expected("an attribute name followed by '='")
		return ""
	}
	name := p.tok.text
	p.advance()
	return name
}

// word reads a bare word; what names it in an error.
func (p *parser) word(what string) string {
	if p.tok.kind != kindIdent {
		p.expected(what)
		return ""
	}
	word := p.tok.text
	p.advance()
	return word
}

func (p *parser) integer() int {
	if p.tok.kind != kindInt {
		p.expected("an integer")
		return 0
	}
	value := p.tok.integer
	p.advance()
	return value
}

// int32 reads an integer that fits 32 bits.
func (p *parser) int32() int {
	pos := p.tok.pos
	value := p.integer()
	if value != int(int32(value)) {
		p.failAt(pos, "expects an integer of 32 bits, got %d", value)
	}
	return value
}

func (p *parser) boolean() bool {
	value := p.isWord("true")
	if !value && !p.isWord("false") {
		p.expected("true or false")
	}
	p.advance()
	return value
}

// quotedString reads a string in quotes.
func (p *parser) quotedString() string {
	if p.tok.kind != kindString {
		p.expected("a string")
		return ""
	}
	s := p.tok.text
	p.advance()
	return p.intern(s)
}

// stringOrDict reads a string in quotes, or raw text in balanced braces, which it
// returns with the braces.
func (p *parser) stringOrDict() string {
	if p.tok.kind == kindLeftBrace {
		p.tok = p.jsonDict(p.tok.pos)
	}
	if p.tok.kind != kindString {
		p.expected("a string or a dictionary in braces")
		return ""
	}
	return p.quotedString()
}

// list reads items with commas between them, and the brackets around. It may be empty.
func (p *parser) list(open, closing kind, item func()) {
	p.separated(open, kindComma, closing, item)
}

func (p *parser) separated(open, separator, closing kind, item func()) {
	if !p.expect(open, "at the start of a list") {
		return
	}
	if p.accept(closing) {
		return
	}
	for item(); p.accept(separator); {
		item()
	}
	p.expect(closing, "at the end of a list")
}

// braced reads a list in braces.
func braced[T any](p *parser, item func() T) []T {
	list := []T{}
	p.list(kindLeftBrace, kindRightBrace, func() { list = append(list, item()) })
	return list
}

// integers reads {1,2,3}. Without entries the result is empty, not nil.
func (p *parser) integers() []int { return braced(p, p.integer) }

// integerLists reads {{0,1},{2,3}}.
func (p *parser) integerLists() [][]int { return braced(p, p.integers) }

func (p *parser) booleans() []bool { return braced(p, p.boolean) }

// booleansOrOne reads {true,false} or true.
func (p *parser) booleansOrOne() []bool {
	if p.tok.kind == kindKeyword {
		return []bool{p.boolean()}
	}
	return p.booleans()
}

// shapeIndex reads {0,1}; a comma may follow the last number.
func (p *parser) shapeIndex() []int {
	index := []int{}
	p.expect(kindLeftBrace, "at the start of a shape index")
	for p.ok() && p.tok.kind != kindRightBrace {
		index = append(index, p.integer())
		if !p.accept(kindComma) {
			break
		}
	}
	p.expect(kindRightBrace, "at the end of a shape index")
	return index
}

// atShape reports whether a shape begins at the current token.
func (p *parser) atShape() bool {
	switch p.tok.kind {
	case kindType, kindLeftParen:
		return true
	case kindIdent:
		return p.tok.text == "b" && p.peek().kind == kindLeftParen
	}
	return false
}

// shape reads a shape.
func (p *parser) shape() shape.Shape {
	if !p.ok() {
		return shape.Shape{}
	}
	start := p.tok.pos
	s, length, err := shape.ParsePrefix(p.text[start:])
	if err != nil {
		p.failShape(start, err)
		return shape.Shape{}
	}
	p.off = start + length
	p.advance()
	return s
}

// failShape turns an offset from start into a place in the text. What is wrong with a
// layout as a whole is reported behind it, as in XLA.
func (p *parser) failShape(start int, err error) {
	e, ok := errors.AsType[*shape.ParseError](err)
	if !ok {
		p.failWith(start, err)
		return
	}
	place := start + e.Offset
	if place < len(p.text) && p.text[place] == '{' {
		l := p.lexer
		if l.jsonDict(place).kind == kindString {
			place = l.next().pos
		}
	}
	p.failAt(place, "%s", e.Msg)
}

func (p *parser) shapes() []shape.Shape { return braced(p, p.shape) }

// number reads an integer, a decimal or an infinity. Too large for a float64 is an error.
func (p *parser) number() float64 {
	t := p.tok
	switch {
	case t.kind == kindDecimal && !isInf(t.decimal):
		p.advance()
		return t.decimal
	case t.kind == kindInt:
		p.advance()
		return float64(t.integer)
	case t.kind == kindNegInf:
		p.advance()
		return inf(-1)
	case p.isWord("inf"):
		p.advance()
		return inf(1)
	}
	p.expected("a number")
	return 0
}

// enum reads one word that parse knows.
func enum[T any](parse func(string) (T, bool), what string) func(*parser) T {
	return func(p *parser) T {
		start := p.tok
		value, ok := parse(p.word(what))
		if !ok {
			p.failAt(start.pos, "expects %s, got %v", what, start)
		}
		return value
	}
}

// anyCase is parse for words that may be in upper case.
func anyCase[T any](parse func(string) (T, bool)) func(string) (T, bool) {
	return func(word string) (T, bool) { return parse(strings.ToLower(word)) }
}

// anyCaseWords are the attributes whose words may be in upper case too.
var anyCaseWords = []string{"algorithm", "mode", "result_accuracy"}

// legalWord reads a word that is legal for the attribute called attr.
func (p *parser) legalWord(attr string) op.Word {
	start := p.tok
	text := p.word("a word")
	if slices.Contains(anyCaseWords, attr) {
		text = strings.ToLower(text)
	}
	word, ok := op.ParseWord(attr, text)
	if !ok {
		p.failAt(start.pos, "expects one of %v, got %v", op.Words(attr), start)
	}
	return word
}
