package lower

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func constantRule(c *call) []builder.Op { return one(c.constant("value")) }

// constant makes the constant that an attribute holds. A splat is a broadcast of its
// element where it is not small.
func (c *call) constant(attr string) builder.Op {
	l, splat, err := c.s.l.literal(c.op.Attr(attr))
	if err != nil {
		c.fail(attr, "", "%w", err)
		return builder.Op{}
	}
	if l.IsValid() {
		return c.b.Constant(l)
	}
	return builder.BroadcastInDim(c.b.Constant(splat.element), splat.shape.Dims, nil)
}

// splat is an array of equal elements.
type splat struct {
	element literal.Literal
	shape   shape.Shape
}

// maxSplat is how many elements an array of equal elements has at most that becomes a
// constant as a whole.
const maxSplat = 1 << 10

// literal returns the value of a constant attribute: an invalid literal and a splat
// where that is a large array of equal elements.
func (l *lowerer) literal(a stablehlo.Attribute) (literal.Literal, splat, error) {
	none := splat{}
	switch a := a.(type) {
	case *stablehlo.DenseElements:
		return denseLiteral(a.Type, a.Data, a.Splat)
	case *stablehlo.DenseResource:
		s, err := elementsShape(a.Type)
		if err != nil {
			return literal.Literal{}, none, err
		}
		if a.Key == stablehlo.Elided {
			return literal.Elided(s, 0), none, nil
		}
		data, ok := l.source.Resource(a.Key)
		if !ok {
			return literal.Literal{}, none, fmt.Errorf("expected a resource called %q in the file, got none", a.Key)
		}
		v, err := literal.FromBytes(s, data)
		return v, none, err
	}
	return literal.Literal{}, none, fmt.Errorf("expected a dense constant, got %v", a)
}

// elementsShape returns the shape of a constant of type t, a tensor or vector.
func elementsShape(t stablehlo.Type) (shape.Shape, error) {
	dims, elem, ok := stablehlo.ElementsShape(t)
	if !ok {
		return shape.Shape{}, fmt.Errorf("expected a tensor of known sizes, got %v", t)
	}
	return tensorShape(&stablehlo.TensorType{Dims: dims, Elem: elem})
}

// denseLiteral reads the bytes of a dense attribute.
func denseLiteral(t stablehlo.Type, data []byte, isSplat bool) (literal.Literal, splat, error) {
	s, err := elementsShape(t)
	if err != nil {
		return literal.Literal{}, splat{}, err
	}
	data = normalize(s.Type, data)
	if !isSplat {
		v, err := literal.FromBytes(s, data)
		return v, splat{}, err
	}
	element, err := literal.FromBytes(shape.Make(s.Type), data)
	if err != nil || s.Size() > maxSplat {
		return literal.Literal{}, splat{element, s}, err
	}
	v, err := literal.Full(s, element)
	return v, splat{}, err
}

// normalize gives elements that are narrower than a byte the sign that literals want.
func normalize(t shape.ElementType, data []byte) []byte {
	bits := t.Bits()
	if bits >= 8 || t == shape.Pred || len(data) == 0 {
		return data
	}
	data = slices.Clone(data)
	for i, v := range data {
		v <<= 8 - bits
		if t.IsSigned() && t.IsInteger() {
			data[i] = byte(int8(v) >> (8 - bits))
		} else {
			data[i] = v >> (8 - bits)
		}
	}
	return data
}
