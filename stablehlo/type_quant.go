package stablehlo

// QuantizedType is !quant.uniform<storage:expressed, scales:zero points>: integers q
// that stand for the numbers (q - zero point) * scale. Spec: "Quantized types".
//
// One Scales entry and no Axes: one scale for the whole tensor. One axis and no
// BlockSizes: an entry an index of that dimension. With BlockSizes: an entry a block,
// in row-major order of ScaleDims, the number of blocks along each dimension.
type QuantizedType struct {
	Storage    IntegerType // signless means signed: i8; u8 is Unsigned
	Expressed  Type
	StorageMin int64 // smallest value of the storage that is used; the storage type's smallest by default
	StorageMax int64
	Axes       []int64 // quantized dimensions; nil: per tensor
	BlockSizes []int64 // sub-channel quantization: the block size along each axis; nil otherwise
	ScaleDims  []int64 // sub-channel quantization: shape of Scales and ZeroPoints; nil otherwise
	Scales     []float64
	ZeroPoints []int64 // as many as Scales
}

// IsPerAxis reports whether each index of one dimension has its own scale.
func (t *QuantizedType) IsPerAxis() bool { return len(t.Axes) == 1 && t.BlockSizes == nil }

// StorageRange returns the smallest and largest value of the storage type.
func (t *QuantizedType) StorageRange() (lo, hi int64) { return integerRange(t.Storage) }

// integerRange returns the range of an integer type of at most 63 bits, or the range
// of int64 for a wider one.
func integerRange(t IntegerType) (lo, hi int64) {
	w := min(max(t.Width, 1), 63)
	if t.Sign == Unsigned {
		return 0, 1<<w - 1
	}
	return -(1 << (w - 1)), 1<<(w-1) - 1
}
