package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/shape"
)

// number is the kind of an int64 field.
//
//go:noinline
func number() kind[int] {
	return kind[int]{
		read: func(r *reader, p *int) { *p = int(int64(r.varint())) },
		write: func(w *writer, num protowire.Number, p *int) {
			if *p != 0 {
				w.varint(num, uint64(*p))
			}
		},
	}
}

// number32 is the kind of an int32 field, which reads as its low 32 bits.
func number32() kind[int] {
	k := number()
	k.read = func(r *reader, p *int) { *p = int(int32(r.varint())) }
	return k
}

// count is the kind of a number of groups, where 0 means 1.
func count() kind[int] {
	return kind[int]{
		read:  number().read,
		write: func(w *writer, num protowire.Number, p *int) { w.varint(num, uint64(max(*p, 1))) },
	}
}

// flag is the kind of a bool field.
//
//go:noinline
func flag() kind[bool] {
	return kind[bool]{
		read: func(r *reader, p *bool) { *p = r.varint() != 0 },
		write: func(w *writer, num protowire.Number, p *bool) {
			if *p {
				w.varint(num, 1)
			}
		},
	}
}

// text is the kind of a string field.
//
//go:noinline
func text() kind[string] {
	return kind[string]{
		read: func(r *reader, p *string) { *p = r.text() },
		write: func(w *writer, num protowire.Number, p *string) {
			if *p != "" {
				w.text(num, *p)
			}
		},
	}
}

// texts is the kind of a list of strings, which may be empty.
func texts() kind[[]string] {
	k := text()
	k.write = func(w *writer, num protowire.Number, p *string) { w.text(num, *p) }
	return listOf(k)
}

// octets is the kind of a bytes field.
func octets() kind[string] {
	return kind[string]{
		read: func(r *reader, p *string) { *p = string(r.chunk()) },
		write: func(w *writer, num protowire.Number, p *string) {
			if *p != "" {
				w.raw(num, *p)
			}
		},
	}
}

func single32() kind[float32] {
	return kind[float32]{
		read: func(r *reader, p *float32) { *p = r.float32() },
		write: func(w *writer, num protowire.Number, p *float32) {
			if *p != 0 {
				w.float32(num, *p)
			}
		},
	}
}

func double() kind[float64] {
	return kind[float64]{
		read: func(r *reader, p *float64) { *p = r.float64() },
		write: func(w *writer, num protowire.Number, p *float64) {
			if *p != 0 {
				w.float64(num, *p)
			}
		},
	}
}

// numbers is the kind of a list of int64.
//
//go:noinline
func numbers() kind[[]int] {
	return kind[[]int]{
		read: func(r *reader, p *[]int) { r.varints(func(v uint64) { *p = append(*p, int(int64(v))) }) },
		write: func(w *writer, num protowire.Number, p *[]int) {
			w.packed(num, len(*p), func(i int) uint64 { return uint64((*p)[i]) })
		},
	}
}

// flags is the kind of a list of bool.
func flags() kind[[]bool] {
	return kind[[]bool]{
		read: func(r *reader, p *[]bool) { r.varints(func(v uint64) { *p = append(*p, v != 0) }) },
		write: func(w *writer, num protowire.Number, p *[]bool) {
			w.packed(num, len(*p), func(i int) uint64 { return protowire.EncodeBool((*p)[i]) })
		},
	}
}

// named is an enum whose values spell themselves, "invalid" or "" where there is none.
type named interface {
	~uint8
	String() string
}

// enum is the kind of an enum whose numbers are those of T below limit.
//
//go:noinline
func enum[T named](limit T) kind[T] {
	return kind[T]{
		read: func(r *reader, p *T) { *p = enumValue(r, limit, r.varint()) },
		write: func(w *writer, num protowire.Number, p *T) {
			if *p != 0 {
				w.varint(num, uint64(*p))
			}
		},
	}
}

func enumValue[T named](r *reader, limit T, v uint64) T {
	if r.ok() && v >= uint64(limit) {
		r.fail("expects a number in [0, %d), got %d", limit, v)
		return 0
	}
	return T(v)
}

// enums is the kind of a list of such an enum.
func enums[T named](limit T) kind[[]T] {
	return kind[[]T]{
		read: func(r *reader, p *[]T) {
			r.varints(func(v uint64) { *p = append(*p, enumValue(r, limit, v)) })
		},
		write: func(w *writer, num protowire.Number, p *[]T) {
			w.packed(num, len(*p), func(i int) uint64 { return uint64((*p)[i]) })
		},
	}
}

// elementType is the kind of a PrimitiveType, whose numbers package shape has.
func elementType() kind[shape.ElementType] { return enum[shape.ElementType](shape.NumElementTypes) }
