package bytecode

import (
	"bytes"

	"github.com/goxla/xla/stablehlo"
)

// Dense reads the blob of a constant of type t, which is a tensor or vector of known
// sizes. The elements are a view of the file; only truth values, which stand eight to
// the byte, are copied. Equal elements become a splat.
func (d *Decoder) Dense(t stablehlo.Type) stablehlo.Attribute {
	at := d.pos
	data := d.Blob()
	if d.err != nil {
		return nil
	}
	dims, elem, ok := stablehlo.ElementsShape(t)
	size, known := stablehlo.ElementBytes(elem)
	n, fits := numElements(dims)
	if !ok || !known || !fits || size == 0 {
		d.failAt(at, "constant: expected a tensor of known sizes and numbers, got %s", t)
		return nil
	}
	a := &stablehlo.DenseElements{Type: t}
	if elem == stablehlo.I1 {
		data, ok = unpackBools(data, n)
	} else {
		ok = len(data) == size || int64(len(data)) == n*int64(size)
	}
	if !ok || (n > 0 && len(data) == 0) {
		d.failAt(at, "constant: expected the bytes of %d elements of type %s or of one, got %d bytes", n, elem, len(data))
		return nil
	}
	a.Data, a.Splat = foldSplat(data, size) // also of no elements, where the file tells one
	return a
}

// numElements multiplies sizes; ok is false where one is unknown or the product large.
func numElements(dims []int64) (n int64, ok bool) {
	n = 1
	for _, d := range dims {
		if d == 0 {
			return 0, true
		}
	}
	for _, d := range dims {
		if d < 0 || n > maxElements/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// foldSplat returns the first element if all are equal, else the data.
func foldSplat(data []byte, size int) (folded []byte, splat bool) {
	if len(data) < size {
		return data, false
	}
	// Each element equals the one before it if the data equals itself shifted by one.
	if bytes.Equal(data[size:], data[:len(data)-size]) {
		return data[:size:size], true
	}
	return data, false
}

// unpackBools returns n truth values, a byte each, or one for all. They stand eight to
// a byte, lowest bit first; 0xFF and 0 alone stand for all. Some writers took a byte
// for each.
func unpackBools(data []byte, n int64) (values []byte, ok bool) {
	switch {
	case len(data) == 1 && (data[0] == 0xFF || data[0] == 0):
		return []byte{data[0] & 1}, true
	case int64(len(data)) == (n+7)/8:
		values = make([]byte, n)
		for i := range values {
			values[i] = data[i/8] >> (i % 8) & 1
		}
		return values, true
	case int64(len(data)) == n || len(data) == 1:
		values = make([]byte, len(data))
		for i, b := range data {
			if b > 1 {
				return nil, false
			}
			values[i] = b
		}
		return values, true
	}
	return nil, false
}

// packBools is the inverse of unpackBools.
func packBools(values []byte, splat bool) []byte {
	if splat {
		return []byte{-(values[0] & 1)}
	}
	packed := make([]byte, (len(values)+7)/8)
	for i, b := range values {
		packed[i/8] |= b & 1 << (i % 8)
	}
	return packed
}
