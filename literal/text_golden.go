package literal

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goxla/xla/shape"
)

// AppendGolden appends l in the one-line form of golden test files, shape first:
// `f32[2,3] {{1, 2.5, nan}, {-inf, 0, -0.0}}`, `(pred[2] {true, false}, s32[] 3)`.
// Floats have the fewest digits that read back to the same value of their type;
// every NaN is nan and negative zero is -0.0; layouts are left out.
func (l Literal) AppendGolden(dst []byte) []byte {
	p := textPrinter{dst: dst, style: &goldenStyle}
	p.value(l)
	return p.dst
}

func goldenFloat32(dst []byte, v float32) []byte {
	return appendGoldenFloat(dst, float64(v), func(v float64) (decimal, int) { return shortestDecimal(v, 32), 6 })
}

func goldenFloat64(dst []byte, v float64) []byte {
	return appendGoldenFloat(dst, v, func(v float64) (decimal, int) { return shortestDecimal(v, 64), 16 })
}

func goldenSmallFloat(dst []byte, f *Format, bits uint64) []byte {
	return appendGoldenFloat(dst, f.Decode(bits), func(v float64) (decimal, int) {
		code := f.Encode(v)
		for n := 1; ; n++ {
			d := roundDecimal(v, n)
			if n == textDigits[f.Type] || f.Encode(d.float()) == code {
				return d, n
			}
		}
	})
}

// float returns the float64 nearest to d, whose digits are few.
func (d decimal) float() float64 {
	if v, ok := scaleByPower(float64(d.digits), d.exp-d.n+1); ok {
		return v
	}
	var buf [32]byte
	v, err := strconv.ParseFloat(string(d.append(buf[:0], d.n)), 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}

// appendGoldenFloat appends v with the digits that shortest gives for its absolute
// value; the exponent shows if it is not below the precision that shortest gives too.
func appendGoldenFloat(dst []byte, v float64, shortest func(float64) (decimal, int)) []byte {
	switch {
	case v != v:
		return append(dst, "nan"...)
	case v == 0 && math.Signbit(v):
		return append(dst, "-0.0"...)
	case v == 0:
		return append(dst, '0')
	case math.Signbit(v):
		dst, v = append(dst, '-'), -v
	}
	if math.IsInf(v, 0) {
		return append(dst, "inf"...)
	}
	d, precision := shortest(v)
	return d.append(dst, precision)
}

// ParseGolden reads what AppendGolden writes, and nothing after it; a layout may
// follow the dimensions without a blank. Elements are
// read as in HLO text, except that a NaN real part leaves the imaginary part alone.
func ParseGolden(text string) (Literal, error) {
	p := textParser{text: text, elided: new(uint64), golden: true}
	l, err := p.goldenValue(0)
	if err == nil {
		if p.skipBlanks(); p.pos < len(text) {
			err = p.errorf(p.pos, "expects nothing after the literal, but sees %q", cut(text[p.pos:]))
		}
	}
	if err != nil {
		return Literal{}, err
	}
	return l, nil
}

func (p *textParser) goldenValue(depth int) (Literal, error) {
	p.skipBlanks()
	if depth > maxTextDepth {
		return Literal{}, p.errorf(p.pos, "tuples are nested more than %d deep", maxTextDepth)
	}
	if p.peek() == '(' {
		return p.goldenTuple(depth)
	}
	s, length, err := shape.ParseValuePrefix(p.text[p.pos:])
	if err != nil {
		return Literal{}, p.errorf(p.pos, "expects a shape, but sees %q", cut(p.text[p.pos:]))
	}
	p.pos += length
	if s.IsToken() {
		return New(s), nil
	}
	return p.value(s, depth)
}

func (p *textParser) goldenTuple(depth int) (Literal, error) {
	p.pos++
	var elems []Literal
	for {
		if p.skipBlanks(); p.peek() == ')' {
			p.pos++
			return MakeTuple(elems...), nil
		}
		if len(elems) > 0 {
			if p.peek() != ',' {
				return Literal{}, p.errorf(p.pos, "expects ',' or ')' after a tuple element")
			}
			p.pos++
		}
		e, err := p.goldenValue(depth + 1)
		if err != nil {
			return Literal{}, err
		}
		elems = append(elems, e)
	}
}

// cut shortens text that is shown in an error.
func cut(text string) string {
	const most = 20
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s...", text[:most])
}
