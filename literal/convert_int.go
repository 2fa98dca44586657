package literal

import "github.com/goxla/xla/shape"

// intKernel holds the conversions from and to one integer type, or pred.
type intKernel struct {
	toInt, toFloat, toPred func(dst, src Literal)
	fromFloat32            func(dst Literal, src []float32)
	fromFloat64            func(dst Literal, src []float64)
}

// intKernels is indexed by element type. Types with the same Go type share kernels.
var intKernels = [shape.NumElementTypes]intKernel{
	shape.Pred: makeIntKernel[uint8](),
	shape.S1:   makeIntKernel[int8](),
	shape.S2:   makeIntKernel[int8](),
	shape.S4:   makeIntKernel[int8](),
	shape.S8:   makeIntKernel[int8](),
	shape.S16:  makeIntKernel[int16](),
	shape.S32:  makeIntKernel[int32](),
	shape.S64:  makeIntKernel[int64](),
	shape.U1:   makeIntKernel[uint8](),
	shape.U2:   makeIntKernel[uint8](),
	shape.U4:   makeIntKernel[uint8](),
	shape.U8:   makeIntKernel[uint8](),
	shape.U16:  makeIntKernel[uint16](),
	shape.U32:  makeIntKernel[uint32](),
	shape.U64:  makeIntKernel[uint64](),
}

func makeIntKernel[T integer]() intKernel {
	return intKernel{
		toInt: wrapInts[T], toFloat: intsToFloats[T], toPred: intsToPred[T],
		fromFloat32: saturateFloats[T, float32], fromFloat64: saturateFloats[T, float64],
	}
}

// wrapInts converts to an integer type, of which the low bits are kept. Whether the
// bits above those of S are its sign depends on S alone, so the destination is
// written as an unsigned type of its width.
func wrapInts[S integer](dst, src Literal) {
	in := View[S](src)
	switch t := dst.Type(); t.ByteSize() {
	case 1:
		out := View[uint8](dst)
		castInts(out, in)
		if t.Bits() < 8 {
			for i, v := range out {
				out[i] = narrow(t, v)
			}
		}
	case 2:
		castInts(View[uint16](dst), in)
	case 4:
		castInts(View[uint32](dst), in)
	case 8:
		castInts(View[uint64](dst), in)
	}
}

// castInts converts as Go does.
func castInts[D, S integer | float](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = D(v)
	}
}

// intsToFloats converts to a float type, rounding once.
func intsToFloats[S integer](dst, src Literal) {
	in := View[S](src)
	switch dst.Type() {
	case shape.F64:
		castInts(Values[float64](dst), in)
		return
	case shape.F32:
		castInts(Values[float32](dst), in)
		return
	}
	block := make([]float32, min(len(in), blockLen))
	for i := 0; i < len(in); i += blockLen {
		j := min(i+blockLen, len(in))
		for k, v := range in[i:j] {
			near := float32(v)
			if near >= 1<<24 || near <= -1<<24 {
				near = intToOdd32(v)
			}
			block[k] = near
		}
		FromFloat32s(dst.Part(i, j), block[:j-i])
	}
}

// intToOdd32 is intToOdd for float32.
func intToOdd32[S integer](v S) float32 {
	if v < 0 {
		return -float32(keepTop(-uint64(v), 24))
	}
	return float32(keepTop(uint64(v), 24))
}

func intsToPred[S integer](dst, src Literal) {
	out := Values[bool](dst)
	for i, v := range View[S](src) {
		out[i] = v != 0
	}
}

// saturateFloats converts to an integer type that is kept as a D.
func saturateFloats[D integer, S float](dst Literal, src []S) {
	lowest, highest := intRange(dst.Type())
	floatsToInts(Values[D](dst), src, D(lowest), D(highest))
}
