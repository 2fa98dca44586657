package bytecode

import (
	"sort"

	"github.com/goxla/xla/stablehlo"
)

// Decoder reads the body of one attribute or type, or the properties of an operation.
// After the first error all that it returns is zero.
type Decoder struct {
	cursor
	r     *reader
	depth int
	nodes int // of what was read, written out without sharing
}

func sortProps(list []Prop) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
}

// Failed reports whether there was an error.
func (d *Decoder) Failed() bool { return d.err != nil }

// Fail records an error at the current place, unless there is one.
func (d *Decoder) Fail(format string, args ...any) { d.fail(format, args...) }

// Varint reads an unsigned number.
func (d *Decoder) Varint() uint64 { return d.varint() }

// Signed reads a signed number.
func (d *Decoder) Signed() int64 { return d.signed() }

// Byte reads a byte.
func (d *Decoder) Byte() byte { return d.byte() }

// Bool reads a byte that is 0 or 1.
func (d *Decoder) Bool() bool {
	b := d.byte()
	if b > 1 {
		d.failAt(d.pos-1, "truth value: expected 0 or 1, got %d", b)
	}
	return b == 1
}

// Small reads an unsigned number of at most limit.
func (d *Decoder) Small(what string, limit int) int { return d.index(what, limit+1) }

// Count reads how many things follow, each at least one byte long.
func (d *Decoder) Count(what string) int { return d.count(what, 1) }

// Text reads the index of a string.
func (d *Decoder) Text() string {
	s := d.r.str(&d.cursor)
	return s
}

// Blob reads a length and as many bytes, a view of the file.
func (d *Decoder) Blob() []byte { return d.bytes(d.varint()) }

// Attr reads the index of an attribute; nil only after an error.
func (d *Decoder) Attr() stablehlo.Attribute {
	i := d.index("attribute", len(d.r.attrs))
	if d.err != nil {
		return nil
	}
	return d.attrAt(i)
}

func (d *Decoder) attrAt(i int) stablehlo.Attribute {
	e := &d.r.attrs[i]
	d.resolve(e, d.r.readAttr)
	return e.attr
}

// OptionalAttr reads a flag, and the index of an attribute if it is set; else nil.
func (d *Decoder) OptionalAttr() stablehlo.Attribute {
	v := d.varint()
	if d.err == nil && v&1 == 0 && v != 0 {
		d.fail("attribute that may be absent: expected 0 or an odd number, got %d", v)
	}
	if d.err != nil || v == 0 {
		return nil
	}
	if v >>= 1; v >= uint64(len(d.r.attrs)) {
		d.fail("attribute: %d is not in [0, %d)", v, len(d.r.attrs))
		return nil
	}
	return d.attrAt(int(v))
}

// Type reads the index of a type; nil only after an error.
func (d *Decoder) Type() stablehlo.Type {
	i := d.index("type", len(d.r.types))
	if d.err != nil {
		return nil
	}
	e := &d.r.types[i]
	d.resolve(e, d.r.readType)
	return e.typ
}

// resolve reads an entry of a table, once.
func (d *Decoder) resolve(e *entry, read func(*Decoder, *entry)) {
	if e.state != entryDone {
		d.resolveNew(e, read)
	} else if e.err != nil && d.err == nil {
		d.err, d.pos = e.err, d.end
	}
	d.nodes += e.nodes
	if d.err == nil && d.nodes > maxExpanded {
		d.fail("attribute or type has more than %d parts when written out", maxExpanded)
	}
}

func (d *Decoder) resolveNew(e *entry, read func(*Decoder, *entry)) {
	switch {
	case e.state == entryBusy:
		d.fail("attribute or type at offset %d holds itself", e.pos)
	case d.depth >= maxAttrDepth:
		d.fail("attributes or types are nested more than %d deep", maxAttrDepth)
	default:
		e.state = entryBusy
		inner := &Decoder{r: d.r, depth: d.depth + 1, nodes: 1}
		inner.cursor = cursor{data: d.data, pos: e.pos, end: e.pos + e.size, section: sectionAttrType.String()}
		read(inner, e)
		inner.done()
		e.state, e.nodes, e.err = entryDone, inner.nodes, inner.err
		if inner.err != nil && d.err == nil {
			d.err = inner.err
			d.pos = d.end
		}
	}
}

// String reads the index of an attribute that is a string, and returns the string.
func (d *Decoder) String() string {
	a := d.Attr()
	s, ok := a.(stablehlo.StringAttr)
	if !ok && d.err == nil {
		d.fail("expected a string attribute, got %s", brief(a))
	}
	return s.Value
}

// Location reads the index of an attribute that is a location.
func (d *Decoder) Location() stablehlo.Location {
	a := d.Attr()
	l, ok := a.(stablehlo.Location)
	if !ok && d.err == nil {
		d.fail("expected a location, got %s", brief(a))
	}
	return l
}

// Attrs reads a count and as many attributes.
func (d *Decoder) Attrs() []stablehlo.Attribute { return readList(d, "attributes", d.Attr) }

// Types reads a count and as many types.
func (d *Decoder) Types() []stablehlo.Type { return readList(d, "types", d.Type) }

// Int64s reads a count and as many signed numbers.
func (d *Decoder) Int64s() []int64 { return readList(d, "numbers", d.signed) }

// readList reads a count and as many elements; an empty list is nil.
func readList[T any](d *Decoder, what string, read func() T) []T {
	n := d.Count(what)
	if n == 0 {
		return nil
	}
	list := make([]T, 0, n)
	for range n {
		e := read()
		if d.err != nil {
			return nil
		}
		list = append(list, e)
	}
	return list
}

// Integer reads the bits of an integer of a width: those that fit into 64 bits, sign
// extended. A wider number must have that value too.
func (d *Decoder) Integer(width int) int64 {
	switch {
	case width <= 8:
		return int64(int8(d.byte()))
	case width <= 64:
		return d.signed()
	}
	n := d.Count("words")
	var low int64
	for i := range n {
		switch w := d.signed(); {
		case i == 0:
			low = w
		case d.err == nil && w != low>>63:
			d.fail("integer of %d bits: expected a value that fits into 64 bits", width)
		}
	}
	return low
}

// brief describes an attribute in an error.
func brief(a stablehlo.Attribute) string {
	if a == nil {
		return "nothing"
	}
	if d, ok := a.(*stablehlo.DenseElements); ok {
		return "a constant of type " + d.Type.String()
	}
	s := a.String()
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return s
}
