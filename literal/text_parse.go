package literal

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goxla/xla/shape"
)

// maxTextDepth is how deep tuples may be nested in literal text.
const maxTextDepth = 8192

// TextError says what is wrong with the text of a literal.
type TextError struct {
	Offset int    // of the offending token, in bytes from the start of the text
	Msg    string // in the words of XLA's parser where it refuses the same
}

// Error returns the message with the offset behind it.
func (e *TextError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Msg, e.Offset) }

// ParseText reads the literal of shape s at the start of text, written as HLO text
// has it, and returns it with the number of bytes read. What follows is left to
// the caller. The literal has the layout of s, whose order the text does not follow.
//
// Nesting and counts must match s, except that a number alone stands for an array
// of which it is the first element and the others are zero, as in XLA; and numbers must lie in the range of the element
// type; otherwise the error is a *TextError. A float is rounded to float64 first,
// then to its type, and `-0` is the integer zero, as in XLA. Commas between
// elements may be missing or repeated.
//
// `{...}` gives an elided literal whose bit patterns count up from *elided, which
// is moved on by the number of elements; nil counts from 0.
//
// Memory is taken in proportion to the text, however large s is.
func ParseText(s shape.Shape, text string, elided *uint64) (Literal, int, error) {
	p := textParser{text: text, elided: elided}
	if elided == nil {
		p.elided = new(uint64)
	}
	l, err := p.value(s, 0)
	if err != nil {
		return Literal{}, 0, err
	}
	return l, p.pos, nil
}

// textParser reads literal text from pos on.
type textParser struct {
	text   string
	pos    int
	elided *uint64
	golden bool // complex parts are independent
}

func (p *textParser) errorf(offset int, format string, args ...any) error {
	return &TextError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (p *textParser) unexpected() error {
	return p.errorf(p.pos, "unexpected token type in a literal")
}

// peek returns the next byte, or 0 at the end.
func (p *textParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// skipBlanks skips white space and comments. A comment that does not end is left
// where it is, for the caller to refuse.
func (p *textParser) skipBlanks() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		case '/':
			n := commentLen(p.text[p.pos:])
			if n == 0 {
				return
			}
			p.pos += n
		default:
			return
		}
	}
}

// commentLen returns the length of the comment that text starts with, or 0.
func commentLen(text string) int {
	switch {
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text[2:], "*/"); end >= 0 {
			return end + 4
		}
	case strings.HasPrefix(text, "//"):
		if end := strings.IndexAny(text, "\n\r"); end >= 0 {
			return end
		}
		return len(text)
	}
	return 0
}

func (p *textParser) value(s shape.Shape, depth int) (Literal, error) {
	switch {
	case s.IsTuple():
		return p.tuple(s, depth)
	case s.IsArray():
		return p.array(s)
	}
	p.skipBlanks()
	return Literal{}, p.errorf(p.pos, "a literal is an array or a tuple, but its shape is %v", s)
}

func (p *textParser) tuple(s shape.Shape, depth int) (Literal, error) {
	if depth >= maxTextDepth {
		return Literal{}, p.errorf(p.pos, "tuples are nested more than %d deep", maxTextDepth)
	}
	if p.skipBlanks(); p.peek() != '(' {
		return Literal{}, p.errorf(p.pos, "expects '(' in front of tuple elements")
	}
	p.pos++
	elems := make([]Literal, 0, min(len(s.Elems), len(p.text)-p.pos))
	for i, e := range s.Elems {
		p.skipBlanks()
		switch c := p.peek(); {
		case c == ')' && i == 0:
			return Literal{}, p.errorf(p.pos, "expects a tuple of %d elements, but sees none", len(s.Elems))
		case c == ')':
			return Literal{}, p.errorf(p.pos, "expects ',' to separate tuple elements")
		case c == ',' && i > 0:
			p.pos++
		}
		l, err := p.value(e, depth+1)
		if err != nil {
			return Literal{}, err
		}
		elems = append(elems, l)
	}
	if p.skipBlanks(); p.peek() != ')' {
		return Literal{}, p.errorf(p.pos, "expects ')' at the end of the tuple with %d elements", len(s.Elems))
	}
	p.pos++
	return Literal{shape: s, elems: elems}, nil
}

// arrayParser reads one array. The text is a tree of braces as deep as the rank,
// whose leaves are stored in row-major order as they come.
type arrayParser struct {
	*textParser
	shape  shape.Shape
	size   int // elements of shape
	store  elementStore
	nest   int   // open braces
	seen   []int // elements or sub-arrays seen so far, by dimension
	next   int   // the index of the next element
	elided bool
}

func (p *textParser) array(s shape.Shape) (Literal, error) {
	size, err := s.Elements()
	if err != nil {
		return Literal{}, p.errorf(p.pos, "%v", err)
	}
	if !isOrder(s.MinorToMajor(), len(s.Dims)) {
		return Literal{}, p.errorf(p.pos, "layout %v does not name each dimension of %s once", s.Layout, s.StringNoLayout())
	}
	a := arrayParser{textParser: p, shape: s, size: size, store: newElementStore(s)}
	if len(s.Dims) > 0 {
		a.seen = make([]int, len(s.Dims))
	}
	for first := true; first || a.nest > 0; first = false {
		if err := a.token(); err != nil {
			return Literal{}, err
		}
	}
	return a.finish(), nil
}

// token reads the next token of the array.
func (a *arrayParser) token() error {
	a.skipBlanks()
	switch c := a.peek(); {
	case c == '{':
		return a.open()
	case c == '}':
		return a.close()
	case c == ',' && a.nest > 0:
		a.pos++
		return nil
	case c == '.' && strings.HasPrefix(a.text[a.pos:], "..."):
		return a.dots()
	case c == '(':
		return a.complex()
	}
	return a.element()
}

func (a *arrayParser) open() error {
	rank := len(a.shape.Dims)
	if a.nest == rank {
		return a.errorf(a.pos, "expects nested array in rank %d, but sees larger", rank)
	}
	a.nest++
	if d := a.nest - 2; d >= 0 {
		a.seen[d]++
		if a.seen[d] > a.shape.Dims[d] {
			return a.errorf(a.pos, "expects %d elements in the %sth element, but sees more",
				a.shape.Dims[d], a.index(d))
		}
	}
	a.pos++
	if a.nest == rank {
		return a.row()
	}
	return nil
}

func (a *arrayParser) close() error {
	if a.nest == 0 {
		return a.errorf(a.pos, "unexpected '}' token")
	}
	a.nest--
	if d := a.nest; a.seen[d] != a.shape.Dims[d] {
		return a.errorf(a.pos, "expects %d elements in the %sth element, but sees %d",
			a.shape.Dims[d], a.index(d), a.seen[d])
	}
	a.seen[a.nest] = 0
	a.pos++
	return nil
}

// index names the sub-array of dimension d that is being read.
func (a *arrayParser) index(d int) string {
	parts := make([]string, d)
	for i := range parts {
		parts[i] = fmt.Sprint(a.seen[i] - 1)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// dots reads `...`, which may come after elements: the whole array is elided then.
func (a *arrayParser) dots() error {
	if a.nest != 1 {
		return a.errorf(a.pos, "expects `...` at nest level 1, but sees it at nest level %d", a.nest)
	}
	a.seen[0] = a.shape.Dims[0]
	a.elided = true
	a.pos += len("...")
	return nil
}

// row reads numbers as long as they follow each other with simple blanks and
// commas; token goes on from whatever comes next.
func (a *arrayParser) row() error {
	for a.pos < len(a.text) {
		c := a.text[a.pos]
		switch {
		case c == ' ' || c == ',':
			a.pos++
		case c-'0' <= 9 || c == '-':
			if err := a.element(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// count notes that an element is about to be read, which may be bare: a number that
// stands for the whole array.
func (a *arrayParser) count(bare bool) error {
	rank := len(a.shape.Dims)
	if rank == 0 || bare && a.nest == 0 && a.size > 0 {
		return nil
	}
	if a.nest != rank {
		return a.errorf(a.pos, "expects nested array in rank %d, but sees %d", rank, a.nest)
	}
	a.seen[rank-1]++
	if n := a.shape.Dims[rank-1]; a.seen[rank-1] > n {
		return a.errorf(a.pos, "expects %d elements on the minor-most dimension, but sees more", n)
	}
	return nil
}

// element reads a number or a boolean.
func (a *arrayParser) element() error {
	start := a.pos
	n, ok := a.number()
	if !ok {
		return a.unexpected()
	}
	end := a.pos
	a.pos = start
	if err := a.count(true); err != nil {
		return err
	}
	a.reserve()
	if msg := a.store.put(a.next, n); msg != "" {
		return a.errorf(start, "%s", msg)
	}
	a.next++
	a.pos = end
	return nil
}

// complex reads `(re, im)`.
func (a *arrayParser) complex() error {
	start := a.pos
	if !a.shape.Type.IsComplex() {
		return a.errorf(start, "unexpected '(' in literal. Parens are only valid for complex literals")
	}
	if err := a.count(false); err != nil {
		return err
	}
	a.pos++
	re, err := a.part()
	if err != nil {
		return err
	}
	if a.skipBlanks(); a.peek() != ',' {
		return a.errorf(a.pos, "expect comma after real part of complex literal")
	}
	a.pos++
	im, err := a.part()
	if err != nil {
		return err
	}
	if a.skipBlanks(); a.peek() != ')' {
		return a.errorf(a.pos, "expect ')' after complex number")
	}
	a.pos++
	a.reserve()
	if msg := a.store.putComplex(a.next, re, im, !a.golden); msg != "" {
		return a.errorf(start, "%s", msg)
	}
	a.next++
	return nil
}

// part reads the real or the imaginary part of a complex number.
func (a *arrayParser) part() (float64, error) {
	a.skipBlanks()
	start := a.pos
	n, ok := a.number()
	switch {
	case !ok || n.kind == boolNumber:
		return 0, a.errorf(start, "expects decimal or integer")
	case n.overflows:
		return 0, a.errorf(start, unparsable, math.MaxFloat64)
	}
	return n.float(), nil
}

// reserve makes room for the elements when the first one comes. An element takes
// two bytes of text, but for the first, so no more is taken than the text can hold.
func (a *arrayParser) reserve() {
	switch {
	case a.store.data != nil:
	case a.nest == 0:
		a.store.grow(1)
	default:
		a.store.grow(min(a.size, (len(a.text)-a.pos)/2+1))
	}
}

func (a *arrayParser) finish() Literal {
	if a.elided {
		start := *a.textParser.elided
		*a.textParser.elided += uint64(a.size)
		return Elided(a.shape, start)
	}
	if a.next == 1 && a.size > 1 {
		return bareScalar(a.shape, a.store.data)
	}
	l := Literal{shape: a.shape.WithLayout(nil), data: a.store.data}
	return l.Relayout(a.shape.Layout)
}

// isOrder reports whether order has each of 0 .. n-1 once.
func isOrder(order []int, n int) bool {
	if len(order) != n {
		return false
	}
	for i, d := range order {
		if d < 0 || d >= n || slices.Contains(order[:i], d) {
			return false
		}
	}
	return true
}
