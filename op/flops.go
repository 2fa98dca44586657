package op

import (
	"math"
	"math/bits"

	"github.com/goxla/xla/shape"
)

// This file counts floating-point operations: 2 for a multiply-add, 1 for any other
// operation on a pair of numbers and for any elementary function, complex numbers
// counted like real ones. Operations that apply a computation to elements (reduce,
// reduce-window, sort, ...) count each application as 1. Counts that are too large
// become math.MaxInt64; of an unbounded dimension the count is 0, not known. The
// rules rely on what the shape rule of the operation has accepted.

// elementCount returns the number of elements of an array.
func elementCount(s shape.Shape) int64 {
	if s.HasUnbounded() {
		return 0
	}
	n := int64(1)
	for _, d := range s.Dims {
		n = satMul(n, int64(d))
	}
	return n
}

// satMul returns a*b for numbers that are not negative, at most math.MaxInt64.
func satMul(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}

// satProduct is satMul of any number of factors.
func satProduct(factors ...int64) int64 {
	n := int64(1)
	for _, f := range factors {
		n = satMul(n, f)
	}
	return n
}

// ceilLog2 returns the logarithm of n to base 2, rounded up; 0 for n below 2.
func ceilLog2(n int) int64 {
	if n < 2 {
		return 0
	}
	return int64(bits.Len(uint(n - 1)))
}

// lastDim returns the size of the minor dimension, 1 if there is none.
func lastDim(s shape.Shape) int {
	if s.Rank() == 0 {
		return 1
	}
	return s.Dims[s.Rank()-1]
}

// flopsElementwise is one operation an element.
func flopsElementwise(_ *Inputs, result shape.Shape) int64 { return elementCount(result) }

// flopsBatchNormTraining is the sum, the sum of squared differences, and x*a+b.
func flopsBatchNormTraining(in *Inputs, _ shape.Shape) int64 {
	return satMul(6, elementCount(in.Operands[0]))
}

// flopsBatchNormInference is x*a+b, with a and b made once for each feature.
func flopsBatchNormInference(in *Inputs, _ shape.Shape) int64 {
	return satMul(2, elementCount(in.Operands[0]))
}

// flopsBatchNormGrad is two sums, one of them of products with x-mean, and a*(dy-d-c*(x-mean)).
func flopsBatchNormGrad(in *Inputs, _ shape.Shape) int64 {
	return satMul(8, elementCount(in.Operands[0]))
}

// flopsCholesky is n^3/3 for each n by n matrix.
func flopsCholesky(in *Inputs, _ shape.Shape) int64 {
	a := in.Operands[0]
	return satMul(elementCount(a), int64(lastDim(a))) / 3
}

// flopsTriangularSolve is n^2 for each right-hand side of length n.
func flopsTriangularSolve(in *Inputs, _ shape.Shape) int64 {
	return satMul(elementCount(in.Operands[1]), int64(lastDim(in.Operands[0])))
}

// flopsFft is 5*n*log2(n) for n complex numbers, half of that for n real ones; log2 is rounded up.
func flopsFft(in *Inputs, result shape.Shape) int64 {
	a := in.Attrs.(*FftAttrs)
	log := int64(0)
	for _, n := range a.Length {
		log += ceilLog2(n)
	}
	switch a.Type {
	case RFFT:
		return satProduct(5, log, elementCount(in.Operands[0])) / 2
	case IRFFT:
		return satProduct(5, log, elementCount(result)) / 2
	}
	return satProduct(5, log, elementCount(result))
}

// flopsReduce is one operation for each element that goes into another.
func flopsReduce(in *Inputs, result shape.Shape) int64 {
	return max(elementCount(in.Operands[0])-elementCount(elementsOf(result)[0]), 0)
}

// flopsScan is one operation an element of the first input.
func flopsScan(in *Inputs, _ shape.Shape) int64 { return elementCount(in.Operands[0]) }

// flopsReduceWindow is one operation for each element of each window but its first.
func flopsReduceWindow(in *Inputs, result shape.Shape) int64 {
	return satMul(elementCount(elementsOf(result)[0]), max(windowCount(in.Attrs.(*WindowAttrs).Window)-1, 0))
}

// flopsSelectAndScatter is as many selections as a reduce-window of the same window
// has operations, and one scatter an element of the source.
func flopsSelectAndScatter(in *Inputs, _ shape.Shape) int64 {
	return satMul(elementCount(in.Operands[1]), max(windowCount(in.Attrs.(*WindowAttrs).Window), 1))
}

// windowCount returns the number of elements of a window.
func windowCount(w Window) int64 {
	n := int64(1)
	for _, d := range w.Dims {
		n = satMul(n, int64(d.Size))
	}
	return n
}

// flopsSort is log2(n) comparisons an element, where n elements are sorted together.
func flopsSort(in *Inputs, _ shape.Shape) int64 {
	s, a := in.Operands[0], in.Attrs.(*SortAttrs)
	return satMul(elementCount(s), ceilLog2(s.Dims[a.Dimensions[0]]))
}

// flopsTopK is log2(k) comparisons an element, one at least.
func flopsTopK(in *Inputs, _ shape.Shape) int64 {
	return satMul(elementCount(in.Operands[0]), max(ceilLog2(in.Attrs.(*TopKAttrs).K), 1))
}
