package jaxexport

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Dim is the size of a dimension: a number, or an expression in dimension variables
// such as "b", "2*b + 1", "floordiv(h, 2)". The zero Dim is 0.
type Dim struct {
	text string
	expr dimExpr
}

// dimExpr is a node of an expression: a number, a variable, or a function of others.
type dimExpr struct {
	op   string // "" number, "v" variable, + - * ^ or the name of a function
	num  int64
	name string
	args []dimExpr
}

// maxDimDepth is how deep an expression may be nested, maxDimText how long it may be.
const (
	maxDimDepth = 100
	maxDimText  = 1 << 16
)

// ParseDim reads the size of a dimension as JAX writes it.
func ParseDim(text string) (Dim, error) {
	if len(text) > maxDimText {
		return Dim{}, fmt.Errorf("expected at most %d letters, got %d", maxDimText, len(text))
	}
	p := &dimParser{rest: text}
	e := p.sum(0)
	p.space()
	if p.err == nil && p.rest != "" {
		p.fail("expected the end, got %q", p.rest)
	}
	if p.err != nil {
		return Dim{}, fmt.Errorf("%q: %w", text, p.err)
	}
	return Dim{text: text, expr: e}, nil
}

// String returns the size as JAX writes it.
func (d Dim) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Static returns the size if it is a number.
func (d Dim) Static() (size int64, ok bool) {
	return d.expr.num, d.expr.op == ""
}

// Vars returns the variables of the expression, sorted.
func (d Dim) Vars() []string {
	list := d.expr.vars(nil)
	slices.Sort(list)
	return slices.Compact(list)
}

func (e *dimExpr) vars(list []string) []string {
	if e.op == "v" {
		list = append(list, e.name)
	}
	for i := range e.args {
		list = e.args[i].vars(list)
	}
	return list
}

// Eval returns the size for values of the variables. It fails on a variable without a
// value, a division by zero and a value that does not fit.
func (d Dim) Eval(vars map[string]int64) (int64, error) {
	v, err := d.expr.eval(vars)
	if err != nil {
		return 0, fmt.Errorf("size %s: %w", d, err)
	}
	return v, nil
}

func (e *dimExpr) eval(vars map[string]int64) (int64, error) {
	switch e.op {
	case "":
		return e.num, nil
	case "v":
		v, ok := vars[e.name]
		if !ok {
			return 0, fmt.Errorf("variable %s has no value", e.name)
		}
		return v, nil
	}
	values := make([]int64, len(e.args))
	for i := range e.args {
		var err error
		if values[i], err = e.args[i].eval(vars); err != nil {
			return 0, err
		}
	}
	if len(values) == 1 {
		return max(values[0], 0), nil // non_negative
	}
	return dimFuncs[e.op](values[0], values[1])
}

// dimFuncs are the functions of two values.
var dimFuncs = map[string]func(a, b int64) (int64, error){
	"+":   func(a, b int64) (int64, error) { return fits(a+b, (a+b > a) == (b > 0)) },
	"-":   func(a, b int64) (int64, error) { return fits(a-b, (a-b < a) == (b > 0)) },
	"*":   multiply,
	"^":   power,
	"max": func(a, b int64) (int64, error) { return max(a, b), nil },
	"min": func(a, b int64) (int64, error) { return min(a, b), nil },
	"mod": func(a, b int64) (int64, error) {
		q, err := floorDiv(a, b)
		return a - q*b, err
	},
	"floordiv": floorDiv,
}

func fits(v int64, ok bool) (int64, error) {
	if !ok {
		return 0, fmt.Errorf("value does not fit into 64 bits")
	}
	return v, nil
}

func multiply(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	return fits(a*b, a*b/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64))
}

func power(a, b int64) (v int64, err error) {
	if b < 0 || b > 64 {
		return 0, fmt.Errorf("exponent: %d is not in [0, 64]", b)
	}
	v = 1
	for ; b > 0 && err == nil; b-- {
		v, err = multiply(v, a)
	}
	return v, err
}

func floorDiv(a, b int64) (int64, error) {
	if b == 0 || (b == -1 && a == math.MinInt64) {
		return 0, fmt.Errorf("division of %d by %d", a, b)
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, nil
}

// dimParser reads an expression.
type dimParser struct {
	rest string
	err  error
}

func (p *dimParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

func (p *dimParser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// accept steps over one of the letters.
func (p *dimParser) accept(letters string) (c string) {
	p.space()
	if p.rest == "" || strings.IndexByte(letters, p.rest[0]) < 0 {
		return ""
	}
	c, p.rest = p.rest[:1], p.rest[1:]
	return c
}

func (p *dimParser) sum(depth int) dimExpr {
	if depth > maxDimDepth {
		p.fail("expression is nested more than %d deep", maxDimDepth)
		return dimExpr{}
	}
	e := p.product(depth)
	for p.err == nil {
		op := p.accept("+-")
		if op == "" {
			break
		}
		e = p.join(op, e, p.product(depth))
	}
	return e
}

// join makes a node; a long chain of them is as deep as a nested one.
func (p *dimParser) join(op string, a, b dimExpr) dimExpr {
	e := dimExpr{op: op, args: []dimExpr{a, b}}
	e.num = max(a.depth(), b.depth()) + 1
	if e.num > maxDimDepth {
		p.fail("expression has more than %d operations in a row", maxDimDepth)
	}
	return e
}

// depth is the nesting below a node, which nodes with arguments keep in num.
func (e *dimExpr) depth() int64 {
	if len(e.args) == 0 {
		return 0
	}
	return e.num
}

func (p *dimParser) product(depth int) dimExpr {
	e := p.power(depth)
	for p.err == nil && p.accept("*") != "" {
		e = p.join("*", e, p.power(depth))
	}
	return e
}

func (p *dimParser) power(depth int) dimExpr {
	if depth > maxDimDepth {
		p.fail("expression is nested more than %d deep", maxDimDepth)
		return dimExpr{}
	}
	if p.accept("-") != "" {
		return p.join("-", dimExpr{}, p.power(depth+1))
	}
	e := p.factor(depth)
	if p.accept("^") != "" {
		e = p.join("^", e, p.factor(depth))
	}
	return e
}

func (p *dimParser) factor(depth int) dimExpr {
	if p.accept("(") != "" {
		e := p.sum(depth + 1)
		if p.accept(")") == "" {
			p.fail("expected )")
		}
		return e
	}
	p.space()
	n := 0
	for n < len(p.rest) && isWord(p.rest[n]) {
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	switch {
	case word == "":
		p.fail("expected a number or a name")
		return dimExpr{}
	case word[0] >= '0' && word[0] <= '9':
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			p.fail("expected a number, got %s", word)
		}
		return dimExpr{num: v}
	case p.accept("(") != "":
		return p.call(word, depth)
	}
	return dimExpr{op: "v", name: word}
}

func isWord(c byte) bool {
	return c == '_' || (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

// call reads the arguments of a function.
func (p *dimParser) call(name string, depth int) dimExpr {
	e := p.sum(depth + 1)
	if name == "non_negative" {
		if p.accept(")") == "" {
			p.fail("expected )")
		}
		return dimExpr{op: name, args: []dimExpr{e}, num: e.depth() + 1}
	}
	if dimFuncs[name] == nil || len(name) == 1 {
		p.fail("unknown function %s", name)
	}
	n := 0
	for ; p.err == nil && p.accept(",") != ""; n++ {
		e = p.join(name, e, p.sum(depth+1))
	}
	if p.err == nil && (n == 0 || (n > 1 && name != "max" && name != "min") || p.accept(")") == "") {
		p.fail("%s: expected two arguments and )", name)
	}
	return e
}
