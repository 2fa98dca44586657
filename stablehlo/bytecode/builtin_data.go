package bytecode

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// This file reads the builtin attributes that hold data, and the builtin types.

func readDenseResource(d *Decoder) stablehlo.Attribute {
	t := d.Type()
	i := d.index("resource", len(d.r.resources))
	if d.err != nil {
		return nil
	}
	return &stablehlo.DenseResource{Type: t, Key: d.r.resources[i]}
}

func readDenseArray(d *Decoder) stablehlo.Attribute {
	t := d.Type()
	n := d.Varint()
	at := d.pos
	a := &stablehlo.DenseArrayAttr{Elem: t, Data: d.Blob()}
	size, ok := stablehlo.ElementBytes(t)
	if d.err == nil && (!ok || size == 0 || n > uint64(len(a.Data)) || int(n)*size != len(a.Data)) {
		d.failAt(at, "array: expected %d elements of type %s, got %d bytes", n, t, len(a.Data))
	}
	return a
}

func readDenseStrings(d *Decoder) stablehlo.Attribute {
	t := d.Type()
	a := &stablehlo.DenseStrings{Type: t, Splat: d.Varint() != 0}
	dims, _, ok := stablehlo.ElementsShape(t)
	n, fits := numElements(dims)
	if a.Splat {
		n = 1
	}
	if d.err == nil && (!ok || !fits || n > int64(d.left())) {
		d.fail("strings: expected a tensor of at most %d elements, got %s", d.left(), t)
	}
	for i := int64(0); i < n && d.err == nil; i++ {
		a.Values = append(a.Values, d.Text())
	}
	return a
}

func readSparse(d *Decoder) stablehlo.Attribute {
	a := &stablehlo.SparseElements{Type: d.Type()}
	indices := d.Attr()
	a.Values = d.Attr()
	var ok bool
	if a.Indices, ok = indices.(*stablehlo.DenseElements); !ok && d.err == nil {
		d.fail("sparse constant: expected dense indices, got %s", brief(indices))
	}
	return a
}

func readIntegerType(d *Decoder) stablehlo.Type {
	at := d.pos
	v := d.Varint()
	t := stablehlo.IntegerType{Width: int(min(v>>2, maxWidth+1)), Sign: stablehlo.Signedness(v & 3)}
	if d.err == nil && (t.Width > maxWidth || t.Width == 0 || t.Sign > stablehlo.Unsigned) {
		d.failAt(at, "integer type: width and sign %d are not valid", v)
	}
	return t
}

func readFunctionType(d *Decoder) stablehlo.Type {
	return &stablehlo.FunctionType{Inputs: d.Types(), Results: d.Types()}
}

// Dims reads the sizes of a shape; those that are not known are [stablehlo.Dynamic].
func (d *Decoder) Dims() []int64 {
	at := d.pos
	dims := d.Int64s()
	for _, n := range dims {
		if n < 0 && n != stablehlo.Dynamic {
			d.failAt(at, "shape: expected sizes of at least 0, got %d", n)
		}
	}
	return dims
}

// Tensor reads sizes and element type of a tensor type.
func (d *Decoder) Tensor(encoding stablehlo.Attribute) stablehlo.Type {
	return &stablehlo.TensorType{Dims: d.Dims(), Elem: d.Type(), Encoding: encoding}
}

func readMemRef(d *Decoder, space bool) stablehlo.Type {
	t := &stablehlo.MemRefType{}
	if space {
		t.MemorySpace = d.Attr()
	}
	t.Dims, t.Elem, t.Layout = d.Dims(), d.Type(), d.Attr()
	if isIdentityMap(t.Layout) {
		t.Layout = nil
	}
	return t
}

// identityMap stands for affine_map, the one builtin attribute that is stored as text.
const identityMap = "affine_map"

// isIdentityMap reports whether the layout of a buffer is row major: (a, b) -> (a, b).
func isIdentityMap(a stablehlo.Attribute) bool {
	o, ok := a.(stablehlo.OpaqueAttr)
	from, to, cut := strings.Cut(o.Body, " -> ")
	return ok && cut && o.Dialect == identityMap && from == to
}

func readVector(d *Decoder) stablehlo.Type {
	return &stablehlo.VectorType{Dims: d.Dims(), Elem: d.Type()}
}

func readScalableVector(d *Decoder) stablehlo.Type {
	t := &stablehlo.VectorType{}
	t.Scalable = readList(d, "flags", func() bool { return d.Varint() != 0 })
	t.Dims, t.Elem = d.Dims(), d.Type()
	if d.err == nil && len(t.Scalable) != len(t.Dims) {
		d.fail("vector type: expected %d flags, got %d", len(t.Dims), len(t.Scalable))
	}
	return t
}
