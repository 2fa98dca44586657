package mlirtext

import (
	"slices"
	"sort"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// attrParser returns what reads an attribute that begins with word, which has been
// skipped; nil for another word.
func attrParser(word string) func(*parser) (stablehlo.Attribute, error) {
	switch word {
	case "dense":
		return (*parser).parseDense
	case "dense_resource":
		return (*parser).parseDenseResource
	case "sparse":
		return (*parser).parseSparse
	case "array":
		return (*parser).parseDenseArray
	case "loc":
		return (*parser).parseLocAttr
	case "affine_map", "affine_set", "strided", "distinct", "opaque":
		return func(p *parser) (stablehlo.Attribute, error) { return p.parseBuiltinOpaque(word) }
	}
	return nil
}

// plainAttrs are the attributes that one word spells.
var plainAttrs = map[string]stablehlo.Attribute{
	"true": stablehlo.Bool(true), "false": stablehlo.Bool(false), "unit": stablehlo.UnitAttr{},
}

// parseAttribute reads an attribute with its type.
func (p *parser) parseAttribute() (stablehlo.Attribute, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch c := p.peek(); {
	case c == '"':
		return p.parseString()
	case c == '@':
		return p.parseSymbol()
	case c == '#':
		return p.parseDialectAttr()
	case c == '[':
		return p.parseArray()
	case c == '{':
		return p.parseDict()
	case c == '-' || isDigit(c):
		return p.parseNumber(nil)
	case c == '(' || c == '!':
		return p.parseTypeAttr()
	}
	m := p.mark()
	word := p.word()
	if a, ok := plainAttrs[word]; ok {
		return a, nil
	}
	if parse := attrParser(word); parse != nil {
		return parse(p)
	}
	if typeParser(word) != nil {
		p.reset(m)
		return p.parseTypeAttr()
	}
	if t, ok := scalarType(word); ok {
		return stablehlo.TypeAttr{Type: t}, nil
	}
	p.reset(m)
	return nil, p.expected("an attribute")
}

func (p *parser) parseTypeAttr() (stablehlo.Attribute, error) {
	t, err := p.parseType()
	return stablehlo.TypeAttr{Type: t}, err
}

// parseString reads "text" or "text" : type.
func (p *parser) parseString() (stablehlo.Attribute, error) {
	value, err := p.stringValue()
	if err != nil || !p.accept(":") {
		return stablehlo.StringAttr{Value: value}, err
	}
	t, err := p.parseType()
	return stablehlo.StringAttr{Value: value, Type: t}, err
}

// stringValue reads a string that must come next.
func (p *parser) stringValue() (string, error) {
	value, ok, err := p.quoted()
	if err == nil && !ok {
		err = p.expected("a string")
	}
	return strings.Clone(value), err
}

// symbolName reads @name or @"name".
func (p *parser) symbolName() (string, error) {
	if p.peek() != '@' {
		return "", p.expected("a symbol such as @name")
	}
	p.pos++
	if p.pos < len(p.text) && p.text[p.pos] == '"' {
		return p.stringValue()
	}
	if p.pos >= len(p.text) || !isWordByte(p.text[p.pos]) {
		return "", p.expected("a name after \"@\"")
	}
	from := p.pos
	for p.pos < len(p.text) && isNameByte(p.text[p.pos]) {
		p.pos++
	}
	return p.keep(p.text[from:p.pos]), nil
}

// parseSymbol reads @a::@b.
func (p *parser) parseSymbol() (stablehlo.Attribute, error) {
	root, err := p.symbolName()
	s := &stablehlo.SymbolRef{Root: root}
	for err == nil && p.accept("::") {
		var name string
		name, err = p.symbolName()
		s.Nested = append(s.Nested, name)
	}
	return s, err
}

// parseArray reads [attributes].
func (p *parser) parseArray() (stablehlo.Attribute, error) {
	p.pos++
	a := &stablehlo.ArrayAttr{}
	err := p.list("]", func() error {
		e, err := p.parseAttribute()
		a.Elems = append(a.Elems, e)
		return err
	})
	return a, err
}

// parseDict reads {name = value, ...}.
func (p *parser) parseDict() (stablehlo.Attribute, error) {
	entries, err := p.parseEntries()
	return &stablehlo.DictAttr{Entries: entries}, err
}

// parseEntries reads {name = value, ...} and sorts by name.
func (p *parser) parseEntries() ([]stablehlo.NamedAttribute, error) {
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	var entries []stablehlo.NamedAttribute
	pos := p.place()
	err := p.list("}", func() error {
		e, err := p.parseEntry()
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	sort.SliceStable(entries, func(a, b int) bool { return entries[a].Name < entries[b].Name })
	for i := 1; i < len(entries); i++ {
		if name := entries[i].Name; name == entries[i-1].Name {
			return nil, p.errorAt(pos, "expected each attribute once, got %s again", name)
		}
	}
	return entries, nil
}

// parseEntry reads name = value, or the name of a unit attribute.
func (p *parser) parseEntry() (e stablehlo.NamedAttribute, err error) {
	name, ok, err := p.quoted()
	if err != nil {
		return e, err
	}
	if !ok {
		if name = p.word(); name == "" {
			return e, p.expected("the name of an attribute")
		}
	}
	e.Name = p.keep(name)
	if !p.accept("=") {
		e.Value = stablehlo.UnitAttr{}
		return e, nil
	}
	e.Value, err = p.parseAttribute()
	return e, err
}

// parseNumber reads a number and its type; want is the type if the text gives none, nil
// for i64 or f64.
func (p *parser) parseNumber(want stablehlo.Type) (stablehlo.Attribute, error) {
	pos := p.place()
	n, ok := p.number()
	if !ok {
		return nil, p.expected("a number")
	}
	t := want
	switch {
	case want != nil:
	case p.accept(":"):
		var err error
		if t, err = p.parseType(); err != nil {
			return nil, err
		}
	case n.float:
		t = stablehlo.F64
	default:
		t = stablehlo.I64
	}
	return p.makeNumber(pos, n, t)
}

// makeNumber gives a literal its type.
func (p *parser) makeNumber(pos stablehlo.Pos, n number, t stablehlo.Type) (stablehlo.Attribute, error) {
	switch x := t.(type) {
	case stablehlo.FloatType:
		bits, err := p.floatBits(pos, n, x)
		return stablehlo.FloatAttr{Bits: bits, Type: t}, err
	case stablehlo.IntegerType, stablehlo.IndexType:
		v, err := p.integerOf(pos, n, t)
		return stablehlo.IntegerAttr{Value: v, Type: t}, err
	}
	return nil, p.errorAt(pos, "expected an integer or floating-point type of %s, got %s", n, t)
}

// floatBits returns the bits of a literal in a floating-point type; a hexadecimal
// literal is the bits.
func (p *parser) floatBits(pos stablehlo.Pos, n number, t stablehlo.FloatType) (uint64, error) {
	switch {
	case n.hex && !n.negative:
		bits, ok := n.integer(min(t.Bits(), 64), false)
		if !ok {
			return 0, p.errorAt(pos, "expected at most %d bits of %s, got %s", t.Bits(), t, n)
		}
		return uint64(bits), nil
	case !n.float:
		return 0, p.errorAt(pos, "expected a number with a point for %s, got %s", t, n)
	}
	return t.FromFloat64(n.value()), nil
}

// integerOf returns the value of a literal in an integer type or index.
func (p *parser) integerOf(pos stablehlo.Pos, n number, t stablehlo.Type) (int64, error) {
	if n.float {
		return 0, p.errorAt(pos, "expected an integer for %s, got %s", t, n)
	}
	i, ok := t.(stablehlo.IntegerType)
	if !ok {
		i = stablehlo.I64
	}
	v, ok := n.integer(min(i.Width, 64), i.Sign == stablehlo.Unsigned)
	if !ok || (i.Sign == stablehlo.Signed && !n.hex && (i.Extend(v) < 0) != n.negative && v != 0) {
		return 0, p.errorAt(pos, "expected a number that fits %s, got %s", t, n)
	}
	return i.Extend(v), nil
}

// parseDialectAttr reads #alias, #dialect.name<...> or #dialect<name ...>.
func (p *parser) parseDialectAttr() (stablehlo.Attribute, error) {
	pos := p.place()
	p.pos++
	name := p.suffix()
	if a, ok := p.attrAliases[name]; ok {
		return a, nil
	}
	dialect, body, dotted := strings.Cut(name, ".")
	if dialect == "" || !isLetter(dialect[0]) {
		return nil, p.errorAt(pos, "expected the name of an attribute or a defined alias after \"#\", got %q", name)
	}
	if a, known, err := p.parseKnownAttr(dialect, body); known || err != nil {
		return a, err
	}
	rest, err := p.opaqueBody()
	if err != nil {
		return nil, err
	}
	a := stablehlo.OpaqueAttr{Dialect: p.keep(dialect), Body: strings.Clone(body + rest)}
	if !dotted {
		if rest == "" {
			return nil, p.errorAt(pos, "expected a defined alias, got #%s", name)
		}
		a.Body, a.Angle = a.Body[1:len(a.Body)-1], true
	}
	if p.accept(":") {
		a.Type, err = p.parseType()
	}
	return a, err
}

// parseKnownAttr reads what follows #dialect or #dialect.name of an enum or a struct
// attribute; known is false if it is none.
func (p *parser) parseKnownAttr(dialect, name string) (a stablehlo.Attribute, known bool, err error) {
	if name == "" {
		m := p.mark()
		if p.accept("<") {
			if kind := stablehlo.FindEnum(dialect, p.word()); kind != nil {
				a, err = p.parseEnumWord(kind)
				return a, true, p.closing(err)
			}
		}
		p.reset(m)
		return nil, false, nil
	}
	if kind := stablehlo.FindEnum(dialect, name); kind != nil {
		if err := p.expect("<"); err != nil {
			return nil, true, err
		}
		a, err = p.parseEnumWord(kind)
		return a, true, p.closing(err)
	}
	if dialect == "stablehlo" && name == "bounds" {
		a, err = p.parseBounds()
		return a, true, err
	}
	if info := stablehlo.StructOf(dialect + "." + name); info != nil {
		a, err = p.parseStruct(info)
		return a, true, err
	}
	return nil, false, nil
}

// closing skips > unless there was an error.
func (p *parser) closing(err error) error {
	if err != nil {
		return err
	}
	return p.expect(">")
}

// parseEnumWord reads a word of a closed list.
func (p *parser) parseEnumWord(kind *stablehlo.EnumKind) (stablehlo.EnumAttr, error) {
	m := p.mark()
	word := p.word()
	a, ok := kind.Parse(word)
	if !ok {
		p.reset(m)
		words := slices.DeleteFunc(slices.Clone(kind.Words), func(w string) bool { return w == "" })
		return a, p.expected("a " + kind.Name + ": one of " + strings.Join(words, ", "))
	}
	return a, nil
}

// parseBuiltinOpaque keeps an attribute of MLIR itself as text.
func (p *parser) parseBuiltinOpaque(word string) (stablehlo.Attribute, error) {
	from := p.pos - len(word)
	for p.pos < len(p.text) && (p.text[p.pos] == '<' || p.text[p.pos] == '[') {
		end := p.balanced(p.pos)
		if end < 0 {
			return nil, p.errorf("expected brackets that close in order after %q", word)
		}
		p.skipTo(end + 1)
	}
	a := stablehlo.OpaqueAttr{Body: strings.Clone(p.text[from:p.pos])}
	if word == "opaque" && p.accept(":") {
		var err error
		if a.Type, err = p.parseType(); err != nil {
			return nil, err
		}
	}
	return a, nil
}
