package bytecode

import (
	"sort"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// splitName takes the name of an operation apart: what stands before the first dot is
// the dialect.
func splitName(full string) (dialect, name string) {
	dialect, name, ok := strings.Cut(full, ".")
	if !ok {
		return "", full
	}
	return dialect, name
}

// numberResources gives the blobs of dialects the numbers by which attributes refer to
// them.
func (w *writer) numberResources() {
	for _, r := range w.module.Resources {
		if r.Section != "dialect_resources" {
			continue
		}
		w.dialect(r.Owner)
		if r.Owner == builtinName {
			w.resources[r.Key] = len(w.resources)
		}
	}
}

// collect enters all that an operation refers to into the tables, and notes their
// numbers in the order in which emit needs them.
func (w *writer) collect(o *stablehlo.Op) {
	dialect, name := splitName(o.Name)
	w.dialect(dialect)
	if _, ok := w.opIDs[o.Name]; !ok {
		w.opIDs[o.Name] = -1
		w.ops = append(w.ops, o.Name)
		w.str(name)
	}
	d := w.preferred(o)
	w.note(w.attr(location(o.Loc), w.builtin()))
	if entries := w.dictionary(o); len(entries) > 0 {
		w.note(w.attrs.add(w, builtinName, true, w.encodeDict(entries, d)))
	}
	if e := w.properties(o, d); e != nil {
		w.note(w.props.add(w, builtinName, true, e))
	}
	for _, v := range o.Results {
		w.note(w.typ(v.Type, d))
	}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, v := range b.Args {
				w.note(w.typ(v.Type, d))
				w.note(w.attr(location(v.Loc), w.builtin()))
			}
			for _, child := range b.Ops {
				w.collect(child)
			}
		}
	}
}

// note keeps a number for emit.
func (w *writer) note(id int) { w.trace = append(w.trace, id) }

// encodeDict takes a dictionary down that is of the builtin dialect, with values in the
// form of another.
func (w *writer) encodeDict(entries []stablehlo.NamedAttribute, d *Dialect) *Encoder {
	e := &Encoder{w: w, dialect: d}
	e.Varint(builtinDict)
	e.Varint(uint64(len(entries)))
	for _, entry := range entries {
		e.BuiltinAttr(stablehlo.StringAttr{Value: entry.Name})
		e.Attr(entry.Value)
	}
	return e
}

// castName is the operation between values of one type in the forms of two dialects.
const castName = "builtin.unrealized_conversion_cast"

// preferred returns the dialect in whose form the attributes and types of an operation
// stand. The result of a cast stands in the other form than its operand: that of the
// builtin dialect, or of the one that the file is of.
func (w *writer) preferred(o *stablehlo.Op) *Dialect {
	if o.Name == castName && len(o.Operands) == 1 {
		from := owner(o.Operands[0])
		if from != nil && from.Name != castName && len(w.dialects) > 1 && w.preferred(from) != w.dialects[1] {
			return w.dialects[1]
		}
	}
	dialect, _ := splitName(o.Name)
	if d := w.dialects.find(dialect); d != nil {
		return d
	}
	return w.builtin()
}

// owner returns the operation that v is a result of, or whose region has it as an argument.
func owner(v *stablehlo.Value) *stablehlo.Op {
	if v.Block != nil && v.Block.Region != nil {
		return v.Block.Region.Op
	}
	return v.Op
}

// location returns a location that is there.
func location(l stablehlo.Location) stablehlo.Location {
	if l == nil {
		return stablehlo.UnknownLoc{}
	}
	return l
}

// dictionary returns the attributes that stand in the operation's dictionary: the
// discardable ones, and before version 5 all.
func (w *writer) dictionary(o *stablehlo.Op) []stablehlo.NamedAttribute {
	if w.version >= versionProperties || len(o.Props) == 0 {
		return o.Attrs
	}
	all := append(o.Attrs[:len(o.Attrs):len(o.Attrs)], o.Props...)
	sort.SliceStable(all, func(a, b int) bool { return all[a].Name < all[b].Name })
	return all
}

// properties takes the inherent attributes of an operation down; nil if it has none.
func (w *writer) properties(o *stablehlo.Op, d *Dialect) *Encoder {
	if w.version < versionProperties {
		return nil
	}
	dialect, name := splitName(o.Name)
	slots, ok := w.dialects.props(dialect, name)
	if !ok && len(o.Props) > 0 {
		w.fail("operation %s: the order of its properties is not known", o.Name)
	}
	if len(slots) == 0 {
		return nil
	}
	e := &Encoder{w: w, dialect: d}
	for _, slot := range slots {
		a := o.Attr(slot.Name)
		switch {
		case slot.Segments && w.version >= versionSegments:
			e.writeSegments(a)
		case slot.Optional:
			e.OptionalAttr(a)
		case a == nil:
			w.fail("operation %s: expected an attribute %s, got none", o.Name, slot.Name)
		default:
			e.Attr(a)
		}
	}
	return e
}
