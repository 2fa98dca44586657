package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// parser reads one module.
type parser struct {
	scanner
	module      *stablehlo.Module
	forms       formTable
	attrAliases map[string]stablehlo.Attribute // by name, without #
	typeAliases map[string]stablehlo.Type      // by name, without !
	types       map[string]stablehlo.Type      // tensor types by their text: most occur many times
	names       map[string]string              // names that the module keeps, each once
	values      *valueScope                    // of the innermost isolated operation
	dialect     string                         // of names without a dialect
	pending     []pendingLoc                   // locations given by aliases that come later

	states    []*opState // that no operation uses
	opSlab    slab[stablehlo.Op]
	valueSlab slab[stablehlo.Value]
	pointers  slab[*stablehlo.Value]
}

// pendingLoc is a location that names an alias which the text has not defined yet.
type pendingLoc struct {
	to   *stablehlo.Location
	name string
	pos  stablehlo.Pos
}

// Parse reads the module in text; file is its name for errors. Operations outside a
// module are put into one. It fails with a *stablehlo.Error at the first fault.
//
// The module does not refer to text.
func Parse(file, text string) (*stablehlo.Module, error) {
	return parseAt(file, text, 0)
}

// ParseAll reads the modules of a text whose parts are divided by lines "// -----".
func ParseAll(file, text string) ([]*stablehlo.Module, error) {
	var modules []*stablehlo.Module
	for _, part := range Split(text) {
		m, err := parseAt(file, part.Text, part.Line)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// Part is a piece of a text.
type Part struct {
	Text string
	Line int // the number of lines before it
}

// separator is how the lines begin that divide a text.
const separator = "// -----"

// Split divides a text at the lines that begin with "// -----".
func Split(text string) []Part {
	var parts []Part
	from, line, fromLine := 0, 0, 0
	pos := 0
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, separator) {
			parts = append(parts, Part{Text: text[from:pos], Line: fromLine})
			from, fromLine = pos+len(l), line+1
		}
		pos += len(l)
		line++
	}
	return append(parts, Part{Text: text[from:], Line: fromLine})
}

// ParsePart reads the module in one part of a text, with the lines counted from the
// beginning of the whole.
func ParsePart(file string, part Part) (*stablehlo.Module, error) {
	return parseAt(file, part.Text, part.Line)
}

func parseAt(file, text string, line int) (*stablehlo.Module, error) {
	p := newParser(file, text, line)
	if err := p.parseModule(); err != nil {
		return nil, err
	}
	return p.module, nil
}

func newParser(file, text string, line int) *parser {
	p := &parser{
		scanner:     scanner{file: file, text: text, line: line},
		module:      stablehlo.NewModule(),
		forms:       forms(),
		attrAliases: map[string]stablehlo.Attribute{},
		typeAliases: map[string]stablehlo.Type{},
		types:       map[string]stablehlo.Type{},
		names:       map[string]string{},
		dialect:     "builtin",
	}
	p.module.File = file
	return p
}

// parseModule reads everything.
func (p *parser) parseModule() error {
	body := p.module.Body()
	p.pushScope()
	for !p.atEnd() {
		if err := p.parseTopLevel(body); err != nil {
			return err
		}
	}
	if err := p.popScope(); err != nil {
		return err
	}
	if err := p.resolveLocations(); err != nil {
		return err
	}
	if len(body.Ops) == 1 && body.Ops[0].Name == "builtin.module" {
		p.module.Op = body.Ops[0]
		p.module.Op.Block = nil
	}
	return nil
}

// parseTopLevel reads an alias, the resources or an operation.
func (p *parser) parseTopLevel(body *stablehlo.Block) error {
	switch {
	case p.peek() == '#':
		return p.parseAttrAlias()
	case p.peek() == '!':
		return p.parseTypeAlias()
	case p.accept("{-#"):
		return p.parseResources()
	}
	return p.parseOp(body)
}

// parseAttrAlias reads #name = attribute.
func (p *parser) parseAttrAlias() error {
	pos := p.place()
	p.pos++
	name := p.suffix()
	if !isAliasName(name) {
		return p.errorAt(pos, "expected the name of an alias without a dot, got %q", "#"+name)
	}
	if _, twice := p.attrAliases[name]; twice {
		return p.errorAt(pos, "expected a new alias, got #%s again", name)
	}
	if err := p.expect("="); err != nil {
		return err
	}
	a, err := p.parseAttribute()
	p.attrAliases[name] = a
	return err
}

// isAliasName reports whether name may name an alias: a dot is for the attributes and
// types of dialects.
func isAliasName(name string) bool {
	return name != "" && isWordByte(name[0]) && strings.IndexByte(name, '.') < 0
}

// parseTypeAlias reads !name = type.
func (p *parser) parseTypeAlias() error {
	pos := p.place()
	p.pos++
	name := p.suffix()
	if !isAliasName(name) {
		return p.errorAt(pos, "expected the name of an alias without a dot, got %q", "!"+name)
	}
	if _, twice := p.typeAliases[name]; twice {
		return p.errorAt(pos, "expected a new alias, got !%s again", name)
	}
	if err := p.expect("="); err != nil {
		return err
	}
	t, err := p.parseType()
	p.typeAliases[name] = t
	return err
}

// resolveLocations fills in the locations whose aliases came later.
func (p *parser) resolveLocations() error {
	for _, l := range p.pending {
		a, ok := p.attrAliases[l.name]
		if !ok {
			return p.errorAt(l.pos, "expected a defined alias, got #%s", l.name)
		}
		loc, ok := a.(stablehlo.Location)
		if !ok {
			return p.errorAt(l.pos, "expected an alias of a location, got #%s, which is %s", l.name, a)
		}
		*l.to = loc
	}
	return nil
}

// keep returns a copy of a name of the text that does not hold on to the text.
func (p *parser) keep(name string) string {
	if kept, ok := p.names[name]; ok {
		return kept
	}
	kept := strings.Clone(name)
	p.names[kept] = kept
	return kept
}
