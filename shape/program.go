package shape

// Program is the signature of a computation.
type Program struct {
	Params []Shape
	Names  []string // parameter names; nil or as long as Params; "" where one is unknown
	Result Shape
}

// unknownName stands for the name of a parameter that has none, as XLA prints it.
const unknownName = "(unknown)"

// AppendText appends p without layouts as XLA prints it in the header of a
// computation: "(x: f32[4]) -> f32[4]".
func (p Program) AppendText(dst []byte) []byte {
	return p.AppendTextWith(dst, TextOptions{NoLayout: true})
}

// AppendTextWith appends p in the form that o chooses for its shapes. The
// parameters themselves carry no index comments.
func (p Program) AppendTextWith(dst []byte, o TextOptions) []byte {
	dst = append(dst, '(')
	for i, s := range p.Params {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		name := unknownName
		if i < len(p.Names) && p.Names[i] != "" {
			name = p.Names[i]
		}
		dst = append(append(dst, name...), ": "...)
		dst = s.AppendTextWith(dst, o)
	}
	dst = append(dst, ") -> "...)
	return p.Result.AppendTextWith(dst, o)
}

// AppendLayoutText appends p with layouts and without names, as in the module
// attribute entry_computation_layout: "{(f32[4]{0})->f32[4]{0}}".
func (p Program) AppendLayoutText(dst []byte) []byte {
	dst = append(dst, "{("...)
	for i, s := range p.Params {
		dst = appendSeparator(dst, i, TextOptions{})
		dst = s.AppendText(dst)
	}
	dst = append(dst, ")->"...)
	dst = p.Result.AppendText(dst)
	return append(dst, '}')
}

// String returns p without layouts: "(x: f32[4]) -> f32[4]".
func (p Program) String() string { return string(p.AppendText(nil)) }

// StringWithLayout returns p with layouts: "(x: f32[4]{0}) -> f32[4]{0}".
func (p Program) StringWithLayout() string { return string(p.AppendTextWith(nil, TextOptions{})) }

// Equal reports whether p and q have equal parameters and results, layouts
// included; the names do not count.
func (p Program) Equal(q Program) bool { return p.equal(q, Shape.Equal) }

// EqualIgnoringLayout is Equal with shapes compared by Shape.EqualIgnoringLayout.
func (p Program) EqualIgnoringLayout(q Program) bool { return p.equal(q, Shape.EqualIgnoringLayout) }

func (p Program) equal(q Program, same func(a, b Shape) bool) bool {
	if len(p.Params) != len(q.Params) || !same(p.Result, q.Result) {
		return false
	}
	for i := range p.Params {
		if !same(p.Params[i], q.Params[i]) {
			return false
		}
	}
	return true
}

// ParseProgram reads the signature of a computation, "(x: f32[4]) -> f32[4]",
// with or without layouts. The names may be left out; where any is given, a
// missing one is "". An error is a *ParseError.
func ParseProgram(text string) (Program, error) {
	s := scanner{text: text}
	p, err := s.program()
	if err == nil {
		err = s.atEnd()
	}
	if err != nil {
		return Program{}, err
	}
	return p, nil
}

func (s *scanner) program() (p Program, err error) {
	if err := s.expect("("); err != nil {
		return p, err
	}
	named := false
	for !s.accept(")") {
		if len(p.Params) > 0 && !s.accept(",") {
			return p, s.expected(`"," or ")"`)
		}
		name, found := s.paramName()
		param, err := s.shape()
		if err != nil {
			return p, err
		}
		p.Params, p.Names = append(p.Params, param), append(p.Names, name)
		named = named || found
	}
	if !named {
		p.Names = nil
	}
	if err := s.expect("->"); err != nil {
		return p, err
	}
	p.Result, err = s.shape()
	return p, err
}

// paramName reads "x:" or "%x:" if that is next.
func (s *scanner) paramName() (name string, found bool) {
	start := s.pos
	if s.accept(unknownName) {
		if s.accept(":") {
			return "", true
		}
		s.pos = start
		return "", false
	}
	s.accept("%")
	end := s.pos + len(s.word())
	for end > s.pos && end < len(s.text) && (isWordByte(s.text[end]) || s.text[end] == '.' || s.text[end] == '-') {
		end++
	}
	name = s.text[s.pos:end]
	s.pos = end
	if name == "" || !s.accept(":") {
		s.pos = start
		return "", false
	}
	return name, true
}
