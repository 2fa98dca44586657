package mlirtext

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// valueScope holds the names of values inside one isolated operation. Names of a
// region are forgotten at its end.
type valueScope struct {
	outer    *valueScope
	numbered [][]*stablehlo.Value          // the results that %0, %1, ... are
	values   map[string][]*stablehlo.Value // the results that other names are
	defined  []string                      // names in the order of definition
	forwards map[forwardKey]*forward       // uses that come before the definition
	blocks   map[string]*blockName         // of the innermost region
}

// forwardKey is a use of a name that is not defined yet.
type forwardKey struct {
	name  string
	index int
}

type forward struct {
	value *stablehlo.Value
	pos   stablehlo.Pos
}

// blockName is a block that has been named.
type blockName struct {
	block   *stablehlo.Block
	defined bool
	pos     stablehlo.Pos
}

// operand is a use of a value: %name#index.
type operand struct {
	name  string
	index int
	pos   stablehlo.Pos
}

// number returns the number that a name such as 12 is, if it may index numbered: names
// are mostly numbers without gaps. Others are -1.
func (s *valueScope) number(name string) int {
	const most, slack = 9, 1024
	if len(name) > most || (name[0] == '0' && len(name) > 1) {
		return -1
	}
	n := 0
	for i := range len(name) {
		if !isDigit(name[i]) {
			return -1
		}
		n = 10*n + int(name[i]-'0')
	}
	if n >= len(s.numbered) && n > 4*len(s.defined)+slack {
		return -1
	}
	return n
}

// get returns the results called name, nil if there are none.
func (s *valueScope) get(name string) []*stablehlo.Value {
	if n := s.number(name); n >= 0 && n < len(s.numbered) && s.numbered[n] != nil {
		return s.numbered[n]
	}
	return s.values[name]
}

// set gives results a name.
func (s *valueScope) set(name string, results []*stablehlo.Value) {
	s.defined = append(s.defined, name)
	n := s.number(name)
	if n < 0 {
		if s.values == nil {
			s.values = map[string][]*stablehlo.Value{}
		}
		s.values[name] = results
		return
	}
	for n >= len(s.numbered) {
		s.numbered = append(s.numbered, nil)
	}
	s.numbered[n] = results
}

// pushScope begins an isolated operation.
func (p *parser) pushScope() {
	p.values = &valueScope{outer: p.values}
}

// popScope ends it. Names that were used and never defined are an error.
func (p *parser) popScope() error {
	s := p.values
	p.values = s.outer
	if len(s.forwards) == 0 {
		return nil
	}
	var first *forward
	var key forwardKey
	for k, f := range s.forwards {
		if first == nil || before(f.pos, first.pos) {
			first, key = f, k
		}
	}
	return p.errorAt(first.pos, "expected a defined value, got %%%s", key.name)
}

func before(a, b stablehlo.Pos) bool {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) < 0
}

// endRegion forgets the names that were defined since there were n.
func (s *valueScope) endRegion(n int) {
	for _, name := range s.defined[n:] {
		if k := s.number(name); k >= 0 && k < len(s.numbered) {
			s.numbered[k] = nil
		}
		delete(s.values, name)
	}
	s.defined = s.defined[:n]
}

// define gives results a name. Where the text used it before, the value that stood for
// it takes the place of the result.
func (p *parser) define(pos stablehlo.Pos, name string, results []*stablehlo.Value) error {
	s := p.values
	if s.get(name) != nil {
		return p.errorAt(pos, "expected a new name of a value, got %%%s again", name)
	}
	if len(s.forwards) > 0 {
		for i := range results {
			key := forwardKey{name, i}
			f := s.forwards[key]
			if f == nil {
				continue
			}
			delete(s.forwards, key)
			if !stablehlo.SameType(f.value.Type, results[i].Type) {
				return p.errorAt(f.pos, "expected %s, the type of %%%s, got %s", results[i].Type, name, f.value.Type)
			}
			*f.value = *results[i]
			results[i] = f.value
		}
	}
	s.set(name, results)
	return nil
}

// use returns the value of an operand, which must have type t.
func (p *parser) use(o operand, t stablehlo.Type) (*stablehlo.Value, error) {
	results := p.values.get(o.name)
	if results == nil {
		return p.useForward(o, t)
	}
	if o.index >= len(results) {
		return nil, p.errorAt(o.pos, "expected a result below %d of %%%s, got #%d", len(results), o.name, o.index)
	}
	v := results[o.index]
	if !stablehlo.SameType(v.Type, t) {
		return nil, p.errorAt(o.pos, "expected %s, the type of %%%s, got %s", v.Type, o.name, t)
	}
	return v, nil
}

// useForward returns a value that stands for a result that the text defines later.
func (p *parser) useForward(o operand, t stablehlo.Type) (*stablehlo.Value, error) {
	s := p.values
	key := forwardKey{o.name, o.index}
	if f := s.forwards[key]; f != nil {
		if !stablehlo.SameType(f.value.Type, t) {
			return nil, p.errorAt(o.pos, "expected %s as in an earlier use of %%%s, got %s", f.value.Type, o.name, t)
		}
		return f.value, nil
	}
	if s.forwards == nil {
		s.forwards = map[forwardKey]*forward{}
	}
	f := &forward{value: &stablehlo.Value{Type: t}, pos: o.pos}
	s.forwards[key] = f
	return f.value, nil
}

// parseOperand reads %name or %name#index; ok is false if none comes next.
func (p *parser) parseOperand() (o operand, ok bool, err error) {
	if p.peek() != '%' {
		return o, false, nil
	}
	o.pos = p.place()
	p.pos++
	if o.name = p.suffix(); o.name == "" {
		return o, false, p.errorAt(o.pos, "expected a name after \"%%\"")
	}
	if p.pos < len(p.text) && p.text[p.pos] == '#' {
		p.pos++
		n, ok := p.number()
		v, fits := n.integer(31, false)
		if !ok || !fits || n.negative {
			return o, false, p.errorAt(o.pos, "expected the number of a result after \"#\"")
		}
		o.index = int(v)
	}
	return o, true, nil
}

// appendOperands reads operands with commas between them, none or more.
func (p *parser) appendOperands(list []operand) ([]operand, error) {
	first := len(list)
	for {
		o, ok, err := p.parseOperand()
		if err != nil {
			return nil, err
		}
		if !ok {
			if len(list) > first {
				return nil, p.expected("an operand")
			}
			return list, nil
		}
		list = append(list, o)
		if !p.accept(",") {
			return list, nil
		}
	}
}

// blockByName returns the block of the innermost region that ^name means.
func (p *parser) blockByName(name string, pos stablehlo.Pos) *blockName {
	b := p.values.blocks[name]
	if b == nil {
		b = &blockName{block: &stablehlo.Block{}, pos: pos}
		p.values.blocks[name] = b
	}
	return b
}

// undefinedBlock returns the name of a block that was used and never defined; the
// first of the text.
func (s *valueScope) undefinedBlock() (name string, b *blockName) {
	var names []string
	for n, b := range s.blocks {
		if !b.defined {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	first := slices.MinFunc(names, func(x, y string) int {
		a, b := s.blocks[x].pos, s.blocks[y].pos
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return first, s.blocks[first]
}
