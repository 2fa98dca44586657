package shape

import "slices"

// Parse reads a shape from text, with or without layouts, in any form that XLA
// reads: "f32[2,3]{0,1}", "(f32[], s32[<=4,?])", "token[]", "b(f32[4])". Blanks
// and comments may stand between its parts. A default layout is dropped
// (Layout.Normalize). The order {1,1} is taken as XLA takes it; CheckLayout
// refuses it. An error is a *ParseError.
func Parse(text string) (Shape, error) {
	p := scanner{text: text}
	s, err := p.shape()
	if err == nil {
		err = p.atEnd()
	}
	if err != nil {
		return Shape{}, err
	}
	return s, nil
}

// ParsePrefix reads the shape that text begins with and returns how many bytes it
// takes. Where an open brace follows, it belongs to the shape, as its layout, if an
// integer or a colon is next; otherwise the shape ends before it.
func ParsePrefix(text string) (s Shape, length int, err error) {
	p := scanner{text: text}
	return p.prefix()
}

// ParseValuePrefix is ParsePrefix for a shape that a literal follows, as in
// "s32[2] {1, 2}": a layout must follow its array without a blank.
func ParseValuePrefix(text string) (s Shape, length int, err error) {
	p := scanner{text: text, tight: true}
	return p.prefix()
}

func (s *scanner) prefix() (Shape, int, error) {
	sh, err := s.shape()
	if err != nil {
		return Shape{}, 0, err
	}
	return sh, s.pos, nil
}

// shape reads one shape. It ends right behind it, before any blank.
func (s *scanner) shape() (Shape, error) {
	if s.peek() == '(' {
		return s.tuple()
	}
	start := s.pos
	name := s.word()
	if name == "b" {
		return s.buffer()
	}
	t, ok := ParseElementType(name)
	if !ok {
		return Shape{}, s.expected("a shape")
	}
	s.pos += len(name)
	if err := s.expect("["); err != nil {
		return Shape{}, err
	}
	sh := Shape{Type: t}
	if err := s.dims(&sh); err != nil {
		return Shape{}, err
	}
	if !t.IsArray() {
		if len(sh.Dims) > 0 {
			return Shape{}, s.errorf(start, "expected no dimensions for %v, got %d", t, len(sh.Dims))
		}
		return sh, nil
	}
	return s.withLayout(sh)
}

// tuple reads "(shape, ...)".
func (s *scanner) tuple() (Shape, error) {
	if err := s.enter(); err != nil {
		return Shape{}, err
	}
	defer func() { s.depth-- }()
	s.pos++
	sh := Shape{Type: Tuple}
	for !s.accept(")") {
		if len(sh.Elems) > 0 && !s.accept(",") {
			return Shape{}, s.expected(`"," or ")"`)
		}
		e, err := s.shape()
		if err != nil {
			return Shape{}, err
		}
		sh.Elems = append(sh.Elems, e)
	}
	return sh, nil
}

// buffer reads "b(shape)", whose shape must be an array.
func (s *scanner) buffer() (Shape, error) {
	if err := s.enter(); err != nil {
		return Shape{}, err
	}
	defer func() { s.depth-- }()
	s.pos++
	if err := s.expect("("); err != nil {
		return Shape{}, err
	}
	s.skip()
	start := s.pos
	e, err := s.shape()
	if err != nil {
		return Shape{}, err
	}
	if !e.IsArray() {
		return Shape{}, s.errorf(start, "expected an array in a buffer, got %v", e.Type)
	}
	return Shape{Type: Buffer, Elems: []Shape{e}}, s.expect(")")
}

// dims reads "2,<=3,?]" into sh.
func (s *scanner) dims(sh *Shape) error {
	s.dynamic = s.flags[:0]
	sizes, err := s.list(']', (*scanner).dimension)
	if err != nil {
		return err
	}
	sh.Dims = cloneInts(sizes)
	if slices.Contains(s.dynamic, true) {
		sh.Dynamic = slices.Clone(s.dynamic)
	}
	if !s.accept("]") {
		return s.expected(`"," or "]"`)
	}
	return nil
}

// dimension reads "3", "<=3" or "?", and notes whether it is dynamic.
func (s *scanner) dimension() (size int, err error) {
	size = Unbounded
	isDynamic := true
	if !s.accept("?") {
		isDynamic = s.accept("<=")
		size, err = s.integer("a dimension size", 0)
	}
	s.dynamic = append(s.dynamic, isDynamic)
	return size, err
}

// withLayout reads the layout that follows sh, if one does.
func (s *scanner) withLayout(sh Shape) (Shape, error) {
	end := s.pos
	s.skip()
	if s.tight && s.pos > end || !s.atLayout() {
		s.pos = end
		return sh, nil
	}
	if s.defaultLayout(len(sh.Dims)) {
		return sh, nil
	}
	start := s.pos
	l, err := s.layout()
	if err != nil {
		return Shape{}, err
	}
	if err := fitsText(sh, l); err != nil {
		return Shape{}, s.errorf(start, "%v", err)
	}
	sh.Layout = l.Normalize()
	return sh, nil
}
