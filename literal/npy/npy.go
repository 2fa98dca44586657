package npy

import (
	"fmt"
	"io"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// ReadNPY reads one array in the .npy format, versions 1 to 3, and nothing after it.
// Any byte order is read; an array in Fortran order is brought into row-major order.
// Raw data of 1, 2, 4 or 8 bytes an element, as np.save writes bfloat16, are read as unsigned
// integers. Structured, string and object arrays are errors.
func ReadNPY(r io.Reader) (literal.Literal, error) { return ReadNPYAs(r, shape.Invalid) }

// ReadNPYAs is ReadNPY for an array of the element type t. If NumPy lacks t, the file
// holds its bits in integers of that width, or in raw data as `np.save` writes it for
// the types of ml_dtypes.
func ReadNPYAs(r io.Reader, t shape.ElementType) (literal.Literal, error) {
	l, err := readNPY(newSource(r), t)
	if err != nil {
		return literal.Literal{}, fmt.Errorf("npy: %w", err)
	}
	return l, nil
}

func readNPY(src *source, as shape.ElementType) (literal.Literal, error) {
	h, err := readHeader(src)
	if err != nil {
		return literal.Literal{}, err
	}
	t, err := h.dtype.elementType(as)
	if err != nil {
		return literal.Literal{}, err
	}
	s := shape.Make(t, h.dims...)
	if h.fortranOrder {
		order := make([]int, len(h.dims))
		for i := range order {
			order[i] = i
		}
		s = s.WithLayout(shape.MakeLayout(order...))
	}
	l, err := src.literal(s)
	if err != nil {
		return literal.Literal{}, err
	}
	if h.dtype.big {
		swapBytes(l)
	}
	if err := normalize(l); err != nil {
		return literal.Literal{}, err
	}
	return l.Relayout(nil), nil
}

// WriteNPY writes the array l in the .npy format, with the bytes that `np.save` writes
// for it. An element type that NumPy lacks is written as unsigned integers of its
// width, which ReadNPYAs reads back.
func WriteNPY(w io.Writer, l literal.Literal) error {
	if err := checkArray(l); err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	head := appendHeader(nil, descrOf(l.Type()), l.Dims())
	for _, b := range [][]byte{head, rawBytes(l)} {
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("npy: %w", err)
		}
	}
	return nil
}
