package stablehlo

import (
	"bytes"
	"fmt"
	"slices"
)

// Diff returns what first differs between two modules, in the order of the text, or ""
// if they are equal: the same operations on the same values with equal types,
// attributes and resources, where an attribute that is absent equals its default.
// With locations, also equal locations. Names of values and places in files do not
// count.
func Diff(a, b *Module, locations bool) string {
	d := differ{values: map[*Value]*Value{}, blocks: map[*Block]*Block{}, locations: locations}
	if text := d.op(a.Op, b.Op); text != "" {
		return text
	}
	if !slices.EqualFunc(a.Resources, b.Resources, sameResource) {
		return "the resources differ"
	}
	return ""
}

func sameResource(a, b Resource) bool {
	return a.Section == b.Section && a.Owner == b.Owner && a.Key == b.Key && a.Align == b.Align &&
		a.Text == b.Text && bytes.Equal(a.Data, b.Data)
}

// differ compares two modules. It notes which value of b each value of a is.
type differ struct {
	values    map[*Value]*Value
	blocks    map[*Block]*Block
	locations bool
}

// at describes a difference.
func at(op *Op, format string, args ...any) string {
	return fmt.Sprintf("%s at %d:%d: ", op.Name, op.Pos.Line, op.Pos.Col) + fmt.Sprintf(format, args...)
}

func (d *differ) op(a, b *Op) string {
	switch {
	case a.Name != b.Name:
		return at(a, "the operation is %s in the other", b.Name)
	case len(a.Operands) != len(b.Operands) || len(a.Results) != len(b.Results) || len(a.Regions) != len(b.Regions) ||
		len(a.Successors) != len(b.Successors):
		return at(a, "the numbers of operands, results, regions or successors differ")
	}
	for i, v := range a.Operands {
		if !d.sameValue(v, b.Operands[i]) {
			return at(a, "operand %d is another value", i)
		}
	}
	for i, v := range a.Results {
		if !SameType(v.Type, b.Results[i].Type) {
			return at(a, "result %d has type %s, in the other %s", i, v.Type, b.Results[i].Type)
		}
		d.values[v] = b.Results[i]
	}
	for i, s := range a.Successors {
		if !d.sameBlock(s, b.Successors[i]) {
			return at(a, "successor %d is another block", i)
		}
	}
	if text := d.attrs(a, b); text != "" {
		return text
	}
	for i, r := range a.Regions {
		if text := d.region(a, r, b.Regions[i]); text != "" {
			return text
		}
	}
	return ""
}

// sameValue reports whether x of a is y of b. A value that is used before it is defined
// is noted at the use.
func (d *differ) sameValue(x, y *Value) bool {
	if known, ok := d.values[x]; ok {
		return known == y
	}
	d.values[x] = y
	return SameType(x.Type, y.Type) && x.Index == y.Index && (x.Op == nil) == (y.Op == nil)
}

func (d *differ) sameBlock(x, y *Block) bool {
	if known, ok := d.blocks[x]; ok {
		return known == y
	}
	d.blocks[x] = y
	return true
}

func (d *differ) attrs(a, b *Op) string {
	for _, name := range attrNames(a, b) {
		x, y := effective(a, name), effective(b, name)
		if !SameAttribute(x, y) {
			return at(a, "attribute %s differs: %.200v, in the other %.200v", name, x, y)
		}
	}
	if d.locations && !SameAttribute(known(a.Loc), known(b.Loc)) {
		return at(a, "the location differs: %s, in the other %s", known(a.Loc), known(b.Loc))
	}
	return ""
}

// known returns the location, or the unknown one for none.
func known(l Location) Location {
	if l == nil {
		return UnknownLoc{}
	}
	return l
}

// attrNames returns the names of the attributes of both operations, each once.
func attrNames(ops ...*Op) []string {
	var names []string
	for _, o := range ops {
		for _, list := range [][]NamedAttribute{o.Props, o.Attrs} {
			for _, n := range list {
				names = append(names, n.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// effective returns the value of an attribute, the default if it is absent.
func effective(o *Op, name string) Attribute {
	a := o.Attr(name)
	if a == nil && o.Info != nil {
		if slot := o.Info.Attr(name); slot != nil {
			return slot.Default
		}
	}
	return a
}

func (d *differ) region(op *Op, a, b *Region) string {
	if len(a.Blocks) != len(b.Blocks) {
		return at(op, "a region has %d blocks, in the other %d", len(a.Blocks), len(b.Blocks))
	}
	for i, x := range a.Blocks {
		y := b.Blocks[i]
		if len(x.Args) != len(y.Args) || len(x.Ops) != len(y.Ops) || !d.sameBlock(x, y) {
			return at(op, "block %d has %d arguments and %d operations, in the other %d and %d",
				i, len(x.Args), len(x.Ops), len(y.Args), len(y.Ops))
		}
		for k, v := range x.Args {
			w := y.Args[k]
			if !SameType(v.Type, w.Type) || (d.locations && !SameAttribute(known(v.Loc), known(w.Loc))) {
				return at(op, "argument %d of block %d has type %s, in the other %s, or another location", k, i, v.Type, w.Type)
			}
			d.values[v] = w
		}
		for k, o := range x.Ops {
			if text := d.op(o, y.Ops[k]); text != "" {
				return text
			}
		}
	}
	return ""
}
