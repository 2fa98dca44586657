package stablehlo

import "strconv"

// AppendText appends the type as MLIR writes it.
func (t IntegerType) AppendText(dst []byte) []byte {
	prefix := [...]string{"i", "si", "ui"}[min(t.Sign, Unsigned)]
	return strconv.AppendInt(append(dst, prefix...), int64(t.Width), 10)
}

// AppendText appends the type as MLIR writes it.
func (t FloatType) AppendText(dst []byte) []byte { return append(dst, t.Name()...) }

// AppendText appends the type as MLIR writes it.
func (IndexType) AppendText(dst []byte) []byte { return append(dst, "index"...) }

// AppendText appends the type as MLIR writes it.
func (NoneType) AppendText(dst []byte) []byte { return append(dst, "none"...) }

// AppendText appends the type as MLIR writes it.
func (TokenType) AppendText(dst []byte) []byte { return append(dst, "!stablehlo.token"...) }

// AppendText appends the type as MLIR writes it.
func (t *ComplexType) AppendText(dst []byte) []byte {
	return append(t.Elem.AppendText(append(dst, "complex<"...)), '>')
}

// AppendText appends the type as MLIR writes it.
func (t *TensorType) AppendText(dst []byte) []byte {
	dst = append(dst, "tensor<"...)
	for _, d := range t.Dims {
		dst = append(appendDim(dst, d), 'x')
	}
	dst = t.Elem.AppendText(dst)
	if t.Encoding != nil {
		dst = t.Encoding.AppendText(append(dst, ", "...))
	}
	return append(dst, '>')
}

// appendDim appends a size or ?.
func appendDim(dst []byte, d int64) []byte {
	if d == Dynamic {
		return append(dst, '?')
	}
	return strconv.AppendInt(dst, d, 10)
}

// AppendText appends the type as MLIR writes it.
func (t *UnrankedTensorType) AppendText(dst []byte) []byte {
	return append(t.Elem.AppendText(append(dst, "tensor<*x"...)), '>')
}

// AppendText appends the type as MLIR writes it.
func (t *VectorType) AppendText(dst []byte) []byte {
	dst = append(dst, "vector<"...)
	for i, d := range t.Dims {
		scalable := i < len(t.Scalable) && t.Scalable[i]
		if scalable {
			dst = append(dst, '[')
		}
		dst = strconv.AppendInt(dst, d, 10)
		if scalable {
			dst = append(dst, ']')
		}
		dst = append(dst, 'x')
	}
	return append(t.Elem.AppendText(dst), '>')
}

// AppendText appends the type as MLIR writes it.
func (t *MemRefType) AppendText(dst []byte) []byte {
	dst = append(dst, "memref<"...)
	if t.Unranked {
		dst = append(dst, "*x"...)
	}
	for _, d := range t.Dims {
		dst = append(appendDim(dst, d), 'x')
	}
	dst = t.Elem.AppendText(dst)
	for _, a := range []Attribute{t.Layout, t.MemorySpace} {
		if a != nil {
			dst = a.AppendText(append(dst, ", "...))
		}
	}
	return append(dst, '>')
}

// AppendText appends the type as MLIR writes it.
func (t *TupleType) AppendText(dst []byte) []byte {
	return append(AppendTypes(append(dst, "tuple<"...), t.Types), '>')
}

// AppendText appends the type as MLIR writes it.
func (t *FunctionType) AppendText(dst []byte) []byte {
	dst = AppendTypes(append(dst, '('), t.Inputs)
	dst = append(dst, ") -> "...)
	if len(t.Results) == 1 {
		if _, ok := t.Results[0].(*FunctionType); !ok {
			return t.Results[0].AppendText(dst)
		}
	}
	return append(AppendTypes(append(dst, '('), t.Results), ')')
}

// AppendText appends the type as MLIR writes it.
func (t *FutureType) AppendText(dst []byte) []byte {
	return append(AppendTypes(append(dst, "!stablehlo.future<"...), t.Types), '>')
}

// AppendText appends the type as MLIR writes it.
func (t OpaqueType) AppendText(dst []byte) []byte {
	return appendOpaque(append(dst, '!'), t.Dialect, t.Body, t.Angle)
}

func appendOpaque(dst []byte, dialect, body string, angle bool) []byte {
	dst = append(dst, dialect...)
	if !angle {
		return append(append(dst, '.'), body...)
	}
	dst = append(dst, '<')
	dst = append(dst, body...)
	return append(dst, '>')
}

// AppendText appends the type as MLIR writes it.
func (t *QuantizedType) AppendText(dst []byte) []byte {
	dst = append(dst, "!quant.uniform<"...)
	prefix := [...]string{Signless: "i", Signed: "si", Unsigned: "u"}[t.Storage.Sign]
	dst = strconv.AppendInt(append(dst, prefix...), int64(t.Storage.Width), 10)
	if lo, hi := t.StorageRange(); t.StorageMin != lo || t.StorageMax != hi {
		dst = strconv.AppendInt(append(dst, '<'), t.StorageMin, 10)
		dst = strconv.AppendInt(append(dst, ':'), t.StorageMax, 10)
		dst = append(dst, '>')
	}
	dst = t.Expressed.AppendText(append(dst, ':'))
	return append(t.appendScales(dst), '>')
}

// appendScales appends ":axis, scales" in the form of the granularity.
func (t *QuantizedType) appendScales(dst []byte) []byte {
	switch {
	case t.BlockSizes != nil:
		dst = append(dst, ":{"...)
		for i, axis := range t.Axes {
			dst = strconv.AppendInt(appendComma(dst, i), axis, 10)
			dst = strconv.AppendInt(append(dst, ':'), t.BlockSizes[i], 10)
		}
		next := 0
		return t.appendBlocks(append(dst, "}, "...), t.ScaleDims, &next)
	case len(t.Axes) == 1:
		dst = strconv.AppendInt(append(dst, ':'), t.Axes[0], 10)
		dst = append(dst, ", {"...)
		for i := range t.Scales {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = t.appendScale(dst, i)
		}
		return append(dst, '}')
	}
	dst = append(dst, ", "...)
	if len(t.Scales) == 0 {
		return dst
	}
	return t.appendScale(dst, 0)
}

// appendBlocks appends the scales of a sub-channel type as nested lists in braces.
func (t *QuantizedType) appendBlocks(dst []byte, dims []int64, next *int) []byte {
	if len(dims) == 0 {
		dst = t.appendScale(dst, *next)
		*next++
		return dst
	}
	dst = append(dst, '{')
	for i := range dims[0] {
		dst = t.appendBlocks(appendComma(dst, int(i)), dims[1:], next)
	}
	return append(dst, '}')
}

// appendScale appends "scale" or "scale:zero point".
func (t *QuantizedType) appendScale(dst []byte, i int) []byte {
	if i >= len(t.Scales) || i >= len(t.ZeroPoints) {
		return dst
	}
	dst = appendF64(dst, t.Scales[i])
	if z := t.ZeroPoints[i]; z != 0 {
		dst = strconv.AppendInt(append(dst, ':'), z, 10)
	}
	return dst
}

// AppendTypes appends the types with commas between them.
func AppendTypes(dst []byte, types []Type) []byte {
	for i, t := range types {
		dst = t.AppendText(appendComma(dst, i))
	}
	return dst
}

// appendComma appends the separator before the i-th element of a list.
func appendComma(dst []byte, i int) []byte {
	if i == 0 {
		return dst
	}
	return append(dst, ", "...)
}

// String returns the type as MLIR writes it.
func (t IntegerType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t FloatType) String() string { return t.Name() }

// String returns the type as MLIR writes it.
func (t IndexType) String() string { return "index" }

// String returns the type as MLIR writes it.
func (t NoneType) String() string { return "none" }

// String returns the type as MLIR writes it.
func (t TokenType) String() string { return "!stablehlo.token" }

// String returns the type as MLIR writes it.
func (t *ComplexType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *TensorType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *UnrankedTensorType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *VectorType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *MemRefType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *TupleType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *FunctionType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *FutureType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t *QuantizedType) String() string { return string(t.AppendText(nil)) }

// String returns the type as MLIR writes it.
func (t OpaqueType) String() string { return string(t.AppendText(nil)) }
