package hlotext

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ParseOptions say how text is read. The zero ParseOptions is good for any text.
type ParseOptions struct {
	// File is the name that errors give the text.
	File string
}

// Parse reads a module from HLO text, in any form that XLA's parser takes: a whole
// module, computations without a header, or a single instruction, whose unknown
// operands become parameters. Constants left out as {...} are filled from one
// counter for the module (literal.Elided).
//
// Parse checks what XLA's parser checks: syntax, names, that operands and computations
// come before their use, operand shapes, attributes, operand counts; shapes that the
// text leaves out are inferred. It does not verify the module. An error is an
// *op.Error with the place in the text, lines and columns from 1.
func Parse(text string, o ParseOptions) (*hlo.Module, error) {
	return parse(text, o, 0)
}

// parse is Parse for text that stands depth levels deep in other text.
func parse(text string, o ParseOptions, depth int) (*hlo.Module, error) {
	if len(text) > maxTextBytes {
		return nil, &op.Error{Pos: op.Pos{File: o.File},
			Err: fmt.Errorf("expects a text of at most %d bytes, got %d", maxTextBytes, len(text))}
	}
	p := &parser{lexer: lexer{text: text}, file: o.File, depth: depth, byName: map[string]*comp{},
		tables: newTables()}
	p.advance()
	if nul := strings.IndexByte(text, 0); nul >= 0 {
		p.failAt(nul, "expects text, got a NUL byte")
	}
	m := p.program()
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// parser reads a module by recursive descent, one token ahead. The first error is
// kept, and from then on every token is kindBad, which nothing accepts, so that all
// of the parser's functions return without looking at p.err.
//
// What is read is kept in comps and nodes, and made into a hlo.Module at the end:
// names are made unique in the order in which computations end, not begin.
type parser struct {
	lexer
	tok  token
	err  *op.Error
	file string

	depth  int
	byName map[string]*comp // the computations that text can name
	comps  []*comp          // all, in the order in which they end
	scope  *comp            // the computation that is being read
	// single is the computation whose unknown operands become parameters, when the text is one instruction.
	single *comp

	tables    *tables
	plans     [op.NumCodes]*opPlan
	strings   map[string]string // strings that come often, each kept once
	anonymous map[op.Code]int   // how many nested instructions without a name there were
	elided    uint64            // the counter for constants left out
	counts    budget
	place     place
}

// budget is how much there is so far of what the limits bound.
type budget struct {
	instructions, shapes, shardings, modules int
}

// place is a position whose line is known: the start of line number line is at offset start.
type place struct{ offset, line, start int }

// position returns the line and column of an offset. Asking for growing offsets
// takes time in proportion to the text, all together.
func (p *parser) position(offset int) op.Pos {
	if offset < p.place.offset || p.place.line == 0 {
		p.place = place{line: 1}
	}
	between := p.text[p.place.offset:offset]
	if n := strings.Count(between, "\n"); n > 0 {
		p.place.line += n
		p.place.start = p.place.offset + strings.LastIndexByte(between, '\n') + 1
	}
	p.place.offset = offset
	return op.Pos{Line: p.place.line, Column: offset - p.place.start + 1}
}

func (p *parser) ok() bool { return p.err == nil }

// advance moves to the next token.
func (p *parser) advance() {
	if p.err != nil {
		return
	}
	p.tok = p.next()
	if p.off-p.tok.pos > maxTokenBytes {
		p.fail("expects at most %d bytes in a token", maxTokenBytes)
	}
}

// failAt records an error at an offset, unless there is one, and ends the reading. Shapes
// among the arguments are shown at a length that a reader can take.
func (p *parser) failAt(offset int, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(shape.Shape); ok && shapeSize(s, maxShownShape) >= maxShownShape {
			args[i] = fmt.Sprintf("a tuple of %d elements", len(s.Elems))
		}
	}
	p.failWith(offset, fmt.Errorf(format, args...))
}

// fail is failAt for the current token.
//
//go:noinline
func (p *parser) fail(format string, args ...any) { p.failAt(p.tok.pos, format, args...) }

// failWith is failAt for an error value. What an *op.Error says of the operation is kept.
func (p *parser) failWith(offset int, err error) {
	if p.err != nil {
		return
	}
	e := &op.Error{Err: err}
	if inner, ok := err.(*op.Error); ok { // a wrapped one keeps its own place
		e = &op.Error{Op: inner.Op, Attr: inner.Attr, Label: inner.Label, Err: inner.Err}
	}
	e.Pos = p.position(offset)
	e.Pos.File = p.file
	p.err = e
	p.tok = token{kind: kindBad, pos: offset}
}

// expected fails at the current token.
func (p *parser) expected(what string) {
	if p.tok.kind == kindBad && p.err == nil {
		p.fail("expects %s, got %s", what, p.badText())
		return
	}
	p.fail("expects %s, got %v", what, p.tok)
}

// badText describes the text that is no token.
func (p *parser) badText() string {
	rest := p.text[min(p.tok.pos, len(p.text)):]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return "a comment that is not closed"
	case strings.HasPrefix(rest, `"`), strings.HasPrefix(rest, "'"):
		return "a string that is not closed or has an invalid escape"
	}
	for i, r := range rest {
		if i == 0 {
			return fmt.Sprintf("%q", r)
		}
	}
	return "the end of the text"
}

// accept moves over a token of the kind and reports whether it was there.
//
//go:noinline
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// expect moves over a token of the kind or fails; where says where it should stand.
func (p *parser) expect(k kind, where string) bool {
	if p.accept(k) {
		return true
	}
	p.expected(k.String() + " " + where)
	return false
}

// isWord reports whether the current token is the bare word or keyword.
func (p *parser) isWord(word string) bool {
	return (p.tok.kind == kindIdent || p.tok.kind == kindKeyword) && p.tok.text == word
}

// acceptWord moves over a bare word or keyword and reports whether it was there.
func (p *parser) acceptWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.advance()
	return true
}

// peek returns the token behind the current one.
func (p *parser) peek() token {
	l := p.lexer
	return l.next()
}

// enter goes one level down; leave goes back. Too deep is an error.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail("expects at most %d levels of nesting", maxDepth)
	}
	return p.ok()
}

func (p *parser) leave() { p.depth-- }

// intern returns s, as one copy for all equal strings, which does not keep the text alive.
func (p *parser) intern(s string) string {
	if s == "" {
		return ""
	}
	if kept, ok := p.strings[s]; ok {
		return kept
	}
	if p.strings == nil {
		p.strings = map[string]string{}
	}
	s = strings.Clone(s)
	p.strings[s] = s
	return s
}
