package vhlo

import (
	"math"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
)

// simpleTypes are the types that are nothing but a code, by code; nil where a code is
// of another kind.
var simpleTypes = []stablehlo.Type{
	0:  stablehlo.I1,
	2:  stablehlo.BF16,
	3:  stablehlo.F16,
	4:  stablehlo.F32,
	5:  stablehlo.F64,
	6:  stablehlo.F8E4M3FN,
	7:  stablehlo.F8E5M2,
	9:  stablehlo.IndexType{},
	10: integer(4, stablehlo.Signless),
	11: integer(8, stablehlo.Signless),
	12: integer(16, stablehlo.Signless),
	13: integer(32, stablehlo.Signless),
	14: integer(64, stablehlo.Signless),
	15: integer(4, stablehlo.Unsigned),
	16: integer(8, stablehlo.Unsigned),
	17: integer(16, stablehlo.Unsigned),
	18: integer(32, stablehlo.Unsigned),
	19: integer(64, stablehlo.Unsigned),
	22: stablehlo.TokenType{},
	26: stablehlo.OpaqueType{Dialect: "shape", Body: "witness"},
	27: stablehlo.F8E4M3FNUZ,
	28: stablehlo.F8E5M2FNUZ,
	29: stablehlo.F8E4M3B11FNUZ,
	31: integer(2, stablehlo.Signless),
	32: integer(2, stablehlo.Unsigned),
	33: stablehlo.NoneType{},
	34: stablehlo.TF32,
	35: stablehlo.F8E4M3,
	36: stablehlo.F8E3M4,
	37: stablehlo.F4E2M1FN,
	38: stablehlo.F6E2M3FN,
	39: stablehlo.F6E3M2FN,
	40: stablehlo.F8E8M0FNU,
}

// The codes of the other types.
const (
	typeComplex     = 1
	typeFunction    = 8
	typeTensor      = 20
	typeEncoded     = 21
	typeTuple       = 23
	typeQuantized   = 24
	typeUnranked    = 25
	typePerAxis     = 30
	typeBuffer      = 41
	typeFuture      = 42
	numTypes        = 43
	quantizedSigned = 1 // flag: the storage is signed
)

// typesSince holds the types that came after version 0.9.0.
var typesSince = map[stablehlo.Type]Version{
	stablehlo.F8E4M3FNUZ:           {0, 10, 0},
	stablehlo.F8E5M2FNUZ:           {0, 10, 0},
	stablehlo.F8E4M3B11FNUZ:        {0, 11, 0},
	integer(2, stablehlo.Signless): {1, 2, 0},
	integer(2, stablehlo.Unsigned): {1, 2, 0},
	stablehlo.NoneType{}:           {1, 6, 0},
	stablehlo.TF32:                 {1, 6, 0},
	stablehlo.F8E4M3:               {1, 7, 0},
	stablehlo.F8E3M4:               {1, 7, 0},
	stablehlo.F4E2M1FN:             {1, 8, 0},
	stablehlo.F6E2M3FN:             {1, 8, 0},
	stablehlo.F6E3M2FN:             {1, 8, 0},
	stablehlo.F8E8M0FNU:            {1, 8, 0},
}

func integer(width int, sign stablehlo.Signedness) stablehlo.IntegerType {
	return stablehlo.IntegerType{Width: width, Sign: sign}
}

// typeReaders returns the readers of types by code.
func typeReaders() []func(*bytecode.Decoder) stablehlo.Type {
	list := make([]func(*bytecode.Decoder) stablehlo.Type, numTypes)
	for code, t := range simpleTypes {
		if t != nil {
			list[code] = func(*bytecode.Decoder) stablehlo.Type { return t }
		}
	}
	list[typeComplex] = func(d *bytecode.Decoder) stablehlo.Type { return &stablehlo.ComplexType{Elem: d.Type()} }
	list[typeFunction] = func(d *bytecode.Decoder) stablehlo.Type {
		return &stablehlo.FunctionType{Inputs: d.Types(), Results: d.Types()}
	}
	list[typeTensor] = func(d *bytecode.Decoder) stablehlo.Type { return d.Tensor(nil) }
	list[typeEncoded] = func(d *bytecode.Decoder) stablehlo.Type { return d.Tensor(d.Attr()) }
	list[typeTuple] = func(d *bytecode.Decoder) stablehlo.Type { return &stablehlo.TupleType{Types: d.Types()} }
	list[typeQuantized] = readQuantized
	list[typePerAxis] = readPerAxis
	list[typeUnranked] = func(d *bytecode.Decoder) stablehlo.Type {
		return &stablehlo.UnrankedTensorType{Elem: d.Type()}
	}
	list[typeBuffer] = func(d *bytecode.Decoder) stablehlo.Type {
		return &stablehlo.MemRefType{Dims: d.Dims(), Elem: d.Type()}
	}
	list[typeFuture] = func(d *bytecode.Decoder) stablehlo.Type { return &stablehlo.FutureType{Types: d.Types()} }
	return list
}

// readStorage reads what both kinds of quantized types begin with.
func readStorage(d *bytecode.Decoder) *stablehlo.QuantizedType {
	flags := d.Varint()
	storage := d.Type()
	q := &stablehlo.QuantizedType{Expressed: d.Type()}
	t, ok := storage.(stablehlo.IntegerType)
	if !ok && !d.Failed() {
		d.Fail("quantized type: expected an integer type for the storage, got %s", storage)
	}
	if t.Sign = stablehlo.Signless; flags&quantizedSigned == 0 {
		t.Sign = stablehlo.Unsigned
	}
	q.Storage = t
	return q
}

func readQuantized(d *bytecode.Decoder) stablehlo.Type {
	q := readStorage(d)
	q.Scales = []float64{readF64(d)}
	q.ZeroPoints = []int64{d.Signed()}
	q.StorageMin, q.StorageMax = d.Signed(), d.Signed()
	return q
}

func readPerAxis(d *bytecode.Decoder) stablehlo.Type {
	q := readStorage(d)
	q.Axes = []int64{int64(d.Small("quantized dimension", math.MaxInt32))}
	q.StorageMin, q.StorageMax = d.Signed(), d.Signed()
	n := d.Count("scales")
	for i := 0; i < n && !d.Failed(); i++ {
		q.Scales = append(q.Scales, readF64(d))
	}
	q.ZeroPoints = d.Int64s()
	if !d.Failed() && len(q.ZeroPoints) != len(q.Scales) {
		d.Fail("quantized type: expected %d zero points, got %d", len(q.Scales), len(q.ZeroPoints))
	}
	return q
}

func readF64(d *bytecode.Decoder) float64 { return math.Float64frombits(uint64(d.Signed())) }

func writeF64(e *bytecode.Encoder, v float64) { e.Signed(int64(math.Float64bits(v))) }

// encodeType writes a type.
func encodeType(e *bytecode.Encoder, t stablehlo.Type) bool {
	switch t := t.(type) {
	case *stablehlo.ComplexType:
		e.Varint(typeComplex)
		e.Type(t.Elem)
	case *stablehlo.FunctionType:
		e.Varint(typeFunction)
		e.Types(t.Inputs)
		e.Types(t.Results)
	case *stablehlo.TensorType:
		encodeTensor(e, t)
	case *stablehlo.TupleType:
		e.Varint(typeTuple)
		e.Types(t.Types)
	case *stablehlo.FutureType:
		e.Varint(typeFuture)
		e.Types(t.Types)
	case *stablehlo.UnrankedTensorType:
		e.Varint(typeUnranked)
		e.Type(t.Elem)
	case *stablehlo.MemRefType:
		if t.Layout != nil || t.MemorySpace != nil || t.Unranked {
			return false
		}
		e.Varint(typeBuffer)
		e.Int64s(t.Dims)
		e.Type(t.Elem)
	case *stablehlo.QuantizedType:
		return encodeQuantized(e, t)
	case *stablehlo.VectorType:
		return false
	default:
		return encodeSimple(e, t)
	}
	return true
}

func encodeSimple(e *bytecode.Encoder, t stablehlo.Type) bool {
	for code, s := range simpleTypes {
		if s == t {
			e.Varint(uint64(code))
			return true
		}
	}
	return false
}

func encodeTensor(e *bytecode.Encoder, t *stablehlo.TensorType) {
	e.Varint(typeTensor)
	if t.Encoding != nil {
		e.Reset()
		e.Varint(typeEncoded)
		e.Attr(t.Encoding)
	}
	e.Int64s(t.Dims)
	e.Type(t.Elem)
}

func encodeQuantized(e *bytecode.Encoder, q *stablehlo.QuantizedType) bool {
	perAxis := q.IsPerAxis()
	if q.BlockSizes != nil || (!perAxis && len(q.Scales) != 1) || len(q.Scales) != len(q.ZeroPoints) {
		return false
	}
	code, flags := uint64(typeQuantized), uint64(quantizedSigned)
	if perAxis {
		code = typePerAxis
	}
	if q.Storage.Sign == stablehlo.Unsigned {
		flags = 0
	}
	e.Varint(code)
	e.Varint(flags)
	e.Type(stablehlo.IntegerType{Width: q.Storage.Width, Sign: q.Storage.Sign})
	e.Type(q.Expressed)
	if !perAxis {
		writeF64(e, q.Scales[0])
		e.Signed(q.ZeroPoints[0])
		e.Signed(q.StorageMin)
		e.Signed(q.StorageMax)
		return true
	}
	e.Varint(uint64(q.Axes[0]))
	e.Signed(q.StorageMin)
	e.Signed(q.StorageMax)
	e.Varint(uint64(len(q.Scales)))
	for _, s := range q.Scales {
		writeF64(e, s)
	}
	e.Int64s(q.ZeroPoints)
	return true
}
