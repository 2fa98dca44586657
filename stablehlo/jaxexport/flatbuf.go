package jaxexport

import (
	"encoding/binary"
	"fmt"
)

// Error says what is wrong with a file and where.
type Error struct {
	Offset int    // of the byte in the file
	Field  string // the part of the table that is being read
	Msg    string
}

// Error returns "offset 12 (0xc), field in_tree: message".
func (e *Error) Error() string {
	return fmt.Sprintf("offset %d (%#x), field %s: %s", e.Offset, e.Offset, e.Field, e.Msg)
}

// maxDepth is how deep tables may be nested.
const maxDepth = 200

// walker reads a FlatBuffers file. After the first error all that it returns is zero.
type walker struct {
	data   []byte
	budget int // of tables and elements that may still be read: no more than bytes
	depth  int
	field  string
	err    *Error
}

// table is a table of the file: a list of fields, each of which may be absent.
type table struct {
	w           *walker
	pos         int // of the table
	vtable, end int // of the list of offsets of the fields
}

// vector is a list of numbers or of offsets.
type vector struct {
	w   *walker
	pos int // of the first element
	n   int
}

func (w *walker) fail(pos int, format string, args ...any) {
	if w.err == nil {
		w.err = &Error{Offset: pos, Field: w.field, Msg: fmt.Sprintf(format, args...)}
	}
}

// has reports whether n bytes stand at pos.
func (w *walker) has(pos, n int) bool {
	if w.err == nil && (pos < 0 || n < 0 || pos > len(w.data) || n > len(w.data)-pos) {
		w.fail(max(min(pos, len(w.data)), 0), "expected %d bytes here, got the end of the file", n)
	}
	return w.err == nil
}

func (w *walker) u16(pos int) int {
	if !w.has(pos, 2) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(w.data[pos:]))
}

func (w *walker) u32(pos int) uint32 {
	if !w.has(pos, 4) {
		return 0
	}
	return binary.LittleEndian.Uint32(w.data[pos:])
}

// follow returns the place that the offset at pos leads to.
func (w *walker) follow(pos int) int {
	v := w.u32(pos)
	if w.err == nil && int64(v) > int64(len(w.data)-pos) {
		w.fail(pos, "offset %d leads past the end of the file", v)
	}
	return pos + int(v)
}

// spend takes n from the budget.
func (w *walker) spend(pos, n int) bool {
	if w.err == nil && n > w.budget {
		w.fail(pos, "expected no more parts than the file has bytes")
	}
	if w.err != nil {
		return false
	}
	w.budget -= n
	return true
}

// tableAt returns the table at pos.
func (w *walker) tableAt(pos int) table {
	t := table{w: w, pos: pos}
	if !w.spend(pos, 1) {
		return t
	}
	back := int(int32(w.u32(pos)))
	t.vtable = pos - back
	size := w.u16(t.vtable)
	if w.err == nil && (size < 4 || size%2 != 0 || !w.has(t.vtable, size)) {
		w.fail(pos, "expected a table, got one with a list of fields of %d bytes", size)
	}
	t.end = t.vtable + size
	return t
}

// at returns the place of the i-th field, 0 if it is absent.
func (t table) at(i int) int {
	slot := t.vtable + 4 + 2*i
	if t.w.err != nil || slot+2 > t.end {
		return 0
	}
	v := t.w.u16(slot)
	if v == 0 {
		return 0
	}
	return t.pos + v
}

func (t table) byte(i int) int {
	if p := t.at(i); p != 0 && t.w.has(p, 1) {
		return int(t.w.data[p])
	}
	return 0
}

func (t table) u16(i int) int {
	if p := t.at(i); p != 0 {
		return t.w.u16(p)
	}
	return 0
}

func (t table) u32(i int) uint32 {
	if p := t.at(i); p != 0 {
		return t.w.u32(p)
	}
	return 0
}

// table returns a field that is a table; ok is false if it is absent.
func (t table) table(i int) (inner table, ok bool) {
	p := t.at(i)
	if p == 0 {
		return table{}, false
	}
	inner = t.w.tableAt(t.w.follow(p))
	return inner, t.w.err == nil
}

// vector returns a field that is a list of elements of size bytes; an absent one is empty.
func (t table) vector(i, size int) vector {
	p := t.at(i)
	if p == 0 {
		return vector{}
	}
	pos := t.w.follow(p)
	n := t.w.u32(pos)
	if t.w.err == nil && uint64(n)*uint64(size) > uint64(len(t.w.data)-pos-4) {
		t.w.fail(pos, "list of %d elements leads past the end of the file", n)
	}
	if t.w.err != nil {
		return vector{}
	}
	return vector{w: t.w, pos: pos + 4, n: int(n)}
}

// bytes returns a field that is a list of bytes, a view of the file, and its place.
func (t table) bytes(i int) (data []byte, pos int) {
	v := t.vector(i, 1)
	if v.n == 0 {
		return nil, 0
	}
	return t.w.data[v.pos : v.pos+v.n : v.pos+v.n], v.pos
}

// text returns a field that is a string.
func (t table) text(i int) string {
	data, _ := t.bytes(i)
	return string(data)
}

// each returns what f makes of the elements of a list of tables.
func each[T any](v vector, f func(table) T) []T {
	var list []T
	for i := 0; i < v.n && v.w.err == nil; i++ {
		list = append(list, f(v.w.tableAt(v.w.follow(v.pos+4*i))))
	}
	return list
}

// texts returns a list of strings.
func (t table) texts(i int) []string {
	v := t.vector(i, 4)
	var list []string
	for k := 0; k < v.n && v.w.err == nil; k++ {
		pos := v.w.follow(v.pos + 4*k)
		n := v.w.u32(pos)
		if uint64(n) > uint64(len(v.w.data)) || !v.w.has(pos+4, int(n)) || !v.w.spend(pos, 1+int(n)) {
			break
		}
		list = append(list, string(v.w.data[pos+4:pos+4+int(n)]))
	}
	return list
}

// numbers returns a list of unsigned numbers of size bytes.
func (t table) numbers(i, size int) []int {
	v := t.vector(i, size)
	var list []int
	for k := range v.n {
		n := 0
		for b := size - 1; b >= 0; b-- {
			n = n<<8 | int(v.w.data[v.pos+size*k+b])
		}
		list = append(list, n)
	}
	return list
}
