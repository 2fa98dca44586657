package hlotest

import (
	"reflect"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// proposeFunc draws operands and attributes for an operation; ok is false if the
// values so far do not fit.
type proposeFunc func(g *generator, code op.Code) (p proposal, ok bool)

// proposer returns how to draw an operation: element-wise ones by their arity,
// others by their attribute struct. It is nil for what a random module leaves out.
func (g *generator) proposer(code op.Code) proposeFunc {
	info := code.Info()
	if f := g.special[code]; f != nil {
		return f
	}
	if info.Has(op.Elementwise) && !info.Has(op.NeedsShape) {
		return proposeElementwise
	}
	if info.Attrs != nil {
		return byAttrs[reflect.TypeOf(info.Attrs)]
	}
	return nil
}

// special returns how to draw the operations that are not drawn by arity or attributes.
// It is no variable, since control flow draws operations in turn.
func special() map[op.Code]proposeFunc {
	return map[op.Code]proposeFunc{
		op.Convert:            proposeConvert,
		op.BitcastConvert:     proposeConvert,
		op.Copy:               proposeElementwise,
		op.Clamp:              proposeOrdered,
		op.Maximum:            proposeOrdered,
		op.Minimum:            proposeOrdered,
		op.Remainder:          proposeOrdered,
		op.Select:             proposeSelect,
		op.DynamicUpdateSlice: proposeDynamicUpdate,
		op.OptBarrier:         proposeElementwise,
		op.SelectAndScatter:   proposeSelectAndScatter,
		op.Gather:             proposeGather,
		op.BatchNormGrad:      proposeBatchNorm,
		op.BatchNormInference: proposeBatchNorm,
		op.BatchNormTraining:  proposeBatchNorm,
		op.Cholesky:           proposeCholesky,
		op.Fft:                proposeFft,
		op.Rng:                proposeRng,
		op.RngBitGenerator:    proposeRngBitGenerator,
		op.Scan:               proposeScan,
		op.StochasticConvert:  proposeStochasticConvert,
		op.Topk:               proposeTopK,
		op.TriangularSolve:    proposeTriangularSolve,
		op.Scatter:            proposeScatter,
		op.Convolution:        proposeConvolution,
		op.Call:               proposeCall,
		op.Fusion:             proposeCall,
		op.Conditional:        proposeConditional,
		op.While:              proposeWhile,
		op.Reduce:             proposeReduce,
		op.Sort:               proposeSort,
	}
}

// byAttrs is how to draw operations by their attribute struct.
var byAttrs = map[reflect.Type]proposeFunc{
	reflect.TypeFor[*op.BroadcastAttrs]():       proposeBroadcast,
	reflect.TypeFor[*op.ReshapeAttrs]():         proposeReshape,
	reflect.TypeFor[*op.TransposeAttrs]():       proposeTranspose,
	reflect.TypeFor[*op.ReverseAttrs]():         proposeReverse,
	reflect.TypeFor[*op.SliceAttrs]():           proposeSlice,
	reflect.TypeFor[*op.PadAttrs]():             proposePad,
	reflect.TypeFor[*op.ConcatenateAttrs]():     proposeConcatenate,
	reflect.TypeFor[*op.IotaAttrs]():            proposeIota,
	reflect.TypeFor[*op.WindowAttrs]():          proposeReduceWindow,
	reflect.TypeFor[*op.DotAttrs]():             proposeDot,
	reflect.TypeFor[*op.DynamicSliceAttrs]():    proposeDynamicSlice,
	reflect.TypeFor[*op.ReducePrecisionAttrs](): proposeReducePrecision,
	reflect.TypeFor[*op.MapAttrs]():             proposeMap,
}

// proposeElementwise draws operands of one shape.
func proposeElementwise(g *generator, code op.Code) (proposal, bool) {
	x := g.value()
	p := proposal{operands: []*hlo.Instruction{x}, declared: x.Shape()}
	for len(p.operands) < code.Info().Arity {
		p.operands = append(p.operands, g.like(x.Shape()))
	}
	if code.Info().Attrs != nil {
		p.attrs = op.NewAttrs(code)
	}
	if a, ok := p.attrs.(*op.CompareAttrs); ok {
		a.Direction = op.Direction(1 + g.rng.IntN(6))
	}
	return p, true
}

// proposeOrdered is proposeElementwise for what has no meaning for complex numbers: they have no order.
func proposeOrdered(g *generator, code op.Code) (proposal, bool) {
	p, ok := proposeElementwise(g, code)
	return p, ok && !p.operands[0].Type().IsComplex()
}

func proposeConvert(g *generator, _ op.Code) (proposal, bool) {
	x, t := g.value(), g.elementType()
	return proposal{operands: []*hlo.Instruction{x}, declared: x.Shape().WithType(t)}, true
}

func proposeSelect(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	pred := g.like(x.Shape().WithType(shape.Pred))
	return proposal{operands: []*hlo.Instruction{pred, x, g.like(x.Shape())}}, true
}

func proposeBroadcast(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	dims, at := slices.Clone(x.Dims()), g.rng.IntN(x.Rank()+1)
	dims = slices.Insert(dims, at, 1+g.rng.IntN(4))
	a := &op.BroadcastAttrs{Dimensions: []int{}}
	for d := range dims {
		if d != at {
			a.Dimensions = append(a.Dimensions, d)
		}
	}
	return proposal{operands: []*hlo.Instruction{x}, attrs: a, declared: shape.Make(x.Type(), dims...)}, true
}

// proposeReshape joins the first two dimensions, or adds one of size 1.
func proposeReshape(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	dims := slices.Insert(slices.Clone(x.Dims()), 0, 1)
	if x.Rank() >= 2 && g.rng.IntN(2) == 0 {
		dims = append([]int{dims[1] * dims[2]}, dims[3:]...)
	}
	return proposal{operands: []*hlo.Instruction{x}, attrs: &op.ReshapeAttrs{},
		declared: shape.Make(x.Type(), dims...)}, true
}

func proposeTranspose(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	return proposal{operands: []*hlo.Instruction{x},
		attrs: &op.TransposeAttrs{Dimensions: g.rng.Perm(x.Rank())}}, true
}

func proposeReverse(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	return proposal{operands: []*hlo.Instruction{x}, attrs: &op.ReverseAttrs{Dimensions: g.dimensions(x)}}, true
}

// dimensions returns some dimensions of x.
func (g *generator) dimensions(x *hlo.Instruction) []int {
	dims := []int{}
	for d := range x.Dims() {
		if g.rng.IntN(2) == 0 {
			dims = append(dims, d)
		}
	}
	return dims
}

func proposeSlice(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	a := &op.SliceAttrs{Slice: op.SliceRanges{}}
	result := x.Shape()
	result.Dims = slices.Clone(result.Dims)
	for d, size := range x.Dims() {
		start, stride := g.rng.IntN(size+1), 1+g.rng.IntN(2)
		limit := start + g.rng.IntN(size-start+1)
		a.Slice = append(a.Slice, op.SliceRange{Start: start, Limit: limit, Stride: stride})
		result.Dims[d] = (limit - start + stride - 1) / stride
	}
	return proposal{operands: []*hlo.Instruction{x}, attrs: a, declared: result}, slices.Min(append(result.Dims, 1)) > 0
}

// proposePad leaves scalars out: text has no padding of no dimensions.
func proposePad(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	if x.Rank() == 0 {
		return proposal{}, false
	}
	a := &op.PadAttrs{Padding: op.Padding{}}
	for range x.Dims() {
		a.Padding = append(a.Padding, op.PadDim{Low: g.rng.IntN(4) - 1, High: g.rng.IntN(3), Interior: g.rng.IntN(2)})
	}
	return proposal{operands: []*hlo.Instruction{x, g.like(shape.Make(x.Type()))}, attrs: a}, true
}

func proposeConcatenate(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	if x.Rank() == 0 {
		return proposal{}, false
	}
	return proposal{operands: []*hlo.Instruction{x, g.like(x.Shape())},
		attrs: &op.ConcatenateAttrs{Dimensions: []int{g.rng.IntN(x.Rank())}}}, true
}

func proposeIota(g *generator, _ op.Code) (proposal, bool) {
	s := g.shape()
	if s.Rank() == 0 {
		return proposal{}, false
	}
	return proposal{attrs: &op.IotaAttrs{Dimension: g.rng.IntN(s.Rank())}, declared: s}, true
}

// reducerCode returns a commutative operation that is defined for t.
func (g *generator) reducerCode(t shape.ElementType) op.Code {
	codes := []op.Code{op.Add, op.Maximum, op.Minimum, op.Multiply}
	if t.IsComplex() {
		codes = []op.Code{op.Add, op.Multiply}
	}
	return codes[g.rng.IntN(len(codes))]
}

// proposeDot multiplies x with another of its shape, contracting some dimensions or none; one in four has an algorithm.
func proposeDot(g *generator, code op.Code) (proposal, bool) {
	x := g.value()
	if code != op.Dot {
		return proposal{}, false
	}
	a := &op.DotAttrs{}
	for d := range x.Dims() {
		switch g.rng.IntN(3) {
		case 0:
			a.LHSContracting, a.RHSContracting = append(a.LHSContracting, d), append(a.RHSContracting, d)
		case 1:
			a.LHSBatch, a.RHSBatch = append(a.LHSBatch, d), append(a.RHSBatch, d)
		}
	}
	a.Algorithm = g.algorithm()
	return proposal{operands: []*hlo.Instruction{x, g.like(x.Shape())}, attrs: a}, true
}

// algorithm returns that of a dot: none for three of four.
func (g *generator) algorithm() op.Word {
	if g.rng.IntN(4) > 0 {
		return ""
	}
	words := op.Words("algorithm")[1:]
	return op.Word(words[g.rng.IntN(len(words))])
}

// indices returns an s32 scalar for each dimension of x.
func (g *generator) indices(x *hlo.Instruction) []*hlo.Instruction {
	var list []*hlo.Instruction
	for range x.Dims() {
		list = append(list, g.like(shape.Make(shape.S32)))
	}
	return list
}

// part returns sizes not above those of x.
func (g *generator) part(x *hlo.Instruction) []int {
	sizes := []int{}
	for _, d := range x.Dims() {
		sizes = append(sizes, 1+g.rng.IntN(max(d, 1)))
	}
	return sizes
}

func proposeDynamicSlice(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	sizes := g.part(x)
	return proposal{operands: append([]*hlo.Instruction{x}, g.indices(x)...),
		attrs: &op.DynamicSliceAttrs{SliceSizes: sizes}, declared: shape.Make(x.Type(), sizes...)}, true
}

func proposeDynamicUpdate(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	update := g.like(shape.Make(x.Type(), g.part(x)...))
	return proposal{operands: append([]*hlo.Instruction{x, update}, g.indices(x)...), declared: x.Shape()}, true
}

func proposeReducePrecision(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	return proposal{operands: []*hlo.Instruction{x}, declared: x.Shape(),
		attrs: &op.ReducePrecisionAttrs{ExponentBits: 1 + g.rng.IntN(10), MantissaBits: g.rng.IntN(24)}}, true
}

func proposeMap(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	t := x.Type()
	a := &op.MapAttrs{Dimensions: []int{}}
	for d := range x.Dims() {
		a.Dimensions = append(a.Dimensions, d)
	}
	return proposal{operands: []*hlo.Instruction{x, g.like(x.Shape())}, attrs: a,
		called: []*hlo.Computation{g.reducer(g.reducerCode(t), t, t, nil)}}, true
}
