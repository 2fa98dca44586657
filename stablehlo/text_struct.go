package stablehlo

import "strconv"

// The text of struct attributes follows from their fields, except for the two below.

// AppendText appends the attribute as MLIR writes it.
func (a *DotDims) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *RaggedDotDims) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *GatherDims) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *ScatterDims) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *ChannelHandle) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *OutputOperandAlias) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *DotAlgorithm) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *ResultAccuracy) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *AxisRef) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *ReplicaGroupMeshAxes) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *MeshAxis) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends the attribute as MLIR writes it.
func (a *Mesh) AppendText(dst []byte) []byte { return appendStruct(dst, a) }

// AppendText appends #stablehlo.bounds<4, ?>.
func (a *TypeExtensions) AppendText(dst []byte) []byte {
	dst = append(dst, "#stablehlo.bounds<"...)
	for i, b := range a.Bounds {
		dst = appendDim(appendComma(dst, i), b)
	}
	return append(dst, '>')
}

// AppendText appends #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, or
// #stablehlo.conv<raw input_batch_dimension = 0, ...> where labels cannot say it.
func (a *ConvDims) AppendText(dst []byte) []byte {
	dst = append(dst, "#stablehlo.conv<"...)
	if !a.HasLabels() {
		return append(AppendFields(append(dst, "raw "...), a), '>')
	}
	return append(a.AppendLabels(dst), '>')
}

// HasLabels reports whether lists of labels can say the dimensions: each is in range
// and has one meaning.
func (a *ConvDims) HasLabels() bool {
	return labelsFit(a.InputSpatial, a.InputBatch, a.InputFeature) &&
		labelsFit(a.KernelSpatial, a.KernelInputFeature, a.KernelOutputFeature) &&
		labelsFit(a.OutputSpatial, a.OutputBatch, a.OutputFeature)
}

// maxLabels is the largest number of labels in one list.
const maxLabels = 1 << 12

func labelsFit(spatial []int64, letters ...int64) bool {
	seen := map[int64]bool{}
	for _, d := range append(letters, spatial...) {
		if d < 0 || d >= maxLabels || seen[d] {
			return false
		}
		seen[d] = true
	}
	return true
}

// AppendLabels appends [b, 0, f]x[0, i, o]->[b, 0, f].
func (a *ConvDims) AppendLabels(dst []byte) []byte {
	dst = appendLabels(dst, a.InputSpatial, label{'b', a.InputBatch}, label{'f', a.InputFeature})
	dst = append(dst, 'x')
	dst = appendLabels(dst, a.KernelSpatial, label{'i', a.KernelInputFeature}, label{'o', a.KernelOutputFeature})
	dst = append(dst, "->"...)
	return appendLabels(dst, a.OutputSpatial, label{'b', a.OutputBatch}, label{'f', a.OutputFeature})
}

// label is a letter and the dimension that bears it.
type label struct {
	letter byte
	dim    int64
}

// appendLabels appends one list: the letter or the number of the spatial dimension
// that each dimension is, ? for one that is neither.
func appendLabels(dst []byte, spatial []int64, letters ...label) []byte {
	texts := map[int64]string{}
	last := int64(-1)
	for i, d := range spatial {
		texts[d] = strconv.Itoa(i)
		last = max(last, d)
	}
	for _, l := range letters {
		texts[l.dim] = string(l.letter)
		last = max(last, l.dim)
	}
	dst = append(dst, '[')
	for d := range last + 1 {
		text, ok := texts[d]
		if !ok {
			text = "?"
		}
		dst = append(appendComma(dst, int(d)), text...)
	}
	return append(dst, ']')
}
