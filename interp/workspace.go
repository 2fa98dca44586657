package interp

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file estimates what evaluators allocate besides their results: operands widened
// to 64 bits, lists of offsets, what devices exchange. Estimates are of the parts that
// grow with the arrays, and rather too high than too low; they are bytes, in float64
// since they may be beyond any integer.

// spaceFunc returns the bytes that an evaluator of c allocates for the time of its work.
type spaceFunc func(c *call) float64

// workspaces lists the operations whose evaluators need more than their result.
var workspaces = [op.NumCodes]spaceFunc{
	op.AllGather:          func(c *call) float64 { return bytesOf(c.shape) },
	op.AllGatherStart:     func(c *call) float64 { return bytesOf(c.shape) },
	op.AllToAll:           func(c *call) float64 { return 2 * c.bytesOfOperands() },
	op.BatchNormGrad:      batchNormSpace,
	op.BatchNormInference: batchNormSpace,
	op.BatchNormTraining:  batchNormSpace,
	op.Cholesky:           widened,
	op.Convolution:        convolutionSpace,
	op.Dot:                dotSpace,
	op.Fft:                fftSpace,
	op.IsFinite:           widened,
	op.RaggedDot:          raggedDotSpace,
	op.Reduce:             reduceSpace,
	op.ReduceScatter:      func(c *call) float64 { return c.bytesOfOperands() },
	op.ReduceWindow:       windowSpace,
	op.Rng:                func(c *call) float64 { return wide * 2 * elementsOf(c.shape) },
	op.RngBitGenerator:    func(c *call) float64 { return wide * elementsOf(c.shape) },
	op.ScaledDot:          dotSpace,
	op.Scatter:            scatterSpace,
	op.SelectAndScatter:   windowSpace,
	op.Sort:               sortSpace,
	op.StochasticConvert:  widened,
	op.Topk:               widened,
	op.TriangularSolve:    widened,
}

// maxWorkspace stands for all larger ones.
const maxWorkspace = 1 << 61

// The sizes of numbers that evaluators work on, and of an offset.
const (
	wide        = 8
	wideComplex = 16
	offset      = 8
)

// workspace returns what c's evaluator needs besides its result.
func (c *call) workspace() int64 {
	space := workspaces[c.n.Code()]
	if space == nil {
		return 0
	}
	return int64(min(space(c), maxWorkspace))
}

func elementsOf(s shape.Shape) float64 {
	if s.IsTuple() {
		var n float64
		for _, e := range s.Elems {
			n += elementsOf(e)
		}
		return n
	}
	return product64(s.Dims)
}

func product64(dims []int) float64 {
	n := 1.0
	for _, d := range dims {
		n *= float64(d)
	}
	return n
}

func bytesOf(s shape.Shape) float64 {
	if s.IsTuple() {
		var n float64
		for _, e := range s.Elems {
			n += bytesOf(e)
		}
		return n
	}
	return elementsOf(s) * float64(s.Type.ByteSize())
}

// elements is the number of elements of all operands.
func (c *call) elements() (n float64) {
	for _, x := range c.args {
		n += elementsOf(x.Shape())
	}
	return n
}

func (c *call) bytesOfOperands() (n float64) {
	for _, x := range c.args {
		n += bytesOf(x.Shape())
	}
	return n
}

// widened is for evaluators that work on the operands in 64 bits, or in two times 64.
func widened(c *call) float64 {
	if c.shape.Type.IsComplex() {
		return wideComplex * c.elements()
	}
	return wide * c.elements()
}

// batchNormSpace: operands and results widened.
func batchNormSpace(c *call) float64 { return wide * (c.elements() + elementsOf(c.shape)) }

// dotSpace: both operands transposed, widened and perhaps narrowed again or cut into pieces.
// Complex ones are two arrays of parts each, as is the result.
func dotSpace(c *call) float64 {
	if c.shape.Type.IsComplex() {
		return c.bytesOfOperands() + 2*wideComplex*c.elements() + wideComplex*elementsOf(c.shape)
	}
	each, sums := 2.0, 0.0
	if a, ok := c.n.Attrs().(*op.DotAttrs); ok {
		if pieces := dotAlgorithms[a.Algorithm].pieces; pieces > 0 {
			each, sums = 2+float64(pieces), elementsOf(c.shape)
		}
	}
	return c.bytesOfOperands() + wide*(each*c.elements()+sums)
}

// raggedDotSpace: those of a dot of a group, and the operands and the result of that.
func raggedDotSpace(c *call) float64 {
	return 2*c.bytesOfOperands() + 2*wide*c.elements() + bytesOf(c.shape)
}

// convolutionSpace: widened operands, and for each output position where window and
// input meet, two offsets each, in a list that grows.
func convolutionSpace(c *call) float64 {
	a := attrs[*op.ConvolutionAttrs](c)
	positions, taps := 1.0, 1.0
	for i, d := range a.DimLabels.OutputSpatial {
		in, kernel := c.args[0].Dims()[a.DimLabels.InputSpatial[i]], c.args[1].Dims()[a.DimLabels.KernelSpatial[i]]
		positions *= float64(c.shape.Dims[d])
		taps *= float64(min(in, kernel))
	}
	each := 1.0
	if c.shape.Type.IsComplex() {
		each = 4
	}
	return each*wide*(c.elements()+elementsOf(c.shape)) + positions*(8*offset+4*offset*taps)
}

// fftSpace: operand and result as complex numbers, and some lines with the roots of unity.
func fftSpace(c *call) float64 {
	longest := 0
	for _, d := range slices.Concat(c.args[0].Dims(), c.shape.Dims) {
		longest = max(longest, d)
	}
	return wideComplex * (c.elements() + elementsOf(c.shape) + 16*float64(longest))
}

// reduceSpace: the offset of each result, and of each element that is folded into one.
func reduceSpace(c *call) float64 {
	dims, folded := c.args[0].Dims(), 1.0
	for _, d := range attrs[*op.ReduceAttrs](c).Dimensions {
		folded *= float64(dims[d])
	}
	return 2 * offset * (product64(dims)/max(folded, 1) + folded)
}

// windowSpace: the offsets of the elements under a window.
func windowSpace(c *call) float64 {
	under := 1.0
	for d, w := range attrs[*op.WindowAttrs](c).Window.Dims {
		under *= float64(min(w.Size, c.args[0].Dims()[d]))
	}
	return 2 * offset * under
}

// scatterSpace: where the elements of a window of updates lie and go.
func scatterSpace(c *call) float64 {
	window, updates := 1.0, c.args[len(c.args)/2+1].Dims()
	for _, d := range attrs[*op.ScatterAttrs](c).UpdateWindowDims {
		window *= float64(updates[d])
	}
	return 4 * offset * window
}

// sortSpace: the places of a line, twice, and where the lines begin.
func sortSpace(c *call) float64 {
	dims := c.args[0].Dims()
	line := float64(dims[attrs[*op.SortAttrs](c).Dimensions[0]])
	return 2 * offset * (line + product64(dims)/max(line, 1))
}
