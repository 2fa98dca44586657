package literal

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// PackedSize returns the bytes that n elements of t take when packed: those of 1, 2
// and 4 bits share bytes, others take ByteSize each.
func PackedSize(t shape.ElementType, n int) int {
	if per := perByte(t); per > 1 {
		return n/per + (n%per+per-1)/per
	}
	return n * t.ByteSize()
}

// perByte returns how many elements of t are packed in a byte; 1 where t is not
// narrower than a byte or its width does not divide it.
func perByte(t shape.ElementType) int {
	if n := t.Bits(); n > 0 && 8%n == 0 {
		return 8 / n
	}
	return 1
}

// AppendPacked appends the elements of the array l in physical order to dst, those
// of 1, 2 and 4 bits packed with the first element in the lowest bits and the last
// byte filled up with zeros.
func (l Literal) AppendPacked(dst []byte) []byte {
	data, t := l.Bytes(), l.Type()
	per, width := perByte(t), t.Bits()
	if per == 1 {
		return append(dst, data...)
	}
	mask := byte(1)<<width - 1
	for len(data) > 0 {
		n := min(per, len(data))
		var b byte
		for i, v := range data[:n] {
			b |= v & mask << (i * width)
		}
		dst, data = append(dst, b), data[n:]
	}
	return dst
}

// FromPacked returns an array of shape s from the bytes that AppendPacked gives. It
// fails if their number is not PackedSize, or s is not an array that CheckSize
// takes. A byte that is not 0 stands for true in a pred.
func FromPacked(s shape.Shape, packed []byte) (Literal, error) {
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	n, err := s.Elements()
	if err != nil || !s.IsArray() || PackedSize(s.Type, n) != len(packed) {
		return Literal{}, fmt.Errorf("literal: %d bytes do not fill %v packed", len(packed), s)
	}
	l := New(s)
	data := l.Bytes()
	per, width := perByte(s.Type), s.Type.Bits()
	switch {
	case s.Type == shape.Pred:
		for i, v := range packed {
			data[i] = min(v, 1)
		}
	case width < 8:
		for i := range data {
			data[i] = narrow(s.Type, packed[i/per]>>(i%per*width))
		}
	default:
		copy(data, packed)
	}
	return l, nil
}
