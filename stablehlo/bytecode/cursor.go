package bytecode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// cursor reads a range of the file. After the first error it stands at its end and
// all that it returns is zero, so that callers check once.
type cursor struct {
	data     []byte // the whole file
	pos, end int
	section  string
	err      *Error
}

// fail records an error at the current place, unless there is one.
//
//go:noinline
func (c *cursor) fail(format string, args ...any) {
	c.failAt(c.pos, format, args...)
}

func (c *cursor) failAt(pos int, format string, args ...any) {
	if c.err == nil {
		c.err = &Error{Offset: pos, Section: c.section, Msg: fmt.Sprintf(format, args...)}
	}
	c.pos = c.end
}

func (c *cursor) left() int { return c.end - c.pos }

// need reports whether n more bytes are there.
func (c *cursor) need(n uint64, what string) bool {
	if c.err != nil {
		return false
	}
	if n > uint64(c.left()) {
		c.fail("%s: expected %d more bytes, got %d", what, n, c.left())
		return false
	}
	return true
}

func (c *cursor) byte() byte {
	if !c.need(1, "byte") {
		return 0
	}
	c.pos++
	return c.data[c.pos-1]
}

// bytes returns the next n bytes, a view of the file.
func (c *cursor) bytes(n uint64) []byte {
	if !c.need(n, "data") {
		return nil
	}
	c.pos += int(n)
	return c.data[c.pos-int(n) : c.pos : c.pos]
}

// varint reads an unsigned number.
func (c *cursor) varint() uint64 {
	if !c.need(1, "number") {
		return 0
	}
	first := c.data[c.pos]
	if first&1 == 1 {
		c.pos++
		return uint64(first >> 1)
	}
	n := bits.TrailingZeros8(first) + 1 // bytes in all; 9 for a first byte of zero
	if !c.need(uint64(n), "number") {
		return 0
	}
	var buf [16]byte
	copy(buf[:], c.data[c.pos:c.pos+n])
	c.pos += n
	if n == 9 {
		return binary.LittleEndian.Uint64(buf[1:])
	}
	return binary.LittleEndian.Uint64(buf[:]) >> n
}

// signed reads a number with its sign in the low bit.
func (c *cursor) signed() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads how many things follow, of which each takes at least size bytes of the
// rest of the range.
func (c *cursor) count(what string, size int) int {
	at := c.pos
	n := c.varint()
	if c.err == nil && n > uint64(c.left()/size) {
		c.failAt(at, "number of %s: %d do not fit into the %d bytes that are left", what, n, c.left())
		return 0
	}
	return int(n)
}

// index reads the number of one of n things.
func (c *cursor) index(what string, n int) int {
	at := c.pos
	i := c.varint()
	if c.err == nil && i >= uint64(n) {
		c.failAt(at, "%s: %d is not in [0, %d)", what, i, n)
	}
	if c.err != nil {
		return 0
	}
	return int(i)
}

// text reads up to a zero byte.
func (c *cursor) text() string {
	if c.err != nil {
		return ""
	}
	n := bytes.IndexByte(c.data[c.pos:c.end], 0)
	if n < 0 {
		c.fail("expected a zero byte at the end of a string")
		return ""
	}
	c.pos += n + 1
	return string(c.data[c.pos-n-1 : c.pos-1])
}

// align skips the padding up to a multiple of n.
func (c *cursor) align(n uint64) {
	if n == 0 || n > maxAlign || n&(n-1) != 0 {
		c.fail("alignment: expected a power of two up to %d, got %d", maxAlign, n)
		return
	}
	for c.err == nil && uint64(c.pos)%n != 0 {
		if b := c.byte(); c.err == nil && b != paddingByte {
			c.failAt(c.pos-1, "padding: expected %#x, got %#x", paddingByte, b)
		}
	}
}

// sub returns a cursor over the next n bytes and steps over them.
func (c *cursor) sub(n uint64, section string) cursor {
	if !c.need(n, "section "+section) {
		return cursor{data: c.data, pos: c.end, end: c.end, section: section, err: c.err}
	}
	c.pos += int(n)
	return cursor{data: c.data, pos: c.pos - int(n), end: c.pos, section: section}
}

// header reads the head of a section and returns its data.
func (c *cursor) header() (id sectionID, body cursor) {
	at := c.pos
	b := c.byte()
	n := c.varint()
	id = sectionID(b & 0x7f)
	if c.err == nil && id >= numSections {
		c.failAt(at, "section: expected a number below %d, got %d", numSections, id)
	}
	if b&0x80 != 0 {
		c.align(c.varint())
	}
	return id, c.sub(n, id.String())
}

// done records an error if bytes are left over.
func (c *cursor) done() {
	if c.err == nil && c.pos != c.end {
		c.fail("expected the end, got %d more bytes", c.left())
	}
}
