package ffi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// parser reads MLIR attributes. Grammar, as far as it has a meaning here:
//
//	dict  = "{" [ entry { "," entry } ] "}"
//	entry = ( name | string ) [ "=" value ]            without a value: unit
//	value = "true" | "false" | "unit" | number [ ":" type ] | string [ ":" type ]
//	      | "[" [ value { "," value } ] "]" | dict
//	      | "array" "<" type [ ":" number { "," number } ] ">"
//	      | "dense" "<" elements ">" ":" "tensor" "<" { size "x" } type ">"
//	      | anything else with its brackets closed
type parser struct {
	text  string
	at    int
	depth int
}

func parseMLIR(text string) (Dict, error) {
	p := &parser{text: text}
	d, err := p.dict()
	if err == nil && p.peek() != 0 {
		err = p.errorf("expects the end")
	}
	return d, err
}

func (p *parser) errorf(format string, args ...any) error {
	rest := p.text[p.at:]
	got := "the end"
	if rest != "" {
		got = strconv.Quote(rest[:min(len(rest), 20)])
	}
	return fmt.Errorf("attributes, column %d: %s, got %s", p.at+1, fmt.Sprintf(format, args...), got)
}

// peek returns the next character that is not blank; 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// accept skips c if it comes next.
func (p *parser) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(c byte) error {
	if !p.accept(c) {
		return p.errorf("expects '%c'", c)
	}
	return nil
}

// list reads values between brackets, with commas between.
func (p *parser) list(open, end byte, item func() error) error {
	if p.depth++; p.depth > maxDepth {
		return p.errorf("expects attributes nested at most %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	if err := p.expect(open); err != nil || p.accept(end) {
		return err
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if !p.accept(',') {
			return p.expect(end)
		}
	}
}

func (p *parser) dict() (Dict, error) {
	var list []Attribute
	err := p.list('{', '}', func() error {
		name, err := p.name()
		if err != nil {
			return err
		}
		a := Attribute{name, Unit{}}
		if p.accept('=') {
			if a.Value, err = p.value(); err != nil {
				return err
			}
		}
		list = append(list, a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newDict(list)
}

func (p *parser) name() (string, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	if word := p.word(); word != "" {
		return word, nil
	}
	return "", p.errorf("expects a name")
}

// word skips letters, digits and "_.$" and returns them.
func (p *parser) word() string {
	p.peek()
	start := p.at
	for p.at < len(p.text) && isWordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

// value reads one value.
func (p *parser) value() (any, error) {
	switch c := p.peek(); {
	case c == '"':
		s, err := p.quoted()
		if err == nil && p.accept(':') {
			_, err = p.other()
		}
		return s, err
	case c == '{':
		return p.dict()
	case c == '[':
		list := List{}
		err := p.list('[', ']', func() error {
			v, err := p.value()
			list = append(list, v)
			return err
		})
		return list, err
	case c == '-' || c >= '0' && c <= '9':
		return p.typedNumber()
	}
	start := p.at
	word := p.word()
	switch {
	case word == "true" || word == "false":
		return word == "true", nil
	case word == "unit":
		return Unit{}, nil
	case word == "array" && p.peek() == '<':
		return p.array()
	case word == "dense" && p.peek() == '<':
		return p.dense()
	}
	p.at = start
	return p.other()
}

// other skips text up to the comma or bracket that ends the value, and returns it.
func (p *parser) other() (Other, error) {
	p.peek()
	start := p.at
	var open []byte
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if k := strings.IndexByte("([{<", c); k >= 0 {
			open = append(open, ")]}>"[k])
			continue
		}
		arrow := c == '>' && p.at > 0 && p.text[p.at-1] == '-'
		if !arrow && strings.IndexByte(")]}>", c) >= 0 {
			if len(open) == 0 {
				break
			}
			if c != open[len(open)-1] {
				return "", p.errorf("expects '%c'", open[len(open)-1])
			}
			open = open[:len(open)-1]
		}
		if c == ',' && len(open) == 0 {
			break
		}
		if c == '"' {
			if _, err := p.quoted(); err != nil {
				return "", err
			}
			p.at--
		}
	}
	text := strings.TrimSpace(p.text[start:p.at])
	if text == "" || len(open) > 0 {
		return "", p.errorf("expects a value")
	}
	return Other(text), nil
}

// quoted reads a string with the escapes \" \\ \n \t and \XX, two hexadecimal digits.
func (p *parser) quoted() (string, error) {
	if err := p.expect('"'); err != nil {
		return "", err
	}
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return b.String(), nil
		case c != '\\':
			b.WriteByte(c)
		case p.at < len(p.text) && strings.IndexByte(`nt"\`, p.text[p.at]) >= 0:
			b.WriteByte("\n\t\"\\"[strings.IndexByte(`nt"\`, p.text[p.at])])
			p.at++
		case p.at+2 <= len(p.text):
			v, err := strconv.ParseUint(p.text[p.at:p.at+2], 16, 8)
			if err != nil {
				return "", p.errorf("expects an escape")
			}
			b.WriteByte(byte(v))
			p.at += 2
		}
	}
	return "", p.errorf("expects '\"' at the end of the string")
}

// number skips a number and returns its text.
func (p *parser) number() string {
	p.peek()
	start := p.at
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		exponentSign := (c == '+' || c == '-') && p.at > start && strings.IndexByte("eE", p.text[p.at-1]) >= 0 &&
			!strings.HasPrefix(p.text[start:], "0x")
		if !isWordByte(c) && !exponentSign {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// typedNumber reads 1 : i32; without a type integers are i64 and others f64.
func (p *parser) typedNumber() (any, error) {
	start := p.at
	text := p.number()
	t := shape.S64
	if strings.ContainsAny(text, ".eE") && !strings.HasPrefix(text, "0x") {
		t = shape.F64
	}
	if p.accept(':') {
		var err error
		if t, err = p.elementType(); err != nil {
			return nil, err
		}
	}
	l := literal.New(shape.Make(t))
	if err := setNumber(l, 0, text); err != nil {
		p.at = start
		return nil, p.errorf("%v", err)
	}
	return l, nil
}

// elementType reads the MLIR name of an element type: i32, ui8, si16, f32, bf16, index, complex<f32>.
func (p *parser) elementType() (shape.ElementType, error) {
	start := p.at
	word := p.word()
	if word == "complex" {
		if err := p.expect('<'); err != nil {
			return 0, err
		}
		switch p.word() {
		case "f32":
			return shape.C64, p.expect('>')
		case "f64":
			return shape.C128, p.expect('>')
		}
	} else if t, ok := elementType(word); ok {
		return t, nil
	}
	p.at = start
	return 0, p.errorf("expects an element type")
}

func elementType(word string) (shape.ElementType, bool) {
	name := strings.ToLower(word)
	switch {
	case name == "i1":
		name = "pred"
	case name == "index":
		name = "s64"
	case strings.HasPrefix(name, "ui"):
		name = name[1:]
		name = "u" + name[1:]
	case strings.HasPrefix(name, "si"):
		name = "s" + name[2:]
	case strings.HasPrefix(name, "i"):
		name = "s" + name[1:]
	}
	t, ok := shape.ParseElementType(name)
	return t, ok && t.IsArray()
}

// setNumber sets element i of l to the number in text. 0x is the bits of a float, or
// an integer.
func setNumber(l literal.Literal, i int, text string) error {
	t := l.Type()
	switch {
	case t == shape.Pred:
		if text != "true" && text != "false" {
			return fmt.Errorf("expects true or false")
		}
		l.SetBool(i, text == "true")
	case t.IsFloat() && strings.HasPrefix(text, "0x"):
		bits, err := strconv.ParseUint(text[2:], 16, t.Bits())
		if err != nil {
			return fmt.Errorf("expects the bits of %v", t)
		}
		l.SetBits(i, bits)
	case t.IsFloat():
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || strings.Trim(text, "-+.0123456789eE") != "" {
			return fmt.Errorf("expects a number of %v", t)
		}
		l.SetFloat(i, v)
	case t.IsInteger():
		return setInteger(l, i, text)
	default:
		return fmt.Errorf("expects an integer or float type, not %v", t)
	}
	return nil
}

func setInteger(l literal.Literal, i int, text string) error {
	t := l.Type()
	if v, err := strconv.ParseUint(text, 0, t.Bits()); err == nil { // i8 may be written as 255
		l.SetInt(i, int64(v))
		return nil
	}
	v, err := strconv.ParseInt(text, 0, t.Bits())
	if err != nil {
		return fmt.Errorf("expects an integer of %v", t)
	}
	l.SetInt(i, v)
	return nil
}
