package hlopb

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// rawLiteral is a LiteralProto: the elements in physical order, in the bytes of
// package literal, of the type whose field they were in.
type rawLiteral struct {
	shape   shape.Shape
	typ     shape.ElementType // Invalid: there are no elements
	data    []byte            // it may be a part of the program
	elems   []rawLiteral
	dynamic []int
	value   *literal.Literal // when writing: what data and typ stand for
}

// literalRow says in which field the elements of a type are, and how.
type literalRow struct {
	num   protowire.Number
	name  string
	typ   shape.ElementType
	codec func(t shape.ElementType) kind[rawLiteral]
}

// literalRows are the fields of elements. Types of less than a byte have a byte each.
var literalRows = []literalRow{
	{2, "preds", shape.Pred, varintElements},
	{3, "u8s", shape.U8, byteElements},
	{4, "s32s", shape.S32, varintElements},
	{5, "s64s", shape.S64, varintElements},
	{6, "u32s", shape.U32, varintElements},
	{7, "u64s", shape.U64, varintElements},
	{8, "f32s", shape.F32, fixedElements},
	{9, "f64s", shape.F64, fixedElements},
	{11, "f16s", shape.F16, byteElements},
	{12, "c64s", shape.C64, fixedElements},
	{13, "bf16s", shape.BF16, byteElements},
	{15, "s8s", shape.S8, byteElements},
	{16, "u16s", shape.U16, byteElements},
	{17, "s16s", shape.S16, byteElements},
	{18, "c128s", shape.C128, fixedElements},
	{19, "f8e5m2s", shape.F8E5M2, byteElements},
	{20, "f8e4m3fns", shape.F8E4M3FN, byteElements},
	{21, "s4s", shape.S4, byteElements},
	{22, "u4s", shape.U4, byteElements},
	{23, "f8e4m3b11fnuzs", shape.F8E4M3B11FNUZ, byteElements},
	{24, "f8e5m2fnuzs", shape.F8E5M2FNUZ, byteElements},
	{25, "f8e4m3fnuzs", shape.F8E4M3FNUZ, byteElements},
	{26, "s2s", shape.S2, byteElements},
	{27, "u2s", shape.U2, byteElements},
	{28, "f8e4m3s", shape.F8E4M3, byteElements},
	{29, "f8e3m4s", shape.F8E3M4, byteElements},
	{30, "s1s", shape.S1, byteElements},
	{31, "u1s", shape.U1, byteElements},
	{32, "f4e2m1fns", shape.F4E2M1FN, byteElements},
	{33, "f8e8m0fnus", shape.F8E8M0FNU, byteElements},
	{35, "f6e3m2fns", shape.F6E3M2FN, byteElements},
	{36, "f6e2m3fns", shape.F6E2M3FN, byteElements},
}

func (s *schema) fillLiterals() {
	self := func(t *rawLiteral) *rawLiteral { return t }
	rows := []field[rawLiteral]{
		row(1, "shape", s.shapes(), func(t *rawLiteral) *shape.Shape { return &t.shape }),
	}
	for _, l := range literalRows {
		rows = append(rows, row(l.num, l.name, l.codec(l.typ), self))
	}
	rows = append(rows,
		row(10, "tuple_literals", list(&s.literal), func(t *rawLiteral) *[]rawLiteral { return &t.elems }),
		row(34, "dynamic_sizes", numbers(), func(t *rawLiteral) *[]int { return &t.dynamic }),
	)
	s.literal.fill(rows...)
}

// take notes that elements of type t come, and reports whether they may.
func (l *rawLiteral) take(r *reader, t shape.ElementType) bool {
	if l.typ != shape.Invalid && l.typ != t {
		r.fail("expects elements of one type, got some of %v and of %v", l.typ, t)
	}
	l.typ = t
	return r.ok()
}

// add adds elements; the first ones are not copied.
func (l *rawLiteral) add(b []byte) {
	if l.data == nil {
		l.data = b[:len(b):len(b)]
		return
	}
	l.data = append(l.data, b...)
}

// holds reports whether elements of type t are to be written.
func (l *rawLiteral) holds(t shape.ElementType) bool {
	return l.value != nil && l.value.Type() == t && l.value.Len() > 0
}

// byteElements is the kind of elements that lie in a bytes field as they are in memory.
func byteElements(t shape.ElementType) kind[rawLiteral] {
	mask := byte(0xff)
	if t.Bits() < 8 {
		mask = 1<<t.Bits() - 1
	}
	return kind[rawLiteral]{
		read: func(r *reader, l *rawLiteral) {
			if b := r.chunk(); l.take(r, t) {
				l.add(b)
			}
		},
		write: func(w *writer, num protowire.Number, l *rawLiteral) {
			if !l.holds(t) || !w.room(l.value.Len()*t.ByteSize()) {
				return
			}
			w.present(num, func() {
				start := len(w.dst)
				w.dst = append(w.dst, l.value.Bytes()...)
				for i := start; i < len(w.dst) && mask != 0xff; i++ {
					w.dst[i] &= mask
				}
			})
		},
	}
}

// fixedElements is the kind of floating-point numbers, whose packed form is that in memory.
func fixedElements(t shape.ElementType) kind[rawLiteral] {
	return kind[rawLiteral]{
		read: func(r *reader, l *rawLiteral) {
			if !l.take(r, t) {
				return
			}
			switch {
			case r.typ == protowire.BytesType:
				l.add(r.chunk())
			case t.Component() == shape.F32:
				l.data = binary.LittleEndian.AppendUint32(l.data, math.Float32bits(r.float32()))
			default:
				l.data = binary.LittleEndian.AppendUint64(l.data, math.Float64bits(r.float64()))
			}
		},
		write: func(w *writer, num protowire.Number, l *rawLiteral) {
			if l.holds(t) && w.room(l.value.Len()*t.ByteSize()) {
				w.present(num, func() { w.dst = append(w.dst, l.value.Bytes()...) })
			}
		},
	}
}

// varintElements is the kind of integers of 32 and 64 bits and of pred.
func varintElements(t shape.ElementType) kind[rawLiteral] {
	return kind[rawLiteral]{
		read: func(r *reader, l *rawLiteral) {
			if l.take(r, t) {
				r.varints(func(v uint64) { l.data = appendElement(l.data, t, v) })
			}
		},
		write: func(w *writer, num protowire.Number, l *rawLiteral) {
			if !l.holds(t) || !w.room(l.value.Len()) {
				return
			}
			data := l.value.Bytes()
			w.packed(num, l.value.Len(), func(i int) uint64 { return elementAt(data, t, i) })
		},
	}
}

func appendElement(dst []byte, t shape.ElementType, v uint64) []byte {
	switch t.ByteSize() {
	case 1:
		return append(dst, byte(protowire.EncodeBool(v != 0)))
	case 4:
		return binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(dst, v)
}

// elementAt returns element i as a varint has it: negative numbers of 32 bits with their sign in 64.
func elementAt(data []byte, t shape.ElementType, i int) uint64 {
	switch t.ByteSize() {
	case 1:
		return uint64(data[i])
	case 4:
		v := binary.LittleEndian.Uint32(data[4*i:])
		if t.IsSigned() {
			return uint64(int32(v))
		}
		return uint64(v)
	}
	return binary.LittleEndian.Uint64(data[8*i:])
}

// literals is the kind of a literal.
func (s *schema) literals() kind[literal.Literal] {
	return converted(&s.literal, func(r *reader, raw *rawLiteral) literal.Literal {
		return raw.literal(r, raw.shape)
	}, func(_ *writer, l *literal.Literal) rawLiteral { return rawOf(l) })
}

// literal returns the literal of shape s, which is that of raw but for properties of the layout.
func (l *rawLiteral) literal(r *reader, s shape.Shape) literal.Literal {
	switch {
	case s.IsTuple():
		return l.tuple(r, s)
	case s.Type == shape.Token:
		return literal.New(s)
	case !s.IsArray():
		r.fail("expects a literal of arrays, got %v", s)
		return literal.Literal{}
	}
	if err := literal.CheckSize(s); err != nil {
		r.fail("%w", err)
		return literal.Literal{}
	}
	n, size := s.Size(), s.Type.ByteSize()
	switch {
	case l.typ != s.Type && len(l.data) > 0:
		r.fail("expects elements of %v, got some of %v", s.Type, l.typ)
	case len(l.data) != n*size:
		r.fail("expects %d elements of %d bytes for %v, got %d bytes", n, size, s, len(l.data))
	case len(l.dynamic) > 0 && !fullSize(l.dynamic, s.Dims):
		r.fail("expects a literal of the size of its shape %v, got sizes %v", s, l.dynamic)
	}
	if !r.ok() {
		return literal.Literal{}
	}
	out := literal.New(s)
	data := out.Bytes()
	copy(data, l.data)
	if bits := s.Type.Bits(); bits < 8 {
		widen(data, bits, s.Type.IsSigned())
	}
	return out
}

// fullSize reports whether the sizes that a literal of dynamic shape has are its bounds.
func fullSize(sizes, bounds []int) bool {
	for i, n := range sizes {
		if n != 0 && (i >= len(bounds) || n != bounds[i]) {
			return false
		}
	}
	return true
}

// widen extends the low bits of each byte to all of it.
func widen(data []byte, bits int, signed bool) {
	for i, b := range data {
		b <<= 8 - bits
		if signed {
			data[i] = byte(int8(b) >> (8 - bits))
		} else {
			data[i] = b >> (8 - bits)
		}
	}
}

func (l *rawLiteral) tuple(r *reader, s shape.Shape) literal.Literal {
	if len(l.elems) != len(s.Elems) {
		r.fail("expects %d elements for %v, got %d", len(s.Elems), s, len(l.elems))
		return literal.Literal{}
	}
	elems := make([]literal.Literal, len(s.Elems))
	for i := range elems {
		if e := &l.elems[i]; sameOrder(e.shape, s.Elems[i]) {
			elems[i] = e.literal(r, s.Elems[i])
		} else {
			r.fail("expects a literal of shape %v, got %v", s.Elems[i], e.shape)
		}
	}
	if !r.ok() {
		return literal.Literal{}
	}
	return literal.MakeTuple(elems...)
}

// sameOrder reports whether two shapes are equal but for properties of layouts other
// than the order of the dimensions.
func sameOrder(a, b shape.Shape) bool { return orderOnly(a).Equal(orderOnly(b)) }

func orderOnly(s shape.Shape) shape.Shape {
	if s.Layout != nil {
		s.Layout = (&shape.Layout{MinorToMajor: s.Layout.MinorToMajor}).Normalize()
	}
	if len(s.Elems) > 0 {
		elems := make([]shape.Shape, len(s.Elems))
		for i, e := range s.Elems {
			elems[i] = orderOnly(e)
		}
		s.Elems = elems
	}
	return s
}

// rawOf returns l as the proto has it.
func rawOf(l *literal.Literal) rawLiteral {
	raw := rawLiteral{shape: l.Shape()}
	if l.Shape().IsTuple() {
		elems := l.Elems()
		raw.elems = make([]rawLiteral, len(elems))
		for i := range elems {
			raw.elems[i] = rawOf(&elems[i])
		}
		return raw
	}
	if l.Shape().IsArray() {
		raw.value = l
	}
	return raw
}
