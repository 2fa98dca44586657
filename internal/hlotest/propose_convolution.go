package hlotest

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// proposeConvolution draws a convolution of up to two spatial dimensions, with any
// order of dimensions, and feature or batch groups.
func proposeConvolution(g *generator, _ op.Code) (proposal, bool) {
	t := g.elementType()
	spatial := g.rng.IntN(3)
	batch, features, outputs := 1+g.rng.IntN(2), 1+g.rng.IntN(2), 1+g.rng.IntN(2)
	a := &op.ConvolutionAttrs{}
	inputFeatures := features
	switch groups := 1 + g.rng.IntN(2); g.rng.IntN(3) {
	case 0:
		a.FeatureGroupCount, inputFeatures, outputs = groups, features*groups, outputs*groups
	case 1:
		a.BatchGroupCount, batch, outputs = groups, batch*groups, outputs*groups
	}
	input, kernel := []int{batch, inputFeatures}, []int{features, outputs}
	for range spatial {
		size := 1 + g.rng.IntN(3)
		a.Window.Dims = append(a.Window.Dims, g.windowDim(size))
		input, kernel = append(input, 3+g.rng.IntN(3)), append(kernel, size)
	}
	a.DimLabels = op.DimLabels{Given: true}
	l := &a.DimLabels
	l.InputBatch, l.InputFeature, l.InputSpatial, input = g.labels(input)
	l.KernelInputFeature, l.KernelOutputFeature, l.KernelSpatial, kernel = g.labels(kernel)
	l.OutputBatch, l.OutputFeature, l.OutputSpatial, _ = g.labels(make([]int, 2+spatial))
	return proposal{attrs: a,
		operands: []*hlo.Instruction{g.varied(shape.Make(t, input...)), g.varied(shape.Make(t, kernel...))}}, true
}

// windowDim draws a dimension of a window.
func (g *generator) windowDim(size int) op.WindowDim {
	return op.WindowDim{Size: size, Stride: 1 + g.rng.IntN(2),
		PaddingLow: g.rng.IntN(3) - 1, PaddingHigh: g.rng.IntN(3) - 1,
		BaseDilation: 1 + g.rng.IntN(2), WindowDilation: 1 + g.rng.IntN(2), Reversal: g.rng.IntN(4) == 0}
}

// labels puts dimensions, given as two and the spatial ones, into a random order: it
// returns where each went, and the sizes in the new order.
func (g *generator) labels(sizes []int) (first, second int, spatial, ordered []int) {
	at := g.rng.Perm(len(sizes))
	ordered = make([]int, len(sizes))
	for i, size := range sizes {
		ordered[at[i]] = size
	}
	return at[0], at[1], slices.Clone(at[2:]), ordered
}
