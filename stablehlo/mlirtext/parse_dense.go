package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// parseDense reads what follows dense: <elements> : type. The type decides how the
// elements are read, so they are skipped first.
func (p *parser) parseDense() (stablehlo.Attribute, error) {
	begin := p.mark()
	if p.peek() != '<' {
		return nil, p.expected(`"<"`)
	}
	end := p.balanced(p.pos)
	if end < 0 {
		return nil, p.errorf("expected brackets that close in order after \"dense\"")
	}
	p.skipTo(end + 1)
	t, pos, err := p.parseElementsType()
	if err != nil {
		return nil, err
	}
	after := p.mark()
	p.reset(begin)
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	a, err := p.parseElements(t, pos)
	if err != nil {
		return nil, err
	}
	if err := p.expect(">"); err != nil {
		return nil, err
	}
	p.reset(after)
	return a, nil
}

// parseElementsType reads : type, a tensor or vector of known sizes.
func (p *parser) parseElementsType() (stablehlo.Type, stablehlo.Pos, error) {
	if err := p.expect(":"); err != nil {
		return nil, stablehlo.Pos{}, err
	}
	pos := p.place()
	t, err := p.parseType()
	if err != nil {
		return nil, pos, err
	}
	if _, _, ok := stablehlo.ElementsShape(t); !ok {
		return nil, pos, p.errorAt(pos, "expected a tensor or vector type of known sizes for elements, got %s", t)
	}
	return t, pos, nil
}

// parseElements reads the elements of a constant of type t.
func (p *parser) parseElements(t stablehlo.Type, typePos stablehlo.Pos) (stablehlo.Attribute, error) {
	dims, elem, _ := stablehlo.ElementsShape(t)
	n := int64(1)
	for _, d := range dims {
		if n = mulSizes(n, d); n < 0 {
			return nil, p.errorAt(typePos, "expected a type whose number of elements has 64 bits, got %s", t)
		}
	}
	size, ok := elementSize(elem)
	switch {
	case !ok && isNumber(elem):
		return nil, p.errorAt(typePos, "expected elements of at most %d bytes, got %s", maxNumberBytes, elem)
	case !ok:
		return p.parseStrings(t, dims, n)
	case p.peek() == '"':
		data, splat, err := p.parseHex(n, size, elem)
		return &stablehlo.DenseElements{Type: t, Data: data, Splat: splat}, err
	case p.peek() == '>':
		if n != 0 {
			return nil, p.errorf("expected %d elements of %s, got none", n, t)
		}
		return &stablehlo.DenseElements{Type: t}, nil
	}
	e := elementReader{p: p, elem: elem, size: size, capacity: n}
	data, splat, err := e.read(dims)
	return &stablehlo.DenseElements{Type: t, Data: data, Splat: splat}, err
}

// elementSize returns the bytes of an element whose values numbers can give.
func elementSize(elem stablehlo.Type) (int, bool) {
	if _, quantized := elem.(*stablehlo.QuantizedType); quantized {
		return 0, false
	}
	n, ok := stablehlo.ElementBytes(elem)
	limit := maxNumberBytes
	if _, pair := elem.(*stablehlo.ComplexType); pair {
		limit *= 2
	}
	return n, ok && n <= limit
}

// isNumber reports whether elem is a type of numbers, of whatever size.
func isNumber(elem stablehlo.Type) bool {
	if _, quantized := elem.(*stablehlo.QuantizedType); quantized {
		return false
	}
	_, ok := stablehlo.ElementBytes(elem)
	return ok
}

// mulSizes multiplies two sizes; -1 if the product does not fit.
func mulSizes(a, b int64) int64 {
	if a < 0 || b < 0 || (b > 0 && a > (1<<62)/b) {
		return -1
	}
	return a * b
}

// parseHex reads "0x..." into the bytes of n elements, or of one that stands for all.
func (p *parser) parseHex(n int64, size int, elem stablehlo.Type) (data []byte, splat bool, err error) {
	pos := p.place()
	raw, err := p.rawQuoted()
	if err != nil {
		return nil, false, err
	}
	digits, ok := strings.CutPrefix(raw, "0x")
	if !ok {
		return nil, false, p.errorAt(pos, "expected hexadecimal digits after 0x, got %.20q", raw)
	}
	if data, ok = decodeHex(digits); !ok {
		return nil, false, p.errorAt(pos, "expected an even number of hexadecimal digits after 0x")
	}
	switch got := int64(len(data)); {
	case elem == stablehlo.I1 && got == 1 && n > 1 && n <= 8 && data[0] > 1 && data[0] < 0xff:
		data = unpackBits(data, int(n)) // a byte that is neither false nor true holds bits
	case got == int64(size) && n != 0:
		if elem == stablehlo.I1 {
			normalizeBools(data)
		}
		return data, true, nil
	case n < (1<<62)/int64(size) && got == n*int64(size):
		if elem == stablehlo.I1 {
			normalizeBools(data)
		}
	case elem == stablehlo.I1 && n < 1<<62 && got == (n+7)/8:
		data = unpackBits(data, int(n))
	default:
		return nil, false, p.errorAt(pos, "expected %d elements of %d bytes, got %d bytes", n, size, got)
	}
	if len(data) > 0 && repeats(data, size) {
		return data[:size:size], true, nil
	}
	return data, false, nil
}

// normalizeBools makes 1 of every byte that is not 0.
func normalizeBools(data []byte) {
	for i, b := range data {
		if b != 0 {
			data[i] = 1
		}
	}
}

// unpackBits gives each bit its own byte, the lowest first.
func unpackBits(bits []byte, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = bits[i/8] >> (i % 8) & 1
	}
	return data
}

// repeats reports whether all elements of data equal the first.
func repeats(data []byte, size int) bool {
	return string(data[size:]) == string(data[:len(data)-size])
}

// hexValues holds the value of each hexadecimal digit, 0xff for other bytes.
var hexValues = func() (v [256]byte) {
	for c := range v {
		v[c] = 0xff
		if d := hexDigit(byte(c)); d >= 0 {
			v[c] = byte(d)
		}
	}
	return v
}()

// decodeHex reads pairs of hexadecimal digits.
func decodeHex(digits string) (data []byte, ok bool) {
	if len(digits)%2 != 0 {
		return nil, false
	}
	data = make([]byte, len(digits)/2)
	bad := byte(0)
	for i := range data {
		hi, lo := hexValues[digits[2*i]], hexValues[digits[2*i+1]]
		bad |= hi | lo
		data[i] = hi<<4 | lo
	}
	return data, bad < 0x10
}

// parseStrings reads the elements of a type that only its dialect knows.
func (p *parser) parseStrings(t stablehlo.Type, dims []int64, n int64) (stablehlo.Attribute, error) {
	a := &stablehlo.DenseStrings{Type: t}
	if p.peek() == '>' {
		if n != 0 {
			return nil, p.errorf("expected %d elements of %s, got none", n, t)
		}
		return a, nil
	}
	a.Splat = p.peek() == '"'
	if a.Splat {
		v, err := p.stringValue()
		a.Values = []string{v}
		return a, err
	}
	shape := listShape{p: p, dims: dims}
	err := shape.read(0, func() error {
		v, err := p.stringValue()
		a.Values = append(a.Values, v)
		return err
	})
	return a, err
}

// parseDenseResource reads what follows dense_resource: <key> : type.
func (p *parser) parseDenseResource() (stablehlo.Attribute, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	key, err := p.resourceKey()
	if err != nil {
		return nil, err
	}
	if err := p.expect(">"); err != nil {
		return nil, err
	}
	t, _, err := p.parseElementsType()
	return &stablehlo.DenseResource{Type: t, Key: key}, err
}

// parseDenseArray reads what follows array: <i64: 1, 2>.
func (p *parser) parseDenseArray() (stablehlo.Attribute, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	pos := p.place()
	elem, err := p.parseType()
	if err != nil {
		return nil, err
	}
	_, integer := elem.(stablehlo.IntegerType)
	_, float := elem.(stablehlo.FloatType)
	if size, ok := elementSize(elem); !ok || size == 0 || (!integer && !float) {
		return nil, p.errorAt(pos, "expected an integer or floating-point type of an array, got %s", elem)
	}
	if p.accept(":") {
		return p.parseArrayElements(elem, ">")
	}
	return &stablehlo.DenseArrayAttr{Elem: elem}, p.expect(">")
}

// parseArrayElements reads 1, 2 and the closing bracket.
func (p *parser) parseArrayElements(elem stablehlo.Type, closing string) (*stablehlo.DenseArrayAttr, error) {
	size, _ := stablehlo.ElementBytes(elem)
	e := elementReader{p: p, elem: elem, size: size}
	if err := p.list(closing, e.element); err != nil {
		return nil, err
	}
	return &stablehlo.DenseArrayAttr{Elem: elem, Data: e.data}, nil
}

// parseSparse reads what follows sparse: <indices, values> : type.
func (p *parser) parseSparse() (stablehlo.Attribute, error) {
	begin := p.mark()
	end := -1
	if p.peek() == '<' {
		end = p.balanced(p.pos)
	}
	if end < 0 {
		return nil, p.expected("brackets that close in order after \"sparse\"")
	}
	p.skipTo(end + 1)
	t, pos, err := p.parseElementsType()
	if err != nil {
		return nil, err
	}
	after := p.mark()
	p.reset(begin)
	a, err := p.parseSparseParts(t, pos)
	if err != nil {
		return nil, err
	}
	p.reset(after)
	return a, nil
}

// parseSparseParts reads <indices, values>.
func (p *parser) parseSparseParts(t stablehlo.Type, pos stablehlo.Pos) (stablehlo.Attribute, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	a := &stablehlo.SparseElements{Type: t}
	if p.accept(">") {
		return a, nil
	}
	dims, elem, _ := stablehlo.ElementsShape(t)
	indices := elementReader{p: p, elem: stablehlo.I64, size: 8}
	shape, err := indices.infer()
	if err != nil {
		return nil, err
	}
	if len(shape) == 0 {
		shape = []int64{1, int64(len(dims))}
	}
	if len(shape) != 2 || shape[1] != int64(len(dims)) {
		return nil, p.errorAt(pos, "expected a list of indices with %d numbers each, got sizes %v", len(dims), shape)
	}
	a.Indices = &stablehlo.DenseElements{Type: &stablehlo.TensorType{Dims: shape, Elem: stablehlo.I64},
		Data: indices.data, Splat: len(indices.data) == 8 && shape[0]*shape[1] != 1}
	if err := p.expect(","); err != nil {
		return nil, err
	}
	a.Values, err = p.parseElements(&stablehlo.TensorType{Dims: shape[:1], Elem: elem}, pos)
	return a, p.closing(err)
}
