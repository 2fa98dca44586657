package hlopb

import (
	"reflect"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/op"
)

// attributeRow says in which field of HloInstructionProto an attribute lies. An
// attribute may have several rows: fields that hold parts of it, or other forms of it.
type attributeRow struct {
	attr     string       // name in HLO text
	typ      reflect.Type // of the attribute; rows of other types do not apply
	path     []protowire.Number
	names    []string // of the fields in path
	owners   []op.Attrs
	required bool // the first field of path must be there
	codec    codec
}

// codec is a kind whose type is told by a row. Its functions take pointers to it.
type codec struct {
	read  func(r *reader, p any)
	write func(w *writer, num protowire.Number, p any) // nil: the field is only read
	// absent sets the value that stands for no field, where that is not zero; it may be nil.
	absent func(p any)
}

// attribute makes the row of an attribute that lies in field num, called name.
//
//go:noinline
func attribute[P any](attr string, num protowire.Number, name string, k kindAt[P]) attributeRow {
	c := codec{read: func(r *reader, p any) { k.read(r, p.(P)) }}
	if k.write != nil {
		c.write = func(w *writer, num protowire.Number, p any) { k.write(w, num, p.(P)) }
	}
	return attributeRow{attr: attr, typ: reflect.TypeFor[P]().Elem(), path: []protowire.Number{num},
		names: []string{name}, codec: c}
}

// in puts the field of a into message num, called name.
//
//go:noinline
func (a attributeRow) in(num protowire.Number, name string) attributeRow {
	a.path = append([]protowire.Number{num}, a.path...)
	a.names = append([]string{name}, a.names...)
	return a
}

// of restricts a to the attributes of some operations, for which other rows do not count.
//
//go:noinline
func (a attributeRow) of(owners ...op.Attrs) attributeRow {
	a.owners = owners
	return a
}

// must makes a one whose field has to be there.
//
//go:noinline
func (a attributeRow) must() attributeRow {
	a.required = true
	return a
}

// absent makes v the value of a where the field is absent.
func absent[T any](v T, a attributeRow) attributeRow {
	a.codec.absent = func(p any) { *p.(*T) = v }
	return a
}

// node is a field of HloInstructionProto as an operation uses it: one that holds an
// attribute, or a message of such. The root is HloInstructionProto itself.
type node struct {
	num      protowire.Number
	name     string
	required bool
	field    op.Field
	codec    codec
	inner    []*node // by number; nil for an attribute
}

// child returns the field num of n, or nil.
func (n *node) child(num protowire.Number) *node {
	for _, c := range n.inner {
		if c.num == num {
			return c
		}
	}
	return nil
}

// fillOperations makes the nodes of each opcode from the rows.
func (s *schema) fillOperations() {
	rows := s.attributeRows()
	s.operations = map[op.Code]*node{}
	byType := map[reflect.Type]*node{}
	for c := range op.Code(op.NumCodes) {
		attrs := c.Info().Attrs
		if attrs == nil {
			s.operations[c] = &node{}
			continue
		}
		t := reflect.TypeOf(attrs)
		if byType[t] == nil {
			byType[t] = makeNode(attrs, rows)
		}
		s.operations[c] = byType[t]
	}
}

func makeNode(attrs op.Attrs, rows []attributeRow) *node {
	root := &node{}
	for _, f := range op.Plan(attrs) {
		for _, a := range rowsOf(f, attrs, rows) {
			at := root
			for depth, num := range a.path {
				next := at.child(num)
				if next == nil {
					next = &node{num: num, name: a.names[depth]}
					at.inner = append(at.inner, next)
					slices.SortStableFunc(at.inner, func(x, y *node) int { return int(x.num - y.num) })
				}
				next.required = next.required || a.required && depth == 0
				at = next
			}
			at.field, at.codec = f, a.codec
		}
	}
	return root
}

// rowsOf returns the rows of the field f of attrs: those for attrs, or else those for all.
func rowsOf(f op.Field, attrs op.Attrs, rows []attributeRow) []attributeRow {
	var own, general []attributeRow
	for _, a := range rows {
		switch {
		case a.attr != f.Name || a.typ != f.Type:
		case len(a.owners) == 0:
			general = append(general, a)
		case slices.Contains(a.owners, attrs):
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		return own
	}
	return general
}

// attribute reads field num of n into a; false if n has no such field.
func (r *reader) attribute(n *node, num protowire.Number, a op.Attrs) bool {
	c := n.child(num)
	if c == nil {
		return false
	}
	r.within(c.name, func() {
		if c.codec.read != nil {
			c.codec.read(r, c.field.Pointer(a))
			return
		}
		r.nested(func() {
			r.fields(func(num protowire.Number) bool { return r.attribute(c, num, a) })
		})
	})
	return true
}

// setAbsent sets what the attributes below n are without a field.
func (n *node) setAbsent(a op.Attrs) {
	if n.codec.absent != nil {
		n.codec.absent(n.field.Pointer(a))
	}
	for _, c := range n.inner {
		c.setAbsent(a)
	}
}

// attributes appends the fields of n.
func (w *writer) attributes(n *node, a op.Attrs) {
	for _, c := range n.inner {
		switch {
		case c.codec.write != nil:
			c.codec.write(w, c.num, c.field.Pointer(a))
		case c.inner == nil:
		case c.required:
			w.present(c.num, func() { w.attributes(c, a) })
		default:
			w.message(c.num, func() { w.attributes(c, a) })
		}
	}
}
