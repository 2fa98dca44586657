package stablehlo

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

// AppendText appends #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>.
func (a *ConvDims) AppendText(dst []byte) []byte {
	return append(a.AppendLabels(append(dst, "#stablehlo.conv<"...)), '>')
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
	names := make([]int64, len(spatial)+len(letters))
	for i := range names {
		names[i] = Dynamic
	}
	put := func(dim, name int64) {
		if dim >= 0 && dim < int64(len(names)) {
			names[dim] = name
		}
	}
	for i, d := range spatial {
		put(d, int64(i))
	}
	for i, l := range letters {
		put(l.dim, int64(-1-i))
	}
	dst = append(dst, '[')
	for i, name := range names {
		dst = appendComma(dst, i)
		if name < 0 && name != Dynamic {
			dst = append(dst, letters[-1-name].letter)
		} else {
			dst = appendDim(dst, name)
		}
	}
	return append(dst, ']')
}
