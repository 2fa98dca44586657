package hlotext

import (
	"bytes"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const (
	// maxShortConstant is the number of elements up to which every form prints a constant.
	maxShortConstant = 10
	// maxEssentialConstant is the number of integers up to which EssentialConstants prints them.
	maxEssentialConstant = 500_000
)

// constant appends the value of a constant, or {...} for what the options leave out.
func (p *printer) constant(v literal.Literal) {
	switch {
	case !v.IsValid():
		p.text("{...}")
	case p.o.EssentialConstants:
		p.essentialConstant(v)
	case v.Type() == shape.Tuple:
		p.literalIf(v, p.o.LargeConstants)
	default:
		p.literalIf(v, v.Len() <= maxShortConstant || p.o.LargeConstants && !v.IsElided())
	}
}

func (p *printer) literalIf(v literal.Literal, shown bool) {
	if shown {
		p.dst = v.AppendText(p.dst)
	} else {
		p.text("{...}")
	}
}

func (p *printer) essentialConstant(v literal.Literal) {
	if !v.Type().IsArray() || v.IsElided() {
		p.text("{...}")
		return
	}
	switch same := sameElement(v); same {
	case "0", "false":
		p.text("0")
	case "1", "true":
		p.text("1")
	default:
		p.literalIf(v, v.Type().IsInteger() && v.Len() <= maxEssentialConstant)
	}
}

// sameElement returns the text of the element that all elements of v are equal to; "" if there is none.
func sameElement(v literal.Literal) string {
	data, width := v.Bytes(), v.Type().ByteSize()
	if len(data) == 0 || !bytes.Equal(data[width:], data[:len(data)-width]) {
		return ""
	}
	scalar := literal.New(shape.Make(v.Type()))
	copy(scalar.Bytes(), data[:width])
	return string(scalar.AppendText(nil))
}
