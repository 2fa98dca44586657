package hlopb

import (
	"fmt"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// reader walks over the wire form. The first error ends it: from then on every
// method returns at once.
type reader struct {
	data []byte           // the whole program
	pos  int              // of the next byte
	end  int              // of the message that is being read
	num  protowire.Number // of the field that is being read
	typ  protowire.Type   // its wire type
	path []step           // to the field that is being read
	err  *Error

	schema  *schema
	depth   int
	unknown *[]byte // takes the fields that have no place; nil: they are dropped
	spent   spent

	payloads []string // of the module
}

// spent counts what short input can make long; see the limits.
type spent struct{ shardings, devices, gaps, modules int }

func (r *reader) ok() bool { return r.err == nil }

// fail reports an error at the next byte.
//
//go:noinline
func (r *reader) fail(format string, args ...any) { r.failAt(r.pos, format, args...) }

func (r *reader) failAt(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Offset: offset, Path: pathText(r.path), Err: fmt.Errorf(format, args...)}
	}
}

// fields calls read for each field up to the end of the message. What read does not
// know is skipped, and kept if that is wanted.
func (r *reader) fields(read func(num protowire.Number) bool) {
	for r.ok() && r.pos < r.end {
		start := r.pos
		num, typ, n := protowire.ConsumeTag(r.data[r.pos:r.end])
		if n < 0 {
			r.fail("expects the tag of a field: %w", protowire.ParseError(n))
			return
		}
		r.pos += n
		r.num, r.typ = num, typ
		if !read(num) {
			r.skip()
			r.keep(start)
		}
	}
}

// skip moves over the value of a field.
func (r *reader) skip() {
	n := protowire.ConsumeFieldValue(r.num, r.typ, r.data[r.pos:r.end])
	if n < 0 {
		r.fail("expects the value of field %d: %w", r.num, protowire.ParseError(n))
		return
	}
	r.pos += n
}

// keep keeps the bytes from start on as a field without a place.
func (r *reader) keep(start int) {
	if r.ok() && r.unknown != nil {
		*r.unknown = append(*r.unknown, r.data[start:r.pos]...)
	}
}

// within reads one field as part of the path.
func (r *reader) within(name string, read func()) {
	r.path = append(r.path, step{name, -1})
	read()
	r.path = r.path[:len(r.path)-1]
}

// at sets the place in a list that the field that is being read has.
func (r *reader) at(index int) { r.path[len(r.path)-1].index = index }

// is checks the wire type of the field.
func (r *reader) is(typ protowire.Type) bool {
	if r.ok() && r.typ != typ {
		r.fail("expects wire type %d, got %d", typ, r.typ)
	}
	return r.ok()
}

// chunk returns the bytes of a field that has its length in front. They are part of the program.
func (r *reader) chunk() []byte {
	if !r.is(protowire.BytesType) {
		return nil
	}
	b, n := protowire.ConsumeBytes(r.data[r.pos:r.end])
	if n < 0 {
		r.fail("expects a length and as many bytes: %w", protowire.ParseError(n))
		return nil
	}
	r.pos += n
	return b
}

// message reads a message: its length, and then by body what is in it.
func (r *reader) message(body func()) {
	b := r.chunk()
	if !r.ok() {
		return
	}
	r.inside(r.pos-len(b), r.pos, body)
}

// inside reads the part of the program from start to end as a message, and goes on
// where it was.
func (r *reader) inside(start, end int, body func()) {
	if r.depth++; r.depth > maxDepth {
		r.fail("expects at most %d messages in each other", maxDepth)
		return
	}
	outer, next := r.end, r.pos
	r.pos, r.end = start, end
	body()
	r.depth--
	r.end = outer
	if r.ok() {
		r.pos = next
	}
}

func (r *reader) varint() uint64 {
	if !r.is(protowire.VarintType) {
		return 0
	}
	return r.bareVarint()
}

func (r *reader) bareVarint() uint64 {
	v, n := protowire.ConsumeVarint(r.data[r.pos:r.end])
	if n < 0 {
		r.fail("expects a number: %w", protowire.ParseError(n))
		return 0
	}
	r.pos += n
	return v
}

// varints calls each for every number of a list, which is packed in one field or has
// one number in each.
func (r *reader) varints(each func(v uint64)) {
	if r.typ != protowire.BytesType {
		if v := r.varint(); r.ok() {
			each(v)
		}
		return
	}
	r.message(func() {
		for r.ok() && r.pos < r.end {
			if v := r.bareVarint(); r.ok() {
				each(v)
			}
		}
	})
}

func (r *reader) float32() float32 {
	if !r.is(protowire.Fixed32Type) {
		return 0
	}
	v, n := protowire.ConsumeFixed32(r.data[r.pos:r.end])
	if n < 0 {
		r.fail("expects 4 bytes: %w", protowire.ParseError(n))
		return 0
	}
	r.pos += n
	return math.Float32frombits(v)
}

func (r *reader) float64() float64 {
	if !r.is(protowire.Fixed64Type) {
		return 0
	}
	v, n := protowire.ConsumeFixed64(r.data[r.pos:r.end])
	if n < 0 {
		r.fail("expects 8 bytes: %w", protowire.ParseError(n))
		return 0
	}
	r.pos += n
	return math.Float64frombits(v)
}

// text reads a string, which must be UTF-8.
func (r *reader) text() string {
	b := r.chunk()
	if r.ok() && !utf8.Valid(b) {
		r.failAt(r.pos-len(b), "expects UTF-8 text, got %q", b[:min(len(b), 40)])
	}
	return string(b)
}
