package bytecode

import (
	"github.com/goxla/xla/stablehlo"
)

// File is what a bytecode file holds.
type File struct {
	Version  int    // of the container
	Producer string // the program that wrote it: "StableHLO_v1.9.3"
	Module   *stablehlo.Module
}

// Options are what [Read] and [Write] need to know beyond the builtin dialect.
type Options struct {
	// Dialects are the further dialects. What belongs to any other dialect is read
	// where it stands as text, as an opaque attribute or type.
	Dialects []*Dialect
}

// IsBytecode reports whether data begins as a bytecode file does.
func IsBytecode(data []byte) bool {
	return len(data) >= len(Magic) && string(data[:len(Magic)]) == Magic
}

// reader holds the tables of a file.
type reader struct {
	data     []byte
	version  int
	dialects dialects
	sections [numSections]cursor
	present  [numSections]bool

	strings   []string
	names     []string // of the dialects
	ops       []opName
	attrs     []entry
	types     []entry
	resources []string // keys of the dialects' resources, which attributes refer to
	props     []span
	module    *stablehlo.Module
}

// opName is an operation of the table of names.
type opName struct {
	dialect, name string
	full          string
	info          *stablehlo.OpInfo
	props         [][]Prop // the forms that they may have
	hasProps      bool     // props is known
}

// entry is a place of the table of attributes or of types.
type entry struct {
	dialect   int
	pos, size int
	custom    bool // in the form of the dialect; else text
	state     entryState
	nodes     int
	attr      stablehlo.Attribute
	typ       stablehlo.Type
	err       *Error // what was wrong with it
}

type entryState uint8

const (
	entryNew entryState = iota
	entryBusy
	entryDone
)

// span is a range of the file.
type span struct{ pos, end int }

// Read reads a bytecode file. Constants of the module are views of data, which must
// not be changed afterwards. Errors are of type *[Error].
func Read(data []byte, o Options) (*File, error) {
	r := &reader{data: data, module: &stablehlo.Module{}}
	r.dialects = append(dialects{Builtin}, o.Dialects...)
	f, err := r.read()
	if err != nil {
		return nil, err
	}
	return f, nil
}

// read reads the sections in the order in which they depend on each other.
func (r *reader) read() (*File, *Error) {
	c := cursor{data: r.data, end: len(r.data), section: "header"}
	producer := r.readHeader(&c)
	r.findSections(&c)
	if c.err != nil {
		return nil, c.err
	}
	for _, step := range []struct {
		id   sectionID
		read func(*cursor)
	}{
		{sectionString, r.readStrings},
		{sectionDialect, r.readDialects},
		{sectionAttrTypeOffset, r.readOffsets},
		{sectionProperties, r.readPropertyTable},
		{sectionResourceOffset, r.readResources},
		{sectionIR, r.readIR},
	} {
		section := r.sections[step.id]
		if !r.present[step.id] {
			continue
		}
		step.read(&section)
		section.done()
		if section.err != nil {
			return nil, section.err
		}
	}
	return &File{Version: r.version, Producer: producer, Module: r.module}, nil
}

// readHeader reads what stands before the sections.
func (r *reader) readHeader(c *cursor) (producer string) {
	if !IsBytecode(r.data) {
		c.fail("expected a bytecode file, which begins with %q", Magic)
		return ""
	}
	c.pos = len(Magic)
	r.version = int(min(c.varint(), 1<<30))
	if r.version > MaxVersion {
		c.failAt(len(Magic), "version of the container: expected at most %d, got %d", MaxVersion, r.version)
	}
	return c.text()
}

// findSections notes where the sections are.
func (r *reader) findSections(c *cursor) {
	for c.err == nil && c.left() > 0 {
		at := c.pos
		id, body := c.header()
		if c.err == nil && r.present[id] {
			c.failAt(at, "section %s: expected one, got a second one", id)
		}
		if c.err == nil {
			r.sections[id], r.present[id] = body, true
		}
	}
	for _, id := range []sectionID{sectionString, sectionDialect, sectionAttrType, sectionAttrTypeOffset, sectionIR} {
		if !r.present[id] {
			c.fail("section %s: expected one, got none", id)
		}
	}
}

// readStrings reads the table of strings: the sizes, last string first, then the text.
func (r *reader) readStrings(c *cursor) {
	n := c.count("strings", 2)
	r.strings = make([]string, n)
	end := c.end
	for i := n - 1; i >= 0 && c.err == nil; i-- {
		at := c.pos
		size := c.varint()
		room := max(end-c.pos, 0) // between the sizes and the strings after this one
		switch {
		case c.err != nil:
		case size == 0 || size > uint64(room):
			c.failAt(at, "size of string %d: expected a number in [1, %d], got %d", i, room, size)
		case c.data[end-1] != 0:
			c.failAt(end-1, "string %d: expected a zero byte at its end", i)
		default:
			end -= int(size)
			r.strings[i] = string(c.data[end : end+int(size)-1])
		}
	}
	if c.err == nil && c.pos != end {
		c.fail("expected the first string here, got it at offset %d", end)
	}
	c.pos = c.end
}

// str reads the index of a string.
func (r *reader) str(c *cursor) string {
	i := c.index("string", len(r.strings))
	if c.err != nil {
		return ""
	}
	return r.strings[i]
}

// readDialects reads the names of the dialects and of the operations.
func (r *reader) readDialects(c *cursor) {
	n := c.count("dialects", 1)
	for range n {
		if c.err != nil {
			return
		}
		r.names = append(r.names, r.readDialect(c))
	}
	if r.version >= versionLocations {
		c.varint() // the number of operations, which the groups give too
	}
	for c.err == nil && c.left() > 0 {
		r.readOpNames(c)
	}
}

// readDialect reads a dialect's name and skips its version.
func (r *reader) readDialect(c *cursor) string {
	at := c.pos
	v := c.varint()
	versioned := false
	if r.version >= versionDialects {
		versioned = v&1 == 1
		v >>= 1
	}
	if c.err == nil && v >= uint64(len(r.strings)) {
		c.failAt(at, "name of a dialect: %d is not in [0, %d)", v, len(r.strings))
	}
	if c.err != nil {
		return ""
	}
	if versioned {
		c.header()
	}
	return r.strings[v]
}

// readOpNames reads the operations of one dialect.
func (r *reader) readOpNames(c *cursor) {
	dialect := c.index("dialect", len(r.names))
	n := c.count("names of operations", 1)
	for range n {
		at := c.pos
		v := c.varint()
		if r.version >= versionProperties {
			v >>= 1 // a flag: the operation was known to the writer
		}
		if c.err == nil && v >= uint64(len(r.strings)) {
			c.failAt(at, "name of an operation: %d is not in [0, %d)", v, len(r.strings))
		}
		if c.err != nil {
			return
		}
		o := opName{dialect: r.names[dialect], name: r.strings[v]}
		o.full = o.dialect + "." + o.name
		if o.dialect == "" || o.name == "" {
			o.full = o.dialect + o.name
		}
		o.info = stablehlo.Lookup(o.full)
		var newest []Prop
		newest, o.hasProps = r.dialects.props(o.dialect, o.name)
		o.props = variants(o.full, newest)
		r.ops = append(r.ops, o)
	}
}

// readOffsets reads where the attributes and types stand in their section.
func (r *reader) readOffsets(c *cursor) {
	attrs, types := c.count("attributes", 1), c.count("types", 1)
	if c.err == nil && attrs+types > c.left() {
		c.fail("number of attributes and types: %d do not fit into %d bytes", attrs+types, c.left())
	}
	if c.err != nil {
		return
	}
	body := r.sections[sectionAttrType]
	r.attrs = r.readEntries(c, &body, attrs)
	r.types = r.readEntries(c, &body, types)
	if c.err == nil && body.left() > 0 {
		c.fail("expected attributes and types of %d bytes, got %d", body.pos-body.end+body.left(), body.left())
	}
}

// readEntries reads n entries, in groups of one dialect.
func (r *reader) readEntries(c, body *cursor, n int) []entry {
	list := make([]entry, 0, n)
	for c.err == nil && len(list) < n {
		dialect := c.index("dialect", len(r.names))
		at := c.pos
		group := c.count("entries", 1)
		if c.err == nil && (group == 0 || group > n-len(list)) {
			c.failAt(at, "number of entries: expected one in [1, %d], got %d", n-len(list), group)
		}
		for i := 0; i < group && c.err == nil; i++ {
			at := c.pos
			v := c.varint()
			if size := v >> 1; c.err == nil && size > uint64(body.left()) {
				c.failAt(at, "size of an attribute or type: expected at most %d, got %d", body.left(), size)
			} else {
				list = append(list, entry{dialect: dialect, pos: body.pos, size: int(size), custom: v&1 == 1})
				body.pos += int(size)
			}
		}
	}
	return list
}

// readPropertyTable reads where the properties of operations stand.
func (r *reader) readPropertyTable(c *cursor) {
	n := c.count("properties", 1)
	for i := 0; i < n && c.err == nil; i++ {
		size := c.varint()
		blob := c.sub(size, c.section)
		r.props = append(r.props, span{blob.pos, blob.end})
	}
}
