package bytecode

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// encodeBuiltinAttr writes an attribute of the builtin dialect.
func encodeBuiltinAttr(e *Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case stablehlo.UnitAttr:
		e.Varint(builtinUnit)
	case stablehlo.TypeAttr:
		e.Varint(builtinType)
		e.Type(a.Type)
	case stablehlo.StringAttr:
		if a.Type == nil {
			e.Varint(builtinString)
			e.Text(a.Value)
			break
		}
		e.Varint(builtinTypedString)
		e.Text(a.Value)
		e.Type(a.Type)
	case stablehlo.IntegerAttr:
		e.Varint(builtinInteger)
		e.Type(a.Type)
		e.IntegerOf(a)
	case stablehlo.FloatAttr:
		e.Varint(builtinFloat)
		e.Type(a.Type)
		e.FloatOf(a)
	case *stablehlo.ArrayAttr:
		e.Varint(builtinArray)
		e.Attrs(a.Elems)
	case *stablehlo.DictAttr:
		e.Varint(builtinDict)
		e.entries(a.Entries)
	case *stablehlo.SymbolRef:
		encodeSymbol(e, a)
	default:
		return encodeData(e, a) || encodeLocation(e, a)
	}
	return true
}

// entries writes the names and values of a dictionary.
func (e *Encoder) entries(list []stablehlo.NamedAttribute) {
	e.Varint(uint64(len(list)))
	for _, entry := range list {
		e.BuiltinAttr(stablehlo.StringAttr{Value: entry.Name})
		e.Attr(entry.Value)
	}
}

// IntegerOf writes the bits of an integer attribute.
func (e *Encoder) IntegerOf(a stablehlo.IntegerAttr) {
	width := 64
	if t, ok := a.Type.(stablehlo.IntegerType); ok {
		width = t.Width
	}
	e.Integer(a.Value, width)
}

// FloatOf writes the bits of a floating-point attribute.
func (e *Encoder) FloatOf(a stablehlo.FloatAttr) {
	f, _ := a.Type.(stablehlo.FloatType)
	e.Integer(int64(a.Bits), f.Bits())
}

func encodeSymbol(e *Encoder, a *stablehlo.SymbolRef) {
	root := stablehlo.StringAttr{Value: a.Root}
	if len(a.Nested) == 0 {
		e.Varint(builtinFlatSymbol)
		e.BuiltinAttr(root)
		return
	}
	e.Varint(builtinSymbol)
	e.BuiltinAttr(root)
	e.Varint(uint64(len(a.Nested)))
	for _, name := range a.Nested {
		e.BuiltinAttr(stablehlo.Symbol(name))
	}
}

// encodeData writes an attribute that holds data.
func encodeData(e *Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case *stablehlo.DenseElements:
		e.Varint(builtinDense)
		e.Type(a.Type)
		e.Dense(a)
	case *stablehlo.DenseArrayAttr:
		e.Varint(builtinDenseArray)
		e.Type(a.Elem)
		e.Varint(uint64(a.Len()))
		e.Blob(a.Data)
	case *stablehlo.DenseResource:
		id, ok := e.w.resources[a.Key]
		if !ok {
			return false
		}
		e.Varint(builtinDenseResource)
		e.Type(a.Type)
		e.Varint(uint64(id))
	case *stablehlo.DenseStrings:
		e.Varint(builtinDenseStrings)
		e.Type(a.Type)
		splat := uint64(0)
		if a.Splat {
			splat = 1
		}
		e.Varint(splat)
		for _, s := range a.Values {
			e.Text(s)
		}
	case *stablehlo.SparseElements:
		e.Varint(builtinSparse)
		e.Type(a.Type)
		e.Attr(a.Indices)
		e.Attr(a.Values)
	default:
		return false
	}
	return true
}

// encodeLocation writes a location.
func encodeLocation(e *Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case stablehlo.UnknownLoc:
		e.Varint(builtinUnknownLoc)
	case *stablehlo.FileLoc:
		encodeFileLoc(e, a)
	case *stablehlo.NameLoc:
		e.Varint(builtinNameLoc)
		e.BuiltinAttr(stablehlo.StringAttr{Value: a.Name})
		e.BuiltinAttr(location(a.Child))
	case *stablehlo.CallSiteLoc:
		e.Varint(builtinCallSite)
		e.BuiltinAttr(location(a.Callee))
		e.BuiltinAttr(location(a.Caller))
	case *stablehlo.FusedLoc:
		code := uint64(builtinFused)
		if a.Metadata != nil {
			code = builtinFusedMeta
		}
		e.Varint(code)
		e.Varint(uint64(len(a.Locs)))
		for _, l := range a.Locs {
			e.BuiltinAttr(location(l))
		}
		if a.Metadata != nil {
			e.BuiltinAttr(a.Metadata)
		}
	default:
		return false
	}
	return true
}

func encodeFileLoc(e *Encoder, l *stablehlo.FileLoc) {
	numbers := []int{l.Line, l.Col, l.EndLine, l.EndCol}
	e.Varint(builtinFileLoc)
	if l.Range {
		e.tokens = e.tokens[:0]
		e.Varint(builtinFileRange)
	}
	e.BuiltinAttr(stablehlo.StringAttr{Value: l.File})
	if !l.Range {
		numbers = numbers[:2]
	} else {
		e.Varint(uint64(len(numbers)))
	}
	for _, n := range numbers {
		e.Varint(uint64(n))
	}
}

// floatCodes are the codes of the floating-point types that have one.
var floatCodes = map[stablehlo.FloatType]uint64{
	stablehlo.BF16: builtinBF16, stablehlo.F16: builtinF16, stablehlo.F32: builtinF32, stablehlo.F64: builtinF64,
	stablehlo.F80: builtinF80, stablehlo.F128: builtinF128, stablehlo.TF32: builtinTF32,
	stablehlo.F8E5M2: builtinF8E5M2, stablehlo.F8E4M3: builtinF8E4M3, stablehlo.F8E4M3FN: builtinF8E4M3FN,
	stablehlo.F8E5M2FNUZ: builtinF8E5M2FNUZ, stablehlo.F8E4M3FNUZ: builtinF8E4M3FNUZ,
	stablehlo.F8E4M3B11FNUZ: builtinF8E4M3B11FNUZ, stablehlo.F8E3M4: builtinF8E3M4,
	stablehlo.F4E2M1FN: builtinF4E2M1FN, stablehlo.F6E2M3FN: builtinF6E2M3FN,
	stablehlo.F6E3M2FN: builtinF6E3M2FN, stablehlo.F8E8M0FNU: builtinF8E8M0FNU,
}

// encodeBuiltinType writes a type of the builtin dialect.
func encodeBuiltinType(e *Encoder, t stablehlo.Type) bool {
	switch t := t.(type) {
	case stablehlo.IntegerType:
		e.Varint(builtinIntegerType)
		e.Varint(uint64(t.Width)<<2 | uint64(t.Sign))
	case stablehlo.FloatType:
		code, ok := floatCodes[t]
		if !ok {
			return false
		}
		e.Varint(code)
	case stablehlo.IndexType:
		e.Varint(builtinIndexType)
	case stablehlo.NoneType:
		e.Varint(builtinNone)
	case *stablehlo.ComplexType:
		e.Varint(builtinComplex)
		e.Type(t.Elem)
	case *stablehlo.FunctionType:
		e.Varint(builtinFunctionType)
		e.Types(t.Inputs)
		e.Types(t.Results)
	case *stablehlo.TupleType:
		e.Varint(builtinTuple)
		e.Types(t.Types)
	default:
		return encodeShaped(e, t)
	}
	return true
}

// encodeShaped writes the type of a tensor or vector.
func encodeShaped(e *Encoder, t stablehlo.Type) bool {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		if t.Encoding == nil {
			e.Varint(builtinTensor)
		} else {
			e.Varint(builtinTensorEncoding)
			e.Attr(t.Encoding)
		}
		e.Int64s(t.Dims)
		e.Type(t.Elem)
	case *stablehlo.UnrankedTensorType:
		e.Varint(builtinUnrankedTensor)
		e.Type(t.Elem)
	case *stablehlo.VectorType:
		if t.Scalable == nil {
			e.Varint(builtinVector)
		} else {
			e.Varint(builtinScalableVector)
			e.Varint(uint64(len(t.Scalable)))
			for _, s := range t.Scalable {
				e.Bool(s)
			}
		}
		e.Int64s(t.Dims)
		e.Type(t.Elem)
	case *stablehlo.MemRefType:
		encodeMemRef(e, t)
	default:
		return false
	}
	return true
}

// encodeMemRef writes the type of a buffer.
func encodeMemRef(e *Encoder, t *stablehlo.MemRefType) {
	code := uint64(builtinMemRef)
	if t.Unranked {
		code = builtinUnrankedMemRef
	}
	if t.MemorySpace == nil {
		e.Varint(code)
	} else {
		e.Varint(code + 1) // the same with a memory space
		e.Attr(t.MemorySpace)
	}
	if t.Unranked {
		e.Type(t.Elem)
		return
	}
	e.Int64s(t.Dims)
	e.Type(t.Elem)
	layout := t.Layout
	if layout == nil {
		layout = rowMajor(len(t.Dims))
	}
	e.Attr(layout)
}

// rowMajor returns affine_map<(d0, d1) -> (d0, d1)>.
func rowMajor(rank int) stablehlo.Attribute {
	names := make([]string, rank)
	for i := range names {
		names[i] = "d" + strconv.Itoa(i)
	}
	list := "(" + strings.Join(names, ", ") + ")"
	return stablehlo.OpaqueAttr{Dialect: identityMap, Body: list + " -> " + list, Angle: true}
}
