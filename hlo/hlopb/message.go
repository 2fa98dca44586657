package hlopb

import "google.golang.org/protobuf/encoding/protowire"

// The code of tables knows pointers to values only, which are the same to the machine: there is one copy of it for all.
type (
	kind[T any]    = kindAt[*T]
	field[T any]   = fieldOf[*T]
	message[T any] = messageAt[*T]
)

// kindAt says how what a P points to lies in a field.
type kindAt[P any] struct {
	// read reads one occurrence of the field: a later one of a single value replaces the
	// first, one of a list adds to it.
	read func(r *reader, p P)
	// write appends the field; nothing for a default. Nil: the field is only read.
	write func(w *writer, num protowire.Number, p P)
}

// fieldOf is a row of a message: a field and the place of its value in what a P points to.
type fieldOf[P any] struct {
	num  protowire.Number
	name string
	// pass reads the field by r into what t points to; without r it appends that of it by w.
	pass func(r *reader, w *writer, t P)
}

// messageAt is the table of a proto message that is held by what a P points to.
type messageAt[P any] struct {
	rows  []fieldOf[P]
	index [maxNumber + 1]uint8 // by field number: 1 + the row; 0: none
}

// maxNumber is the largest field number in a table.
const maxNumber = 100

// row makes the row of field num, called name, whose value lies at place as k says.
//
//go:noinline
func row[P, V any](num protowire.Number, name string, k kindAt[V], place func(t P) V) fieldOf[P] {
	return fieldOf[P]{num, name, func(r *reader, w *writer, t P) {
		if p := place(t); r != nil {
			k.read(r, p)
		} else if k.write != nil {
			k.write(w, num, p)
		}
	}}
}

// fill sets the rows of m, which are written in their order.
func (m *messageAt[P]) fill(rows ...fieldOf[P]) {
	m.rows = rows
	for i, f := range rows {
		m.index[f.num] = uint8(i + 1)
	}
}

// readField reads field num into t; false if there is no such row.
func (m *messageAt[P]) readField(r *reader, num protowire.Number, t P) bool {
	if num > maxNumber || m.index[num] == 0 {
		return false
	}
	f := &m.rows[m.index[num]-1]
	r.within(f.name, func() { f.pass(r, nil, t) })
	return true
}

// read reads the fields up to the end of the message into t.
//
//go:noinline
func (m *messageAt[P]) read(r *reader, t P) {
	r.fields(func(num protowire.Number) bool { return m.readField(r, num, t) })
}

// write appends the fields of t.
//
//go:noinline
func (m *messageAt[P]) write(w *writer, t P) {
	for i := range m.rows {
		m.rows[i].pass(nil, w, t)
	}
}

// single is the kind of a message that lies in a T itself. Fields of it that have no
// place are kept with those of the message around it: readers merge what comes twice.
//
//go:noinline
func single[P any](m *messageAt[P]) kindAt[P] {
	return kindAt[P]{
		read: func(r *reader, p P) { r.nested(func() { m.read(r, p) }) },
		write: func(w *writer, num protowire.Number, p P) {
			w.message(num, func() { m.write(w, p) })
		},
	}
}

// nested reads a message and keeps the fields without a place that it has as a message
// of those only.
func (r *reader) nested(body func()) {
	own, outer, num := []byte(nil), r.unknown, r.num
	if outer != nil {
		r.unknown = &own
	}
	r.message(body)
	r.unknown = outer
	if len(own) > 0 {
		*outer = protowire.AppendBytes(protowire.AppendTag(*outer, num, protowire.BytesType), own)
	}
}

// apart reads something whose fields without a place are dropped.
func (r *reader) apart(body func()) {
	outer := r.unknown
	r.unknown = nil
	body()
	r.unknown = outer
}

// optional is the kind of a message behind a pointer, nil where it is absent. It may be empty.
//
//go:noinline
func optional[T any](m *message[T]) kind[*T] {
	inner := single(m)
	return kind[*T]{
		read: func(r *reader, p **T) {
			if *p == nil {
				*p = new(T)
			}
			inner.read(r, *p)
		},
		write: func(w *writer, num protowire.Number, p **T) {
			if *p != nil {
				w.present(num, func() { m.write(w, *p) })
			}
		},
	}
}

// list is the kind of a list of messages, each with its own field.
//
//go:noinline
func list[T any](m *message[T]) kind[[]T] {
	return listOf(element(m))
}

// element is the kind of a message in a list.
//
//go:noinline
func element[P any](m *messageAt[P]) kindAt[P] {
	return kindAt[P]{
		read: func(r *reader, p P) { r.message(func() { m.read(r, p) }) },
		write: func(w *writer, num protowire.Number, p P) {
			w.present(num, func() { m.write(w, p) })
		},
	}
}

// listOf is the kind of a list whose elements are of kind k, which writes defaults too.
//
//go:noinline
func listOf[T any](k kind[T]) kind[[]T] {
	return kind[[]T]{
		read: func(r *reader, p *[]T) {
			r.at(len(*p))
			var e T
			r.apart(func() { k.read(r, &e) })
			if r.ok() {
				*p = append(*p, e)
			}
		},
		write: func(w *writer, num protowire.Number, p *[]T) {
			for i := range *p {
				k.write(w, num, &(*p)[i])
			}
		},
	}
}

// converted is the kind of a T that is held by the proto as an M.
func converted[T, M any](m *message[M], from func(r *reader, raw *M) T, to func(w *writer, v *T) M) kind[T] {
	return kind[T]{
		read: func(r *reader, p *T) {
			var raw M
			start := r.pos
			r.apart(func() {
				r.message(func() {
					if m.read(r, &raw); r.ok() {
						r.pos = start // an error in the conversion is one of the whole message
						*p = from(r, &raw)
					}
				})
			})
		},
		write: func(w *writer, num protowire.Number, p *T) {
			w.present(num, func() {
				raw := to(w, p)
				m.write(w, &raw)
			})
		},
	}
}
