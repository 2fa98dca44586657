package shape

import "fmt"

// ParseLayout reads a layout from text: "{1,0:T(8,128)S(1)}". The default layout
// is returned as it is written, not as nil. An error is a *ParseError.
func ParseLayout(text string) (*Layout, error) {
	s := scanner{text: text}
	if s.peek() != '{' {
		return nil, s.expected(`"{"`)
	}
	l, err := s.layout()
	if err == nil {
		err = s.atEnd()
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// atLayout reports whether a layout is next: a brace, then a colon or an integer.
// It does not move.
func (s *scanner) atLayout() bool {
	ahead := scanner{text: s.text, pos: s.pos}
	if !ahead.accept("{") {
		return false
	}
	if ahead.peek() == ':' {
		return true
	}
	ahead.accept("-")
	digits := ahead.pos
	for ahead.pos < len(ahead.text) && isDigit(ahead.text[ahead.pos]) {
		ahead.pos++
	}
	return ahead.pos > digits && (ahead.pos == len(ahead.text) ||
		!isWordByte(ahead.text[ahead.pos]) && ahead.text[ahead.pos] != '.')
}

// fitsText returns an error if l cannot follow the text of sh: what XLA's parser
// refuses, and dimension numbers that do not exist. CheckLayout asks for more.
func fitsText(sh Shape, l *Layout) error {
	rank := len(sh.Dims)
	if len(l.MinorToMajor) != rank {
		return fmt.Errorf("expected a layout of %d dimensions, got %v", rank, l)
	}
	for _, d := range l.MinorToMajor {
		if d >= rank {
			return fmt.Errorf("layout %v: dimension %d is not in [0, %d)", l, d, rank)
		}
	}
	if l.Physical != nil {
		return fmt.Errorf("layout has a physical shape, but is not for a sparse array: %v", l)
	}
	return nil
}

// layoutProperty is one property of a layout: its name in text and what reads the rest.
type layoutProperty struct {
	name string
	read func(*scanner, *Layout) error
}

// layoutProperties returns what may follow the colon of a layout, in its only order.
func layoutProperties() [10]layoutProperty {
	return [10]layoutProperty{
		{"D", (*scanner).dimLevels},
		{"T", (*scanner).tiles},
		{"L", func(s *scanner, l *Layout) error { return s.property(&l.TailPadding, 1) }},
		{"#", func(s *scanner, l *Layout) error { return s.integerType(&l.IndexType) }},
		{"*", func(s *scanner, l *Layout) error { return s.integerType(&l.PointerType) }},
		{"E", func(s *scanner, l *Layout) error { return s.property(&l.ElementBits, 0) }},
		{"S", func(s *scanner, l *Layout) error { return s.property(&l.MemorySpace, 0) }},
		{"SC", (*scanner).splitConfigs},
		{"P", (*scanner).physicalShape},
		{"M", func(s *scanner, l *Layout) error { return s.property(&l.DynamicMetadataPrefix, 0) }},
	}
}

// layout reads "{1,0:T(8,128)}"; the brace is known to be next.
func (s *scanner) layout() (*Layout, error) {
	s.pos++
	l := &Layout{}
	if s.peek() != ':' {
		order, err := s.list('}', (*scanner).orderedDim)
		if err != nil {
			return nil, err
		}
		l.MinorToMajor = cloneInts(order)
	}
	if s.accept(":") {
		for _, p := range layoutProperties() {
			if !s.acceptProperty(p.name) {
				continue
			}
			if err := p.read(s, l); err != nil {
				return nil, err
			}
		}
	}
	if !s.accept("}") {
		return nil, s.expected(`"}" or a layout property (in the order D T L # * E S SC P M)`)
	}
	return l, nil
}

// defaultLayout moves over a layout that is the default one of the given rank, and
// reports whether that was next. Most layouts are, and take no memory.
func (s *scanner) defaultLayout(rank int) bool {
	start := s.pos
	s.pos++
	ok := rank > 0
	for d := rank - 1; ok && d >= 0; d-- {
		ok = isDigit(s.peek())
		if ok {
			got, err := s.integer("a dimension", 0)
			ok = err == nil && got == d && (d == 0 || s.accept(","))
		}
	}
	if ok && s.accept("}") {
		return true
	}
	s.pos = start
	return false
}

// acceptProperty moves over the name of a property: a whole word, or a sign.
func (s *scanner) acceptProperty(name string) bool {
	if isLetter(name[0]) && s.word() != name {
		return false
	}
	return s.accept(name)
}

// property reads "(8)".
func (s *scanner) property(value *int, least int) error {
	if err := s.expect("("); err != nil {
		return err
	}
	n, err := s.integer("a number", least)
	if err != nil {
		return err
	}
	*value = n
	return s.expect(")")
}

// integerType reads "(u32)".
func (s *scanner) integerType(t *ElementType) error {
	if err := s.expect("("); err != nil {
		return err
	}
	name := s.word()
	got, _ := ParseElementType(name)
	if !got.IsInteger() {
		return s.expected("an integer type")
	}
	s.pos += len(name)
	*t = got
	return s.expect(")")
}

// tiles reads "(8,128)(2,1)".
func (s *scanner) tiles(l *Layout) error {
	for first := true; first || s.peek() == '('; first = false {
		if err := s.expect("("); err != nil {
			return err
		}
		dims, err := s.list(0, (*scanner).tileDim)
		if err != nil {
			return err
		}
		l.Tiles = append(l.Tiles, Tile{Dims: cloneInts(dims)})
		if !s.accept(")") {
			return s.expected(`"," or ")"`)
		}
	}
	return nil
}

func (s *scanner) tileDim() (int, error) {
	if s.accept("*") {
		return Combine, nil
	}
	return s.integer("a tile size or \"*\"", 1)
}

func (s *scanner) orderedDim() (int, error) { return s.integer("a dimension", 0) }

func (s *scanner) splitIndex() (int, error) { return s.integer("a split index", 0) }

// splitConfigs reads "(1:4,6)(0:3)".
func (s *scanner) splitConfigs(l *Layout) error {
	for first := true; first || s.peek() == '('; first = false {
		if err := s.expect("("); err != nil {
			return err
		}
		dim, err := s.integer("a dimension", 0)
		if err != nil {
			return err
		}
		if err := s.expect(":"); err != nil {
			return err
		}
		indices, err := s.list(0, (*scanner).splitIndex)
		if err != nil {
			return err
		}
		l.SplitConfigs = append(l.SplitConfigs, SplitConfig{Dim: dim, Indices: cloneInts(indices)})
		if !s.accept(")") {
			return s.expected(`"," or ")"`)
		}
	}
	return nil
}

// physicalShape reads "(f32[6])".
func (s *scanner) physicalShape(l *Layout) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer func() { s.depth-- }()
	if err := s.expect("("); err != nil {
		return err
	}
	physical, err := s.shape()
	if err != nil {
		return err
	}
	l.Physical = &physical
	return s.expect(")")
}

// dimLevels reads "(D,C+~)", the level types of sparse arrays, and drops them.
func (s *scanner) dimLevels(*Layout) error {
	if err := s.expect("("); err != nil {
		return err
	}
	for {
		switch name := s.word(); name {
		case "D", "C", "S", "H":
			s.pos += len(name)
		default:
			return s.expected("a dimension level type (D, C, S or H)")
		}
		s.accept("+")
		s.accept("~")
		if !s.accept(",") {
			return s.expect(")")
		}
	}
}
