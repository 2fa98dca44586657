package mlirtext

import (
	"math"

	"github.com/goxla/xla/stablehlo"
)

// parseTrailingLoc reads loc(...) after an operation or a block argument, if there is
// one. An alias may be defined later in the text.
func (p *parser) parseTrailingLoc(to *stablehlo.Location) error {
	if !p.accept("loc") {
		return nil
	}
	if err := p.expect("("); err != nil {
		return err
	}
	pos := p.place()
	if p.peek() == '#' {
		p.pos++
		m := p.mark()
		name := p.suffix()
		if a, defined := p.attrAliases[name]; defined {
			loc, ok := a.(stablehlo.Location)
			if !ok {
				return p.errorAt(pos, "expected an alias of a location, got #%s, which is %s", name, a)
			}
			*to = loc
			return p.expect(")")
		}
		if p.accept(")") {
			p.pending = append(p.pending, pendingLoc{to: to, name: p.keep(name), pos: pos})
			return nil
		}
		p.reset(m)
		p.pos--
	}
	loc, err := p.parseLocation()
	*to = loc
	return p.closeParen(err)
}

// closeParen skips ) unless there was an error.
func (p *parser) closeParen(err error) error {
	if err != nil {
		return err
	}
	return p.expect(")")
}

// parseLocAttr reads what follows loc: (location).
func (p *parser) parseLocAttr() (stablehlo.Attribute, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	loc, err := p.parseLocation()
	return loc, p.closeParen(err)
}

// parseLocation reads what stands between the parentheses of loc(...).
func (p *parser) parseLocation() (stablehlo.Location, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch {
	case p.peek() == '#':
		return p.parseLocAlias()
	case p.peek() == '"':
		return p.parseFileOrName()
	case p.accept("unknown"):
		return stablehlo.UnknownLoc{}, nil
	case p.accept("callsite"):
		return p.parseCallSite()
	case p.accept("fused"):
		return p.parseFused()
	case p.accept("loc"):
		a, err := p.parseLocAttr()
		loc, _ := a.(stablehlo.Location)
		return loc, err
	}
	return nil, p.expected("a location: a string, unknown, callsite, fused or an alias")
}

// parseLocAlias reads #name, which must be defined.
func (p *parser) parseLocAlias() (stablehlo.Location, error) {
	pos := p.place()
	a, err := p.parseDialectAttr()
	if err != nil {
		return nil, err
	}
	loc, ok := a.(stablehlo.Location)
	if !ok {
		return nil, p.errorAt(pos, "expected a location, got %s", a)
	}
	return loc, nil
}

// parseFileOrName reads "file":line:col, with an end or without, or "name"(child).
func (p *parser) parseFileOrName() (stablehlo.Location, error) {
	text, err := p.stringValue()
	if err != nil {
		return nil, err
	}
	text = p.keep(text)
	if !p.accept(":") {
		loc := &stablehlo.NameLoc{Name: text}
		if !p.accept("(") {
			return loc, nil
		}
		loc.Child, err = p.parseLocation()
		return loc, p.closeParen(err)
	}
	loc := &stablehlo.FileLoc{File: text}
	if loc.Line, err = p.lineNumber(); err != nil {
		return nil, err
	}
	if !p.accept(":") {
		return loc, nil
	}
	if loc.Col, err = p.lineNumber(); err != nil {
		return nil, err
	}
	if !p.accept("to") {
		return loc, nil
	}
	loc.Range, loc.EndLine = true, loc.Line
	if p.peek() != ':' {
		if loc.EndLine, err = p.lineNumber(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	loc.EndCol, err = p.lineNumber()
	return loc, err
}

// lineNumber reads a line or a column.
func (p *parser) lineNumber() (int, error) {
	pos := p.place()
	n, err := p.int64()
	if err == nil && (n < 0 || n > math.MaxUint32) {
		return 0, p.errorAt(pos, "expected a line or column of 32 bits, got %d", n)
	}
	return int(n), err
}

// parseCallSite reads (callee at caller).
func (p *parser) parseCallSite() (stablehlo.Location, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	callee, err := p.parseLocation()
	if err != nil {
		return nil, err
	}
	if err := p.expect("at"); err != nil {
		return nil, err
	}
	caller, err := p.parseLocation()
	return &stablehlo.CallSiteLoc{Callee: callee, Caller: caller}, p.closeParen(err)
}

// parseFused reads <metadata>[locations].
func (p *parser) parseFused() (stablehlo.Location, error) {
	loc := &stablehlo.FusedLoc{}
	if p.accept("<") {
		var err error
		if loc.Metadata, err = p.parseAttribute(); err != nil {
			return nil, err
		}
		if err := p.expect(">"); err != nil {
			return nil, err
		}
	}
	if err := p.expect("["); err != nil {
		return nil, err
	}
	err := p.list("]", func() error {
		l, err := p.parseLocation()
		loc.Locs = append(loc.Locs, l)
		return err
	})
	return loc, err
}
