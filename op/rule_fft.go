package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferFft is the rule of fft over the trailing len(fft_length) dimensions. Of a real
// array of length L in the innermost dimension the complex counterpart has L/2+1.
func inferFft(in *Inputs) (shape.Shape, error) {
	a, s := in.Attrs.(*FftAttrs), in.Operands[0]
	if a.Type > IRFFT {
		return shape.Shape{}, attrErr("fft_type", "fft_c2", "expected FFT, IFFT, RFFT or IRFFT, got %d", a.Type)
	}
	if err := wantType(in, 0, fftInputs[a.Type], "fft_c2"); err != nil {
		return shape.Shape{}, err
	}
	if n := len(a.Length); n < 1 || n > 3 {
		return shape.Shape{}, attrErr("fft_length", "fft_c3", "expected 1 to 3 entries, got %d", n)
	}
	if s.Rank() < len(a.Length) {
		return shape.Shape{}, operandErr(0, "fft_c1", "expected at least %d dimensions as fft_length has, got %v",
			len(a.Length), s)
	}
	if err := wantFftLength(s, a); err != nil {
		return shape.Shape{}, err
	}
	return fftResult(s, a), nil
}

// fftInputs are the element types of the operand for each type of transform.
var fftInputs = [...]typeSet{FFT: complexTypes, IFFT: complexTypes, RFFT: complexParts, IRFFT: complexTypes}

var complexTypes = typeSet{"complex", shape.ElementType.IsComplex}

// wantFftLength checks fft_length, the sizes on the real side, against the operand.
func wantFftLength(s shape.Shape, a *FftAttrs) error {
	outer := s.Rank() - len(a.Length)
	for i, n := range a.Length {
		if n < 0 {
			return attrErr(at("fft_length", i), "fft_c4", "expected a length, got %d", n)
		}
		label := "fft_c4"
		if a.Type == IRFFT && i == len(a.Length)-1 {
			n, label = halfLength(n), "fft_c5"
		}
		if d := s.Dims[outer+i]; !sameSize(d, n) {
			return operandErr(0, label, "expected dimension %d of size %d for fft_length %v, got %v", outer+i, n,
				a.Length, s)
		}
	}
	return nil
}

// halfLength is the number of complex values that describe a real signal of length n.
func halfLength(n int) int {
	if n == 0 {
		return 0
	}
	return n/2 + 1
}

func fftResult(s shape.Shape, a *FftAttrs) shape.Shape {
	if a.Type == FFT || a.Type == IFFT {
		return s
	}
	n := a.Length[len(a.Length)-1]
	if a.Type == RFFT {
		s.Type, n = complexOf(s.Type), halfLength(n)
	} else {
		s.Type = s.Type.Component()
	}
	s.Dims = slices.Clone(s.Dims)
	s.Dims[s.Rank()-1] = n
	return s
}

// complexOf returns the complex type with components of type t, f32 or f64.
func complexOf(t shape.ElementType) shape.ElementType {
	return pick(t == shape.F64, shape.C128, shape.C64)
}
