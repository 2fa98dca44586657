package mlirtext

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// plainTypes are the types that one word spells.
var plainTypes = map[string]stablehlo.Type{
	"index": stablehlo.IndexType{},
	"none":  stablehlo.NoneType{},
}

// typeParser returns what reads a type that begins with word and <, which has been
// skipped; nil for another word.
func typeParser(word string) func(*parser) (stablehlo.Type, error) {
	switch word {
	case "tensor":
		return (*parser).parseTensor
	case "vector":
		return (*parser).parseVector
	case "memref":
		return (*parser).parseMemRef
	case "complex":
		return (*parser).parseComplex
	case "tuple":
		return (*parser).parseTuple
	}
	return nil
}

// parseType reads a type.
func (p *parser) parseType() (stablehlo.Type, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch p.peek() {
	case '(':
		return p.parseFunctionType()
	case '!':
		return p.parseDialectType()
	}
	if t := p.cachedType(); t != nil {
		return t, nil
	}
	m := p.mark()
	word := p.word()
	if parse := typeParser(word); parse != nil && p.accept("<") {
		return p.parseCached(m, parse)
	}
	if t, ok := scalarType(word); ok {
		return t, nil
	}
	p.reset(m)
	return nil, p.expected("a type")
}

// cachedType returns the tensor type that comes next if its text was read before.
func (p *parser) cachedType() stablehlo.Type {
	rest := p.text[p.pos:]
	if !strings.HasPrefix(rest, "tensor<") {
		return nil
	}
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		return nil
	}
	t := p.types[rest[:end+1]]
	if t != nil {
		p.pos += end + 1
	}
	return t
}

// parseCached reads a type that begins at m, and keeps it for cachedType if it is a
// tensor of a plain type.
func (p *parser) parseCached(m mark, parse func(*parser) (stablehlo.Type, error)) (stablehlo.Type, error) {
	t, err := parse(p)
	if err != nil {
		return nil, err
	}
	text := p.text[m.pos:p.pos]
	if strings.HasPrefix(text, "tensor<") && strings.IndexByte(text, '>') == len(text)-1 && p.line == m.line {
		p.types[text] = t
	}
	return t, nil
}

// scalarType returns the type that a word spells.
func scalarType(word string) (t stablehlo.Type, ok bool) {
	if t, ok := plainTypes[word]; ok {
		return t, true
	}
	if f, ok := stablehlo.ParseFloatType(word); ok {
		return f, true
	}
	return integerType(word)
}

// integerType returns iN, siN or uiN.
func integerType(word string) (t stablehlo.Type, ok bool) {
	prefix := strings.TrimRight(word, "0123456789")
	digits := word[len(prefix):]
	if digits == "" || digits[0] == '0' {
		return nil, false
	}
	width, err := strconv.Atoi(digits)
	if err != nil || width > maxIntegerWidth {
		return nil, false
	}
	signs := map[string]stablehlo.Signedness{"i": stablehlo.Signless, "si": stablehlo.Signed, "ui": stablehlo.Unsigned}
	sign, ok := signs[prefix]
	return stablehlo.IntegerType{Width: width, Sign: sign}, ok
}

// parseTypes reads types with commas between them up to the closing bracket.
func (p *parser) parseTypes(closing string) ([]stablehlo.Type, error) {
	return p.appendTypes(nil, closing)
}

func (p *parser) appendTypes(types []stablehlo.Type, closing string) ([]stablehlo.Type, error) {
	if p.accept(closing) {
		return types, nil
	}
	for {
		t, err := p.parseType()
		if err != nil {
			return nil, err
		}
		types = append(types, t)
		if !p.accept(",") {
			return types, p.expect(closing)
		}
	}
}

// parseFunctionType reads (types) -> type or (types) -> (types).
func (p *parser) parseFunctionType() (*stablehlo.FunctionType, error) {
	inputs, results, err := p.appendFunctionType(nil, nil)
	return &stablehlo.FunctionType{Inputs: inputs, Results: results}, err
}

// appendFunctionType reads a function type into two lists.
func (p *parser) appendFunctionType(in, out []stablehlo.Type) (inputs, results []stablehlo.Type, err error) {
	if err := p.expect("("); err != nil {
		return nil, nil, err
	}
	if in, err = p.appendTypes(in, ")"); err != nil {
		return nil, nil, err
	}
	if err := p.expect("->"); err != nil {
		return nil, nil, err
	}
	if p.accept("(") {
		out, err = p.appendTypes(out, ")")
		return in, out, err
	}
	t, err := p.parseType()
	return in, append(out, t), err
}

// parseTensor reads what follows tensor<.
func (p *parser) parseTensor() (stablehlo.Type, error) {
	if p.accept("*") {
		return p.parseUnranked()
	}
	dims, elem, err := p.parseShaped()
	if err != nil {
		return nil, err
	}
	t := &stablehlo.TensorType{Dims: dims, Elem: elem}
	if p.accept(",") {
		pos := p.place()
		if t.Encoding, err = p.parseAttribute(); err != nil {
			return nil, err
		}
		if err := t.CheckBounds(); err != nil {
			return nil, p.errorAt(pos, "%w", err)
		}
	}
	return t, p.expect(">")
}

func (p *parser) parseUnranked() (stablehlo.Type, error) {
	if !p.acceptX() {
		return nil, p.expected(`"x"`)
	}
	elem, err := p.parseType()
	if err != nil {
		return nil, err
	}
	return &stablehlo.UnrankedTensorType{Elem: elem}, p.expect(">")
}

// parseShaped reads 2x?xf32.
func (p *parser) parseShaped() (dims []int64, elem stablehlo.Type, err error) {
	for {
		switch c := p.peek(); {
		case c == '?':
			p.pos++
			dims = append(dims, stablehlo.Dynamic)
		case isDigit(c):
			d, err := p.parseSize()
			if err != nil {
				return nil, nil, err
			}
			dims = append(dims, d)
		default:
			elem, err = p.parseType()
			return dims, elem, err
		}
		if !p.acceptX() {
			return nil, nil, p.expected(`"x" after a size`)
		}
		if len(dims) > MaxRank {
			return nil, nil, p.errorf("expected at most %d dimensions", MaxRank)
		}
	}
}

// parseSize reads the digits of a size.
func (p *parser) parseSize() (int64, error) {
	from := p.pos
	p.digits()
	d, err := strconv.ParseInt(p.text[from:p.pos], 10, 64)
	if err != nil {
		p.pos = from
		return 0, p.errorf("expected a size of 64 bits")
	}
	return d, nil
}

// acceptX skips the x after a size. The next size or type may follow without a space.
func (p *parser) acceptX() bool {
	if p.peek() != 'x' {
		return false
	}
	p.pos++
	return true
}

// parseVector reads what follows vector<.
func (p *parser) parseVector() (stablehlo.Type, error) {
	t := &stablehlo.VectorType{}
	for {
		scalable := p.accept("[")
		if !isDigit(p.peek()) {
			break
		}
		d, err := p.parseSize()
		if err != nil {
			return nil, err
		}
		if scalable {
			if err := p.expect("]"); err != nil {
				return nil, err
			}
			t.Scalable = append(make([]bool, 0, len(t.Dims)+1), t.Scalable...)
			t.Scalable = append(append(t.Scalable, make([]bool, len(t.Dims)-len(t.Scalable))...), true)
		}
		t.Dims = append(t.Dims, d)
		if !p.acceptX() || len(t.Dims) > MaxRank {
			return nil, p.expected(`"x" after a size`)
		}
	}
	var err error
	if t.Elem, err = p.parseType(); err != nil {
		return nil, err
	}
	return t, p.expect(">")
}

// parseMemRef reads what follows memref<.
func (p *parser) parseMemRef() (stablehlo.Type, error) {
	t := &stablehlo.MemRefType{}
	var err error
	if p.accept("*") {
		if !p.acceptX() {
			return nil, p.expected(`"x"`)
		}
		t.Unranked = true
		t.Elem, err = p.parseType()
	} else {
		t.Dims, t.Elem, err = p.parseShaped()
	}
	if err != nil {
		return nil, err
	}
	for p.accept(",") {
		a, err := p.parseAttribute()
		if err != nil {
			return nil, err
		}
		if o, ok := a.(stablehlo.OpaqueAttr); ok && o.Dialect == "" && t.Layout == nil && !t.Unranked {
			t.Layout = a
		} else if t.MemorySpace == nil {
			t.MemorySpace = a
		} else {
			return nil, p.expected(`">"`)
		}
	}
	return t, p.expect(">")
}

// parseComplex reads what follows complex<.
func (p *parser) parseComplex() (stablehlo.Type, error) {
	pos := p.place()
	elem, err := p.parseType()
	if err != nil {
		return nil, err
	}
	switch elem.(type) {
	case stablehlo.IntegerType, stablehlo.FloatType:
		return &stablehlo.ComplexType{Elem: elem}, p.expect(">")
	}
	return nil, p.errorAt(pos, "expected a number type for the parts of a complex number, got %s", elem)
}

// parseTuple reads what follows tuple<.
func (p *parser) parseTuple() (stablehlo.Type, error) {
	types, err := p.parseTypes(">")
	return &stablehlo.TupleType{Types: types}, err
}

// parseDialectType reads !alias, !dialect.name<...> or !dialect<...>.
func (p *parser) parseDialectType() (stablehlo.Type, error) {
	pos := p.place()
	p.pos++
	name := p.suffix()
	switch name {
	case "stablehlo.token":
		return stablehlo.TokenType{}, nil
	case "stablehlo.future":
		return p.parseFuture()
	case "quant.uniform":
		return p.parseQuantized()
	}
	if t, ok := p.typeAliases[name]; ok {
		return t, nil
	}
	dialect, body, dotted := strings.Cut(name, ".")
	if dialect == "" || !isLetter(dialect[0]) {
		return nil, p.errorAt(pos, "expected the name of a type or a defined alias after \"!\", got %q", name)
	}
	rest, err := p.opaqueBody()
	switch {
	case err != nil:
		return nil, err
	case dotted:
		return stablehlo.OpaqueType{Dialect: p.keep(dialect), Body: strings.Clone(body + rest)}, nil
	case rest == "":
		return nil, p.errorAt(pos, "expected a defined alias, got !%s", name)
	}
	return stablehlo.OpaqueType{Dialect: p.keep(dialect), Body: strings.Clone(rest[1 : len(rest)-1]), Angle: true}, nil
}

// opaqueBody skips <...> if it follows at once, and returns it.
func (p *parser) opaqueBody() (string, error) {
	if p.pos >= len(p.text) || p.text[p.pos] != '<' {
		return "", nil
	}
	end := p.balanced(p.pos)
	if end < 0 {
		return "", p.errorf("expected brackets that close in order after \"<\"")
	}
	body := p.text[p.pos : end+1]
	p.skipTo(end + 1)
	return body, nil
}

// parseFuture reads what follows !stablehlo.future.
func (p *parser) parseFuture() (stablehlo.Type, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	types, err := p.parseTypes(">")
	return &stablehlo.FutureType{Types: types}, err
}
