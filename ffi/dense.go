package ffi

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// array reads <i64: 1, 2> behind the word array.
func (p *parser) array() (any, error) {
	if err := p.expect('<'); err != nil {
		return nil, err
	}
	t, err := p.elementType()
	if err != nil {
		return nil, err
	}
	var numbers []string
	if p.accept(':') {
		for {
			numbers = append(numbers, p.scalarText())
			if !p.accept(',') {
				break
			}
		}
	}
	l := literal.New(shape.Make(t, len(numbers)))
	for i, text := range numbers {
		if err := setNumber(l, i, text); err != nil {
			return nil, p.errorf("array element %d, %q: %v", i, text, err)
		}
	}
	return l, p.expect('>')
}

// scalarText skips true, false or a number and returns it.
func (p *parser) scalarText() string {
	if word := p.peek(); word == 't' || word == 'f' {
		return p.word()
	}
	return p.number()
}

// dense reads <elements> : tensor<2x3xf32> behind the word dense. The type comes
// last, so the elements are kept as text until it is known.
func (p *parser) dense() (any, error) {
	if err := p.expect('<'); err != nil {
		return nil, err
	}
	p.peek()
	start := p.at
	if !p.accept('>') {
		if _, err := p.elements(); err != nil {
			return nil, err
		}
		if err := p.expect('>'); err != nil {
			return nil, err
		}
	}
	text, from := p.text[start:p.at-1], start
	if err := p.expect(':'); err != nil {
		return nil, err
	}
	s, err := p.tensorType()
	if err != nil {
		return nil, err
	}
	l, err := denseLiteral(s, strings.TrimSpace(text))
	if err != nil {
		p.at = from
		return nil, p.errorf("%v", err)
	}
	return l, nil
}

// elements skips what is between < and > of dense: it may hold lists, which split at
// commas, so a plain search for the end does.
func (p *parser) elements() (string, error) {
	start := p.at
	for p.peek() != '>' {
		switch p.peek() {
		case 0:
			return "", p.errorf("expects '>'")
		case '"':
			if _, err := p.quoted(); err != nil {
				return "", err
			}
		default:
			p.at++
		}
	}
	return p.text[start:p.at], nil
}

// tensorType reads tensor<2x3xf32>.
func (p *parser) tensorType() (shape.Shape, error) {
	start := p.at
	if word := p.word(); word != "tensor" && word != "vector" {
		p.at = start
		return shape.Shape{}, p.errorf("expects a tensor type")
	}
	if err := p.expect('<'); err != nil {
		return shape.Shape{}, err
	}
	var dims []int
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		end := strings.IndexByte(p.text[p.at:], 'x')
		if end < 0 {
			return shape.Shape{}, p.errorf("expects 'x' behind a size")
		}
		n, err := strconv.Atoi(p.text[p.at : p.at+end])
		if err != nil {
			return shape.Shape{}, p.errorf("expects a size")
		}
		dims = append(dims, n)
		p.at += end + 1
	}
	t, err := p.elementType()
	if err != nil {
		return shape.Shape{}, err
	}
	return shape.Make(t, dims...), p.expect('>')
}

// denseLiteral returns the array of shape s with the elements in text: one for all,
// nested lists, or a string with the bytes in hexadecimal. Memory is taken in
// proportion to the text, but for an array of one repeated element.
func denseLiteral(s shape.Shape, text string) (literal.Literal, error) {
	q := &parser{text: text}
	if err := literal.CheckSize(s); err != nil {
		return literal.Literal{}, err
	}
	if s.Size() > maxElements {
		return literal.Literal{}, q.errorf("expects at most %d elements for %v", maxElements, s)
	}
	l := literal.New(s)
	if strings.HasPrefix(text, `"`) {
		return l, q.hexElements(l)
	}
	if !strings.HasPrefix(text, "[") {
		if text == "" && l.Len() == 0 {
			return l, nil
		}
		item := q.elementText()
		if q.peek() != 0 {
			return l, q.errorf("expects the end of the elements")
		}
		for i := range l.Len() {
			if err := setElement(l, i, item); err != nil {
				return l, err
			}
		}
		return l, nil
	}
	n := 0
	if err := q.rows(l, 0, &n); err != nil {
		return l, err
	}
	if q.peek() != 0 {
		return l, q.errorf("expects the end of the elements")
	}
	return l, nil
}

// maxElements bounds a dense array, which may be one element of text.
const maxElements = 1 << 22

// rows reads the elements of dimension d and up, and counts them in n.
func (p *parser) rows(l literal.Literal, d int, n *int) error {
	if d == l.Shape().Rank() {
		if *n >= l.Len() {
			return p.errorf("expects %d elements", l.Len())
		}
		*n++
		return setElement(l, *n-1, p.elementText())
	}
	count := 0
	err := p.list('[', ']', func() error {
		count++
		return p.rows(l, d+1, n)
	})
	if err == nil && count != l.Dims()[d] {
		err = p.errorf("expects %d entries along dimension %d and %d in front of here", l.Dims()[d], d, count)
	}
	return err
}

// elementText skips a scalar, or a complex number (a, b), and returns it.
func (p *parser) elementText() [2]string {
	if !p.accept('(') {
		return [2]string{p.scalarText()}
	}
	re := p.scalarText()
	p.accept(',')
	im := p.scalarText()
	p.accept(')')
	return [2]string{re, im}
}

func setElement(l literal.Literal, i int, text [2]string) error {
	if !l.Type().IsComplex() {
		return setNumber(l, i, text[0])
	}
	var parts [2]float64
	for k, t := range text {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			return err
		}
		parts[k] = v
	}
	l.SetComplex(i, complex(parts[0], parts[1]))
	return nil
}

// hexElements sets the bytes of l from "0x...", little-endian; one element fills l.
func (p *parser) hexElements(l literal.Literal) error {
	text, err := p.quoted()
	if err != nil {
		return err
	}
	data, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return err
	}
	size := l.Type().ByteSize()
	switch to := l.Bytes(); {
	case len(data) == len(to):
		copy(to, data)
	case len(data) == size:
		for i := 0; i < len(to); i += size {
			copy(to[i:], data)
		}
	default:
		return p.errorf("expects %d bytes, not %d", len(to), len(data))
	}
	return nil
}
