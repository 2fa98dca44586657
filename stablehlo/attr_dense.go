package stablehlo

import "encoding/binary"

// DenseElements is dense<...> : type, the value of a constant. Type is a TensorType of
// known sizes or a VectorType; its elements are integers, floats, index, complex
// numbers, or quantized (then Data holds the storage).
//
// Data holds the elements in row-major order, little endian, each in whole bytes
// ([ElementBytes]): an i1 or i4 takes one byte, a complex number is its real part then
// its imaginary part. With Splat, Data holds one element, the value of all. Data may be
// a view of the file the program was read from: it must not be written to.
type DenseElements struct {
	Type  Type
	Data  []byte
	Splat bool
}

// DenseStrings is dense<["a", "b"]> : type, elements of a type that only its dialect
// knows. With Splat, Values holds one string, the value of all.
type DenseStrings struct {
	Type   Type
	Values []string
	Splat  bool
}

// DenseResource is dense_resource<Key> : Type: elements whose bytes stand apart from the
// text, in [Module.Resource]. The key [Elided] stands for a constant that a printer left out.
type DenseResource struct {
	Type Type
	Key  string
}

// Elided is the key of a DenseResource whose value was left out when it was printed.
const Elided = "__elided__"

// SparseElements is sparse<indices, values> : type.
type SparseElements struct {
	Type    Type
	Indices *DenseElements
	Values  Attribute // *DenseElements or *DenseStrings
}

func (*DenseElements) isAttribute()  {}
func (*DenseStrings) isAttribute()   {}
func (*DenseResource) isAttribute()  {}
func (*SparseElements) isAttribute() {}

// NumElements returns the number of elements that the type has.
func (a *DenseElements) NumElements() int64 {
	dims, _, _ := ElementsShape(a.Type)
	n, _ := product(dims)
	return n
}

// Elem returns the element type.
func (a *DenseElements) Elem() Type {
	_, elem, _ := ElementsShape(a.Type)
	return elem
}

// Dims returns the sizes.
func (a *DenseElements) Dims() []int64 {
	dims, _, _ := ElementsShape(a.Type)
	return dims
}

// Ints returns all elements of a tensor of integers or index, sign extended, splats
// expanded; ok is false for other elements. Do not call it on a large constant.
func (a *DenseElements) Ints() (values []int64, ok bool) {
	var t IntegerType
	switch e := a.Elem().(type) {
	case IntegerType:
		t = e
	case IndexType:
		t = I64
	default:
		return nil, false
	}
	values = decodeInts(a.Data, t)
	if !a.Splat || len(values) == 0 {
		return values, true
	}
	all := make([]int64, a.NumElements())
	for i := range all {
		all[i] = values[0]
	}
	return all, true
}

// NewDenseInts returns dense<values> : tensor<dims x elem>. values are in row-major
// order, as many as the sizes multiply to; a list of equal values becomes a splat.
func NewDenseInts(elem IntegerType, dims []int64, values []int64) *DenseElements {
	n, _ := ElementBytes(elem)
	splat := len(values) > 0
	for _, v := range values {
		splat = splat && v == values[0]
	}
	if splat {
		values = values[:1]
	}
	data := make([]byte, 0, n*len(values))
	for _, v := range values {
		data = appendInt(data, v, n)
	}
	return &DenseElements{Type: &TensorType{Dims: dims, Elem: elem}, Data: data, Splat: splat}
}

// appendInt appends the low n bytes of v, at most 8, zeros above them.
func appendInt(dst []byte, v int64, n int) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	return append(dst, b[:min(n, 8)]...)
}

// decodeInts reads the integers of type t, at most 64 bits wide.
func decodeInts(data []byte, t IntegerType) []int64 {
	n := (t.Width + 7) / 8
	if n == 0 || n > 8 {
		return nil
	}
	values := make([]int64, len(data)/n)
	for i := range values {
		var b [8]byte
		copy(b[:], data[i*n:(i+1)*n])
		values[i] = t.Extend(int64(binary.LittleEndian.Uint64(b[:])))
	}
	return values
}
