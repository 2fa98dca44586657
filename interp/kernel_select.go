package interp

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// kernelSelect copies each element from the one or the other operand; a scalar
// pred chooses all of one.
func kernelSelect(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	pred := literal.Values[bool](args[0])
	d, x, y := dst.Bytes(), args[1].Bytes(), args[2].Bytes()
	if args[0].Shape().IsScalar() {
		return func() {
			if pred[0] {
				copy(d, x)
			} else {
				copy(d, y)
			}
		}, nil
	}
	switch dst.Type().ByteSize() {
	case 1:
		return choose[uint8](dst, args), nil
	case 2:
		return choose[uint16](dst, args), nil
	case 4:
		return choose[uint32](dst, args), nil
	case 8:
		return choose[uint64](dst, args), nil
	default:
		return choose[complex128](dst, args), nil
	}
}

// choose returns a closure that sets the elements of dst to those of args[1] where args[0] holds, else of args[2].
func choose[T literal.Native](dst literal.Literal, args []literal.Literal) func() {
	pred, d := literal.Values[bool](args[0]), literal.View[T](dst)
	x, y := literal.View[T](args[1]), literal.View[T](args[2])
	return func() {
		for i, p := range pred {
			v := y[i]
			if p {
				v = x[i]
			}
			d[i] = v
		}
	}
}

// kernelClamp returns min(max(lo, x), hi), where the bounds may be scalars.
func kernelClamp(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	lo, x, hi := args[0], args[1], args[2]
	fillLo, lo := spread(lo, dst.Shape())
	fillHi, hi := spread(hi, dst.Shape())
	atLeast := literal.New(dst.Shape())
	maximum, err := kernelMaximum(n, atLeast, []literal.Literal{lo, x})
	if err != nil {
		return nil, err
	}
	minimum, err := kernelMinimum(n, dst, []literal.Literal{atLeast, hi})
	if err != nil {
		return nil, err
	}
	return func() { fillLo(); fillHi(); maximum(); minimum() }, nil
}

var (
	kernelMaximum = binaryKernel(maximumSpec)
	kernelMinimum = binaryKernel(minimumSpec)
)

// spread returns an array of shape s that fill sets to the value of x: x itself,
// or a copy of the scalar x for each element.
func spread(x literal.Literal, s shape.Shape) (fill func(), full literal.Literal) {
	if !x.Shape().IsScalar() || s.IsScalar() {
		return func() {}, x
	}
	full = literal.New(s.WithType(x.Type()))
	d, v := full.Bytes(), x.Bytes()
	return func() {
		for i := 0; i < len(d); i += len(v) {
			copy(d[i:], v)
		}
	}, full
}

func kernelCopy(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	d, x := dst.Bytes(), args[0].Bytes()
	return func() { copy(d, x) }, nil
}
