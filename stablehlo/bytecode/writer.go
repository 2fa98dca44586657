package bytecode

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/goxla/xla/stablehlo"
)

// writer collects the tables of a file.
type writer struct {
	version  int
	producer string
	dialects dialects
	module   *stablehlo.Module
	err      error

	strings   []string
	stringIDs map[string]int
	names     []string // dialects
	attrs     table
	types     table
	blobs     map[blobID]int
	ops       []string // full names, by dialect
	opIDs     map[string]int
	props     table
	resources map[string]int // keys that attributes name, by their number
	values    map[*stablehlo.Value]int
	isolated  map[*stablehlo.Op]bool // operations whose regions use no value from outside
	trace     []int                  // numbers in tables, in the order in which emit needs them
}

// table is the table of attributes, of types or of properties.
type table struct {
	entries []written
	ids     map[string]int // by key
	order   []int          // the final number of an entry
}

// written is an entry of a table.
type written struct {
	dialect int
	custom  bool
	tokens  []token
	uses    int
}

// blobID tells a long blob.
type blobID struct {
	first *byte
	size  int
}

// keyBlob is the length up to which equal blobs are found by content.
const keyBlob = 1 << 12

// Write returns the file of a module whose operations and attributes are those of the
// builtin dialect and the dialects of o. version is that of the container, at most
// [MaxVersion]. It fails on an attribute or type that has no form in any of them.
func Write(f *File, o Options) ([]byte, error) {
	if f.Version < 0 || f.Version > MaxVersion {
		return nil, fmt.Errorf("bytecode: version of the container: expected at most %d, got %d", MaxVersion, f.Version)
	}
	w := &writer{version: f.Version, producer: f.Producer, module: f.Module}
	w.dialects = append(dialects{Builtin}, o.Dialects...)
	w.stringIDs, w.opIDs, w.blobs = map[string]int{}, map[string]int{}, map[blobID]int{}
	w.attrs.ids, w.types.ids, w.props.ids = map[string]int{}, map[string]int{}, map[string]int{}
	w.values, w.resources = map[*stablehlo.Value]int{}, map[string]int{}
	w.isolated = map[*stablehlo.Op]bool{}
	w.findIsolated(f.Module.Op, 0, map[*stablehlo.Value]int{})
	w.numberResources()
	w.collect(f.Module.Op)
	if w.err != nil {
		return nil, w.err
	}
	w.attrs.sort()
	w.types.sort()
	w.sortOps()
	return w.file(), nil
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("bytecode: "+format, args...)
	}
}

// str returns the number of a string.
func (w *writer) str(s string) int {
	id, ok := w.stringIDs[s]
	if !ok {
		id = len(w.strings)
		w.stringIDs[s] = id
		w.strings = append(w.strings, s)
	}
	return id
}

// dialect returns the number of a dialect.
func (w *writer) dialect(name string) int {
	i := slices.Index(w.names, name)
	if i < 0 {
		i = len(w.names)
		w.names = append(w.names, name)
		w.str(name)
	}
	return i
}

// attr returns the provisional number of an attribute, in the form of the preferred
// dialect if that has one, else of another, else as text.
func (w *writer) attr(a stablehlo.Attribute, preferred *Dialect) int {
	for _, d := range w.candidates(preferred) {
		e := &Encoder{w: w, dialect: d}
		if d.EncodeAttr != nil && d.EncodeAttr(e, a) {
			return w.attrs.add(w, d.Name, true, e)
		}
	}
	if o, ok := a.(stablehlo.OpaqueAttr); ok && (o.Dialect == identityMap || o.Dialect == "") {
		text := bytes.TrimPrefix(a.AppendText(nil), []byte{'#'})
		return w.attrs.add(w, builtinName, false, w.text(text))
	}
	if d := textDialect(a); d != "" {
		return w.attrs.add(w, d, false, w.text(a.AppendText(nil)))
	}
	w.fail("attribute %s has no form in bytecode", brief(a))
	return 0
}

// typ returns the provisional number of a type.
func (w *writer) typ(t stablehlo.Type, preferred *Dialect) int {
	for _, d := range w.candidates(preferred) {
		e := &Encoder{w: w, dialect: d}
		if d.EncodeType != nil && d.EncodeType(e, t) {
			return w.types.add(w, d.Name, true, e)
		}
	}
	switch o := t.(type) {
	case stablehlo.OpaqueType:
		return w.types.add(w, o.Dialect, false, w.text(t.AppendText(nil)))
	case *stablehlo.QuantizedType:
		return w.types.add(w, quantName, false, w.text(t.AppendText(nil)))
	}
	w.fail("type %s has no form in bytecode", t)
	return 0
}

// quantName is the dialect of quantized types, which has no form but text.
const quantName = "quant"

// textDialect returns the dialect of an attribute that may stand as text; "" if it may not.
func textDialect(a stablehlo.Attribute) string {
	switch a := a.(type) {
	case stablehlo.OpaqueAttr:
		return a.Dialect
	case stablehlo.EnumAttr:
		return a.Kind.Dialect
	case stablehlo.StructAttr:
		dialect, _ := splitName(a.StructName())
		return dialect
	}
	return ""
}

// builtin returns the builtin dialect, the first of the list.
func (w *writer) builtin() *Dialect { return w.dialects[0] }

// candidates returns the dialects in the order in which they are asked.
func (w *writer) candidates(preferred *Dialect) []*Dialect {
	list := []*Dialect{preferred}
	for _, d := range w.dialects {
		if d != preferred {
			list = append(list, d)
		}
	}
	return list
}

func (w *writer) text(text []byte) *Encoder {
	return &Encoder{w: w, tokens: []token{{kind: tokenText, blob: text}}}
}

func (w *writer) appendBlobKey(key, blob []byte) []byte {
	if len(blob) <= keyBlob {
		return append(binary.AppendUvarint(key, uint64(len(blob))<<1), blob...)
	}
	id := blobID{&blob[0], len(blob)}
	n, ok := w.blobs[id]
	if !ok {
		n = len(w.blobs)
		w.blobs[id] = n
	}
	return binary.AppendUvarint(key, uint64(n)<<1|1)
}

// add returns the provisional number of an entry.
func (t *table) add(w *writer, dialect string, custom bool, e *Encoder) int {
	d := w.dialect(dialect)
	key := e.key(d)
	id, ok := t.ids[key]
	if !ok {
		id = len(t.entries)
		t.ids[key] = id
		t.entries = append(t.entries, written{dialect: d, custom: custom, tokens: e.tokens})
	}
	t.entries[id].uses++
	return id
}

// sort puts the entries of a dialect together, and those that are used most first.
func (t *table) sort() {
	from := make([]int, len(t.entries)) // new place -> old
	for i := range from {
		from[i] = i
	}
	slices.SortStableFunc(from, func(a, b int) int {
		x, y := &t.entries[a], &t.entries[b]
		return cmp.Or(cmp.Compare(x.dialect, y.dialect), cmp.Compare(y.uses, x.uses))
	})
	t.order = make([]int, len(from))
	sorted := make([]written, len(from))
	for place, old := range from {
		t.order[old] = place
		sorted[place] = t.entries[old]
	}
	t.entries = sorted
}

// sortOps puts the names of operations of a dialect together.
func (w *writer) sortOps() {
	sort.SliceStable(w.ops, func(a, b int) bool { return w.dialectOf(w.ops[a]) < w.dialectOf(w.ops[b]) })
	for i, name := range w.ops {
		w.opIDs[name] = i
	}
}

func (w *writer) dialectOf(op string) int {
	dialect, _ := splitName(op)
	return w.dialect(dialect)
}

// append appends tokens with the final numbers of the tables.
func (w *writer) append(dst []byte, tokens []token) []byte {
	for _, t := range tokens {
		switch t.kind {
		case tokenByte:
			dst = append(dst, byte(t.value))
		case tokenBlob:
			dst = append(appendVarint(dst, uint64(len(t.blob))), t.blob...)
		case tokenText:
			dst = append(append(dst, t.blob...), 0)
		case tokenAttr:
			dst = appendVarint(dst, uint64(w.attrs.order[t.value]))
		case tokenOptional:
			dst = appendVarint(dst, uint64(w.attrs.order[t.value])<<1|1)
		case tokenType:
			dst = appendVarint(dst, uint64(w.types.order[t.value]))
		default:
			dst = appendVarint(dst, t.value)
		}
	}
	return dst
}
