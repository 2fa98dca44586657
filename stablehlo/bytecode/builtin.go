package bytecode

import (
	"math"
	"sort"

	"github.com/goxla/xla/stablehlo"
)

// builtinName is the name of the builtin dialect.
const builtinName = "builtin"

// Builtin is the builtin dialect of MLIR, which each file may use.
var Builtin = &Dialect{
	Name: builtinName,
	Attrs: []func(*Decoder) stablehlo.Attribute{
		builtinArray:         readArray,
		builtinDict:          readDictionary,
		builtinString:        func(d *Decoder) stablehlo.Attribute { return stablehlo.StringAttr{Value: d.Text()} },
		builtinTypedString:   readTypedString,
		builtinFlatSymbol:    func(d *Decoder) stablehlo.Attribute { return &stablehlo.SymbolRef{Root: d.String()} },
		builtinSymbol:        readSymbol,
		builtinType:          func(d *Decoder) stablehlo.Attribute { return stablehlo.TypeAttr{Type: d.Type()} },
		builtinUnit:          func(*Decoder) stablehlo.Attribute { return stablehlo.UnitAttr{} },
		builtinInteger:       func(d *Decoder) stablehlo.Attribute { return d.IntegerAttr(d.Type()) },
		builtinFloat:         func(d *Decoder) stablehlo.Attribute { return d.FloatAttr(d.Type()) },
		builtinCallSite:      readCallSite,
		builtinFileLoc:       readFileLoc,
		builtinFused:         readFused,
		builtinFusedMeta:     readFusedMeta,
		builtinNameLoc:       readNameLoc,
		builtinUnknownLoc:    func(*Decoder) stablehlo.Attribute { return stablehlo.UnknownLoc{} },
		builtinDenseResource: readDenseResource,
		builtinDenseArray:    readDenseArray,
		builtinDense:         func(d *Decoder) stablehlo.Attribute { return d.Dense(d.Type()) },
		builtinDenseStrings:  readDenseStrings,
		builtinSparse:        readSparse,
		builtinDistinct:      nil, // has no meaning outside debug information
		builtinFileRange:     readFileRange,
	},
	Types: []func(*Decoder) stablehlo.Type{
		builtinIntegerType:    readIntegerType,
		builtinIndexType:      constType(stablehlo.IndexType{}),
		builtinFunctionType:   readFunctionType,
		builtinBF16:           constType(stablehlo.BF16),
		builtinF16:            constType(stablehlo.F16),
		builtinF32:            constType(stablehlo.F32),
		builtinF64:            constType(stablehlo.F64),
		builtinF80:            constType(stablehlo.F80),
		builtinF128:           constType(stablehlo.F128),
		builtinComplex:        func(d *Decoder) stablehlo.Type { return &stablehlo.ComplexType{Elem: d.Type()} },
		builtinMemRef:         func(d *Decoder) stablehlo.Type { return readMemRef(d, false) },
		builtinMemRefSpace:    func(d *Decoder) stablehlo.Type { return readMemRef(d, true) },
		builtinNone:           constType(stablehlo.NoneType{}),
		builtinTensor:         func(d *Decoder) stablehlo.Type { return d.Tensor(nil) },
		builtinTensorEncoding: func(d *Decoder) stablehlo.Type { return d.Tensor(d.Attr()) },
		builtinTuple:          func(d *Decoder) stablehlo.Type { return &stablehlo.TupleType{Types: d.Types()} },
		builtinUnrankedMemRef: func(d *Decoder) stablehlo.Type {
			return &stablehlo.MemRefType{Elem: d.Type(), Unranked: true}
		},
		builtinUnrankedMemRefSpace: func(d *Decoder) stablehlo.Type {
			return &stablehlo.MemRefType{MemorySpace: d.Attr(), Elem: d.Type(), Unranked: true}
		},
		builtinUnrankedTensor: func(d *Decoder) stablehlo.Type { return &stablehlo.UnrankedTensorType{Elem: d.Type()} },
		builtinVector:         readVector,
		builtinScalableVector: readScalableVector,
		builtinTF32:           constType(stablehlo.TF32),
		builtinF8E5M2:         constType(stablehlo.F8E5M2),
		builtinF8E4M3:         constType(stablehlo.F8E4M3),
		builtinF8E4M3FN:       constType(stablehlo.F8E4M3FN),
		builtinF8E5M2FNUZ:     constType(stablehlo.F8E5M2FNUZ),
		builtinF8E4M3FNUZ:     constType(stablehlo.F8E4M3FNUZ),
		builtinF8E4M3B11FNUZ:  constType(stablehlo.F8E4M3B11FNUZ),
		builtinF8E3M4:         constType(stablehlo.F8E3M4),
		builtinF4E2M1FN:       constType(stablehlo.F4E2M1FN),
		builtinF6E2M3FN:       constType(stablehlo.F6E2M3FN),
		builtinF6E3M2FN:       constType(stablehlo.F6E3M2FN),
		builtinF8E8M0FNU:      constType(stablehlo.F8E8M0FNU),
	},
	Props:      moduleProps,
	EncodeAttr: encodeBuiltinAttr,
	EncodeType: encodeBuiltinType,
}

// The codes of attributes.
const (
	builtinArray = iota
	builtinDict
	builtinString
	builtinTypedString
	builtinFlatSymbol
	builtinSymbol
	builtinType
	builtinUnit
	builtinInteger
	builtinFloat
	builtinCallSite
	builtinFileLoc
	builtinFused
	builtinFusedMeta
	builtinNameLoc
	builtinUnknownLoc
	builtinDenseResource
	builtinDenseArray
	builtinDense
	builtinDenseStrings
	builtinSparse
	builtinDistinct
	builtinFileRange
)

// The codes of types.
const (
	builtinIntegerType = iota
	builtinIndexType
	builtinFunctionType
	builtinBF16
	builtinF16
	builtinF32
	builtinF64
	builtinF80
	builtinF128
	builtinComplex
	builtinMemRef
	builtinMemRefSpace
	builtinNone
	builtinTensor
	builtinTensorEncoding
	builtinTuple
	builtinUnrankedMemRef
	builtinUnrankedMemRefSpace
	builtinUnrankedTensor
	builtinVector
	builtinScalableVector
	builtinTF32
	builtinF8E5M2
	builtinF8E4M3
	builtinF8E4M3FN
	builtinF8E5M2FNUZ
	builtinF8E4M3FNUZ
	builtinF8E4M3B11FNUZ
	builtinF8E3M4
	builtinF4E2M1FN
	builtinF6E2M3FN
	builtinF6E3M2FN
	builtinF8E8M0FNU
)

// moduleProps: of the builtin operations the module has inherent attributes.
func moduleProps(op string) ([]Prop, bool) { return TableProps("builtin." + op) }

func constType(t stablehlo.Type) func(*Decoder) stablehlo.Type {
	return func(*Decoder) stablehlo.Type { return t }
}

func readArray(d *Decoder) stablehlo.Attribute { return &stablehlo.ArrayAttr{Elems: d.Attrs()} }

func readDictionary(d *Decoder) stablehlo.Attribute {
	return d.Dict(readList(d, "entries", func() stablehlo.NamedAttribute {
		return stablehlo.NamedAttribute{Name: d.String(), Value: d.Attr()}
	}))
}

// Dict returns a dictionary of entries with different names, which it sorts.
func (d *Decoder) Dict(entries []stablehlo.NamedAttribute) stablehlo.Attribute {
	sort.SliceStable(entries, func(a, b int) bool { return entries[a].Name < entries[b].Name })
	for i := 1; i < len(entries); i++ {
		if entries[i].Name == entries[i-1].Name {
			d.fail("dictionary: expected different names, got %q twice", entries[i].Name)
		}
	}
	return &stablehlo.DictAttr{Entries: entries}
}

func readTypedString(d *Decoder) stablehlo.Attribute {
	return stablehlo.StringAttr{Value: d.Text(), Type: d.Type()}
}

func readSymbol(d *Decoder) stablehlo.Attribute {
	s := &stablehlo.SymbolRef{Root: d.String()}
	for _, a := range d.Attrs() {
		nested, ok := a.(*stablehlo.SymbolRef)
		if !ok || len(nested.Nested) > 0 {
			d.fail("symbol: expected a flat symbol inside, got %s", brief(a))
			return nil
		}
		s.Nested = append(s.Nested, nested.Root)
	}
	return s
}

// IntegerAttr reads the bits of an integer of type t.
func (d *Decoder) IntegerAttr(t stablehlo.Type) stablehlo.Attribute {
	switch t := t.(type) {
	case stablehlo.IndexType:
		return stablehlo.IntegerAttr{Value: d.Integer(64), Type: t}
	case stablehlo.IntegerType:
		return stablehlo.IntegerAttr{Value: extend(d.Integer(t.Width), t), Type: t}
	}
	if d.err == nil {
		d.fail("expected an integer type, got %s", t)
	}
	return nil
}

// extend gives the low bits of v the sign that type t says.
func extend(v int64, t stablehlo.IntegerType) int64 {
	if t.Width >= 64 || t.Width <= 0 {
		return v
	}
	shift := 64 - t.Width
	if t.Sign == stablehlo.Unsigned || t.Width == 1 {
		return int64(uint64(v) << shift >> shift)
	}
	return v << shift >> shift
}

// FloatAttr reads the bits of a number of floating-point type t.
func (d *Decoder) FloatAttr(t stablehlo.Type) stablehlo.Attribute {
	f, ok := t.(stablehlo.FloatType)
	if !ok || f.Bits() > 64 {
		if d.err == nil {
			d.fail("expected a floating-point type of at most 64 bits, got %s", t)
		}
		return nil
	}
	bits := uint64(d.Integer(f.Bits()))
	if f.Bits() < 64 {
		bits &= 1<<f.Bits() - 1
	}
	return stablehlo.FloatAttr{Bits: bits, Type: f}
}

func readCallSite(d *Decoder) stablehlo.Attribute {
	return &stablehlo.CallSiteLoc{Callee: d.Location(), Caller: d.Location()}
}

// line reads the number of a line or column.
func (d *Decoder) line() int { return d.Small("line or column", math.MaxInt32) }

func readFileLoc(d *Decoder) stablehlo.Attribute {
	return &stablehlo.FileLoc{File: d.String(), Line: d.line(), Col: d.line()}
}

// readFileRange reads a range of a file: its numbers are start line, start column, end
// line and end column; what is missing at the end equals the start.
func readFileRange(d *Decoder) stablehlo.Attribute {
	l := &stablehlo.FileLoc{File: d.String()}
	at := d.pos
	n := readList(d, "numbers", d.line)
	switch len(n) {
	case 4:
		l.Line, l.Col, l.EndLine, l.EndCol, l.Range = n[0], n[1], n[2], n[3], true
	case 3:
		l.Line, l.Col, l.EndLine, l.EndCol, l.Range = n[0], n[1], n[0], n[2], true
	case 2:
		l.Line, l.Col = n[0], n[1]
	case 1:
		l.Line = n[0]
	case 0:
	default:
		d.failAt(at, "range of a file: expected at most 4 numbers, got %d", len(n))
	}
	return l
}

func readFused(d *Decoder) stablehlo.Attribute {
	return &stablehlo.FusedLoc{Locs: readList(d, "locations", d.Location)}
}

func readFusedMeta(d *Decoder) stablehlo.Attribute {
	return &stablehlo.FusedLoc{Locs: readList(d, "locations", d.Location), Metadata: d.Attr()}
}

func readNameLoc(d *Decoder) stablehlo.Attribute {
	l := &stablehlo.NameLoc{Name: d.String(), Child: d.Location()}
	if _, unknown := l.Child.(stablehlo.UnknownLoc); unknown {
		l.Child = nil
	}
	return l
}
