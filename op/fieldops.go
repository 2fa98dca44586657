package op

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// fieldOps is what the package can do with a field of one type. Arguments are pointers to it.
type fieldOps struct {
	zero  func(p any) bool               // holds the default
	text  func(dst []byte, p any) []byte // appends the value as HLO text
	equal func(p, q any) bool            // neither holds the default
	hash  func(h hasher, p any) hasher   //
}

// opsEntry is an entry of opsByType.
type opsEntry struct {
	typ reflect.Type
	ops *fieldOps
}

// opsOf makes the entry of type T. A nil equal compares by text, a nil hash hashes the text:
// for types of which no two different values have the same text.
func opsOf[T any](zero func(p *T) bool, text func(dst []byte, p *T) []byte,
	equal func(p, q *T) bool, hash func(h hasher, p *T) hasher) opsEntry {
	ops := &fieldOps{
		zero: func(p any) bool { return zero(p.(*T)) },
		text: func(dst []byte, p any) []byte { return text(dst, p.(*T)) },
	}
	ops.equal, ops.hash = ops.equalText, ops.hashText
	if equal != nil {
		ops.equal = func(p, q any) bool { return equal(p.(*T), q.(*T)) }
	}
	if hash != nil {
		ops.hash = func(h hasher, p any) hasher { return hash(h, p.(*T)) }
	}
	return opsEntry{reflect.TypeFor[T](), ops}
}

func (f *fieldOps) equalText(p, q any) bool { return bytes.Equal(f.text(nil, p), f.text(nil, q)) }

func (f *fieldOps) hashText(h hasher, p any) hasher { return h.bytes(f.text(nil, p)) }

// textOps makes the entry of a type that prints itself.
func textOps[T texter](zero func(p *T) bool) opsEntry {
	return opsOf(zero, func(dst []byte, p *T) []byte { return (*p).AppendText(dst) }, nil, nil)
}

// enumOps makes the entry of an enum.
func enumOps[T interface {
	~uint8
	String() string
}]() opsEntry {
	return opsOf(isZeroValue, func(dst []byte, p *T) []byte { return append(dst, (*p).String()...) },
		sameValue, func(h hasher, p *T) hasher { return h.int(int(*p)) })
}

// opsByType has an entry for every type that a field of an attribute struct may have.
var opsByType = collectOps(
	opsOf[int](isZeroValue, func(dst []byte, p *int) []byte { return appendInt(dst, *p) }, sameValue, hashInt),
	opsOf[bool](isZeroValue, func(dst []byte, p *bool) []byte { return appendBool(dst, *p) }, sameValue, hashBool),
	opsOf[string](isZeroValue, func(dst []byte, p *string) []byte { return AppendQuoted(dst, *p) }, sameValue,
		hashString),
	opsOf[Word](isZeroValue, func(dst []byte, p *Word) []byte { return append(dst, *p...) }, sameValue, hashString),
	opsOf[float32](isZeroValue, appendFloat32, sameValue, nil),
	opsOf[[]int](isEmpty, func(dst []byte, p *[]int) []byte { return appendInts(dst, *p) }, sameSlice, hashInts),
	opsOf[[][]int](isEmpty, appendIntLists, nil, nil),
	opsOf[[]bool](isNil, appendBools, sameSlice, nil),
	opsOf[[]Precision](isDefaultPrecision, appendPrecisions, sameSlice, nil),
	opsOf[[]OutputAliasing](isEmpty, appendAliasing, nil, nil),
	enumOps[TriState](),
	enumOps[Direction](),
	enumOps[ComparisonType](),
	enumOps[TransposeKind](),
	enumOps[FftType](),
	enumOps[Distribution](),
	enumOps[RngAlgorithm](),
	textOps[OptInt](isZeroValue),
	textOps[ResultAccuracy](isZeroValue),
	textOps(func(w *Window) bool { return w.Dims == nil }),
	textOps[Padding](isEmpty),
	textOps[SliceRanges](isEmpty),
	textOps(func(d *DimLabels) bool { return !d.Given }),
	textOps((*ReplicaGroups).isZero),
	textOps[*SparsityConfig](isZeroValue),
	textOps[*OperandLayouts](isZeroValue),
	textOps((*DomainSpec).isZero),
	opsOf(func(s *shape.Shape) bool { return s.Type == shape.Invalid }, appendShape, sameShape, nil),
	opsOf(func(l *literal.Literal) bool { return !l.IsValid() }, appendLiteral, sameLiteral, hashLiteral),
)

func collectOps(entries ...opsEntry) map[reflect.Type]*fieldOps {
	m := make(map[reflect.Type]*fieldOps, len(entries))
	for _, e := range entries {
		m[e.typ] = e.ops
	}
	return m
}

// texter is a kind that prints itself.
type texter interface{ AppendText(dst []byte) []byte }

func isZeroValue[T comparable](p *T) bool          { var zero T; return *p == zero }
func sameValue[T comparable](p, q *T) bool         { return *p == *q }
func isEmpty[S ~[]E, E any](p *S) bool             { return len(*p) == 0 }
func isNil[S ~[]E, E any](p *S) bool               { return *p == nil }
func sameSlice[S ~[]E, E comparable](p, q *S) bool { return slices.Equal(*p, *q) }
func hashInt(h hasher, p *int) hasher              { return h.int(*p) }
func hashInts(h hasher, p *[]int) hasher           { return h.ints(*p) }
func hashString[T ~string](h hasher, p *T) hasher  { return h.string(string(*p)) }
func hashBool(h hasher, p *bool) hasher            { return h.bool(*p) }
func appendFloat32(dst []byte, p *float32) []byte  { return AppendFloat(dst, float64(*p)) }
func appendIntLists(dst []byte, p *[][]int) []byte { return appendBraced(dst, *p, ",", appendInts) }
func appendBools(dst []byte, p *[]bool) []byte     { return appendBraced(dst, *p, ",", appendBool) }

func appendShape(dst []byte, s *shape.Shape) []byte { return s.AppendText(dst) }
func sameShape(s, t *shape.Shape) bool              { return s.Equal(*t) }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func isDefaultPrecision(p *[]Precision) bool {
	return !slices.ContainsFunc(*p, func(e Precision) bool { return e != PrecisionDefault })
}

func appendPrecisions(dst []byte, p *[]Precision) []byte {
	return appendBraced(dst, *p, ",", func(dst []byte, e Precision) []byte { return append(dst, e.String()...) })
}

func appendLiteral(dst []byte, l *literal.Literal) []byte { return l.AppendTextWithShape(dst) }

// sameLiteral compares shapes and bits; an elided value equals elided ones only.
func sameLiteral(a, b *literal.Literal) bool {
	return a.Shape().Equal(b.Shape()) && a.ElidedCount() == b.ElidedCount() && literal.Equal(*a, *b)
}

// hashLiteral takes the shape and, unless values are elided, the first bytes of each array.
func hashLiteral(h hasher, l *literal.Literal) hasher {
	h = h.bytes(l.Shape().AppendText(nil))
	if l.ElidedCount() > 0 {
		return h
	}
	for i := range l.Elems() {
		h = hashLiteral(h, &l.Elems()[i])
	}
	if !l.Shape().IsArray() {
		return h
	}
	data := l.Bytes()
	return h.bytes(data[:min(len(data), hashedLiteralBytes)])
}

// hashedLiteralBytes bounds what is hashed of an array.
const hashedLiteralBytes = 256
