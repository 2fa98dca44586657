package stablehlo

import "encoding/hex"

// HexElements is the number of elements above which a dense attribute that is no splat
// is written as a string of hexadecimal digits, as MLIR does.
const HexElements = 100

// AppendText appends the attribute as MLIR writes it: array<i64: 1, 2>.
func (a *DenseArrayAttr) AppendText(dst []byte) []byte {
	dst = a.Elem.AppendText(append(dst, "array<"...))
	n, ok := ElementBytes(a.Elem)
	if ok && n > 0 {
		for i := range len(a.Data) / n {
			sep := ", "
			if i == 0 {
				sep = ": "
			}
			dst = appendElement(append(dst, sep...), a.Data[i*n:(i+1)*n], a.Elem)
		}
	}
	return append(dst, '>')
}

// AppendList appends [1, 2], the short form of the array.
func (a *DenseArrayAttr) AppendList(dst []byte) []byte {
	dst = append(dst, '[')
	if n, ok := ElementBytes(a.Elem); ok && n > 0 {
		for i := range len(a.Data) / n {
			dst = appendElement(appendComma(dst, i), a.Data[i*n:(i+1)*n], a.Elem)
		}
	}
	return append(dst, ']')
}

// AppendText appends the attribute as MLIR writes it: dense<...> : type.
func (a *DenseElements) AppendText(dst []byte) []byte {
	dst = a.AppendValue(append(dst, "dense<"...))
	return a.Type.AppendText(append(dst, "> : "...))
}

// AppendValue appends what stands between the angle brackets.
func (a *DenseElements) AppendValue(dst []byte) []byte {
	dims, elem, _ := ElementsShape(a.Type)
	if q, ok := elem.(*QuantizedType); ok {
		elem = q.Storage
	}
	n, _ := ElementBytes(elem)
	switch {
	case n == 0 || len(a.Data) < n:
		return dst
	case a.Splat:
		return appendElement(dst, a.Data[:n], elem)
	case len(a.Data) > HexElements*n:
		return appendHex(dst, a.Data)
	}
	l := listWriter{data: a.Data, size: n, write: func(dst, e []byte) []byte { return appendElement(dst, e, elem) }}
	return l.append(dst, dims)
}

// appendHex appends "0x..." with the quotes.
func appendHex(dst, data []byte) []byte {
	dst = append(dst, `"0x`...)
	from := len(dst)
	dst = hex.AppendEncode(dst, data)
	for i := from; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return append(dst, '"')
}

// listWriter writes elements as nested lists.
type listWriter struct {
	data  []byte // what is left
	size  int    // bytes an element
	write func(dst, element []byte) []byte
}

func (l *listWriter) append(dst []byte, dims []int64) []byte {
	if len(dims) == 0 {
		if len(l.data) < l.size {
			return dst
		}
		dst = l.write(dst, l.data[:l.size])
		l.data = l.data[l.size:]
		return dst
	}
	dst = append(dst, '[')
	for i := int64(0); i < dims[0] && len(l.data) > 0; i++ {
		dst = l.append(appendComma(dst, int(i)), dims[1:])
	}
	return append(dst, ']')
}

// appendElement appends one element.
func appendElement(dst, data []byte, t Type) []byte {
	switch t := t.(type) {
	case IndexType:
		return appendIntOf(dst, decodeInts(data, I64)[0], t)
	case IntegerType:
		if v := decodeInts(data, t); len(v) > 0 {
			return appendIntOf(dst, v[0], t)
		}
		return dst
	case FloatType:
		return appendFloat(dst, littleEndian(data), t)
	case *ComplexType:
		half := len(data) / 2
		dst = appendElement(append(dst, '('), data[:half], t.Elem)
		return append(appendElement(append(dst, ','), data[half:], t.Elem), ')')
	}
	return dst
}

// littleEndian reads up to 8 bytes.
func littleEndian(data []byte) (v uint64) {
	for i, b := range data[:min(len(data), 8)] {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// AppendText appends the attribute as MLIR writes it.
func (a *DenseStrings) AppendText(dst []byte) []byte {
	dst = append(dst, "dense<"...)
	dims, _, _ := ElementsShape(a.Type)
	if a.Splat && len(a.Values) > 0 {
		dst = AppendQuoted(dst, a.Values[0])
	} else if len(a.Values) > 0 {
		next := 0
		l := listWriter{data: make([]byte, len(a.Values)), size: 1, write: func(dst, _ []byte) []byte {
			next++
			return AppendQuoted(dst, a.Values[next-1])
		}}
		dst = l.append(dst, dims)
	}
	return a.Type.AppendText(append(dst, "> : "...))
}

// AppendText appends the attribute as MLIR writes it.
func (a *DenseResource) AppendText(dst []byte) []byte {
	dst = append(dst, "dense_resource<"...)
	if isBareName(a.Key) {
		dst = append(dst, a.Key...)
	} else {
		dst = AppendQuoted(dst, a.Key)
	}
	return a.Type.AppendText(append(dst, "> : "...))
}

// AppendText appends the attribute as MLIR writes it.
func (a *SparseElements) AppendText(dst []byte) []byte {
	dst = append(dst, "sparse<"...)
	if a.Indices != nil && len(a.Indices.Data) > 0 {
		dst = a.Indices.AppendValue(dst)
		if v, ok := a.Values.(*DenseElements); ok {
			dst = v.AppendValue(append(dst, ", "...))
		}
	}
	return a.Type.AppendText(append(dst, "> : "...))
}
