package bytecode

import (
	"math"

	"github.com/goxla/xla/stablehlo"
)

// file puts the sections together.
func (w *writer) file() []byte {
	ir := w.emitIR()
	dst := append([]byte(Magic), appendVarint(nil, uint64(w.version))...)
	dst = append(append(dst, w.producer...), 0)
	body, offsets := w.emitEntries()
	dst = appendSection(dst, sectionDialect, w.emitDialects())
	dst = appendSection(dst, sectionAttrTypeOffset, offsets)
	dst = appendSection(dst, sectionAttrType, body)
	dst = appendSection(dst, sectionIR, ir)
	dst = w.appendResources(dst)
	var props []byte
	if w.version >= versionProperties {
		props = w.emitProps()
	}
	dst = appendSection(dst, sectionString, w.emitStrings())
	if w.version >= versionProperties {
		dst = appendSection(dst, sectionProperties, props)
	}
	return dst
}

func appendSection(dst []byte, id sectionID, body []byte) []byte {
	dst = appendVarint(append(dst, byte(id)), uint64(len(body)))
	return append(dst, body...)
}

// emitStrings gives the sizes, last string first, and the text.
func (w *writer) emitStrings() []byte {
	dst := appendVarint(nil, uint64(len(w.strings)))
	for i := len(w.strings) - 1; i >= 0; i-- {
		dst = appendVarint(dst, uint64(len(w.strings[i]))+1)
	}
	for _, s := range w.strings {
		dst = append(append(dst, s...), 0)
	}
	return dst
}

// emitDialects gives the names of the dialects and of the operations.
func (w *writer) emitDialects() []byte {
	dst := appendVarint(nil, uint64(len(w.names)))
	for _, name := range w.names {
		v := uint64(w.str(name))
		if w.version >= versionDialects {
			v <<= 1
		}
		dst = appendVarint(dst, v)
	}
	if w.version >= versionLocations {
		dst = appendVarint(dst, uint64(len(w.ops)))
	}
	for i := 0; i < len(w.ops); {
		d := w.dialectOf(w.ops[i])
		n := i
		for n < len(w.ops) && w.dialectOf(w.ops[n]) == d {
			n++
		}
		dst = appendVarint(appendVarint(dst, uint64(d)), uint64(n-i))
		for ; i < n; i++ {
			_, name := splitName(w.ops[i])
			v := uint64(w.str(name))
			if w.version >= versionProperties {
				v = v<<1 | 1
			}
			dst = appendVarint(dst, v)
		}
	}
	return dst
}

// emitEntries gives the attributes and types, and where they stand.
func (w *writer) emitEntries() (body, offsets []byte) {
	offsets = appendVarint(nil, uint64(len(w.attrs.entries)))
	offsets = appendVarint(offsets, uint64(len(w.types.entries)))
	for _, t := range []*table{&w.attrs, &w.types} {
		for i := 0; i < len(t.entries); {
			n := i
			for n < len(t.entries) && t.entries[n].dialect == t.entries[i].dialect {
				n++
			}
			offsets = appendVarint(offsets, uint64(t.entries[i].dialect))
			offsets = appendVarint(offsets, uint64(n-i))
			for ; i < n; i++ {
				from := len(body)
				body = w.append(body, t.entries[i].tokens)
				size := uint64(len(body)-from) << 1
				if t.entries[i].custom {
					size |= 1
				}
				offsets = appendVarint(offsets, size)
			}
		}
	}
	return body, offsets
}

// emitProps gives the properties of operations.
func (w *writer) emitProps() []byte {
	dst := appendVarint(nil, uint64(len(w.props.entries)))
	for _, e := range w.props.entries {
		blob := w.append(nil, e.tokens)
		dst = append(appendVarint(dst, uint64(len(blob))), blob...)
	}
	return dst
}

// emitIR gives the block that holds the module.
func (w *writer) emitIR() []byte {
	dst := appendVarint(nil, 1<<1)
	return w.appendOp(dst, w.module.Op, 0, nil)
}

// noted returns the next number that collect noted.
func (w *writer) noted() int {
	id := w.trace[0]
	w.trace = w.trace[1:]
	return id
}

// appendOp appends an operation; the values of its regions get numbers from next on.
func (w *writer) appendOp(dst []byte, o *stablehlo.Op, next int, blocks []*stablehlo.Block) []byte {
	dst = appendVarint(dst, uint64(w.opIDs[o.Name]))
	maskAt := len(dst)
	dst = append(dst, 0)
	mask := byte(0)
	dst = appendVarint(dst, uint64(w.attrs.order[w.noted()]))
	if len(w.dictionary(o)) > 0 {
		mask |= hasAttrs
		dst = appendVarint(dst, uint64(w.attrs.order[w.noted()]))
	}
	if w.hasProps(o) {
		mask |= hasProperties
		dst = appendVarint(dst, uint64(w.noted()))
	}
	if len(o.Results) > 0 {
		mask |= hasResults
		dst = appendVarint(dst, uint64(len(o.Results)))
		for range o.Results {
			dst = appendVarint(dst, uint64(w.types.order[w.noted()]))
		}
	}
	if len(o.Operands) > 0 {
		mask |= hasOperands
		dst = appendVarint(dst, uint64(len(o.Operands)))
		for _, v := range o.Operands {
			dst = appendVarint(dst, uint64(w.values[v]))
		}
	}
	if len(o.Successors) > 0 {
		mask |= hasSuccessors
		dst = appendSuccessors(dst, o.Successors, blocks)
	}
	if len(o.Regions) > 0 {
		mask |= hasRegions
		dst = w.appendRegions(dst, o, next)
	}
	dst[maskAt] = mask
	return dst
}

func appendSuccessors(dst []byte, successors, blocks []*stablehlo.Block) []byte {
	dst = appendVarint(dst, uint64(len(successors)))
	for _, s := range successors {
		for i, b := range blocks {
			if b == s {
				dst = appendVarint(dst, uint64(i))
			}
		}
	}
	return dst
}

// appendRegions appends the regions of an operation.
func (w *writer) appendRegions(dst []byte, o *stablehlo.Op, next int) []byte {
	isolated := w.isolated[o]
	v := uint64(len(o.Regions)) << 1
	if isolated {
		v |= 1
		next = 0
	}
	dst = appendVarint(dst, v)
	if isolated && w.version >= versionIsolated {
		return appendSection(dst, sectionIR, w.appendRegionList(nil, o.Regions, next))
	}
	return w.appendRegionList(dst, o.Regions, next)
}

// appendRegionList appends regions whose values have numbers from next on.
func (w *writer) appendRegionList(dst []byte, regions []*stablehlo.Region, next int) []byte {
	for _, r := range regions {
		dst = w.appendRegion(dst, r, next)
	}
	return dst
}

// appendRegion appends a region, of which the values have numbers from first on.
func (w *writer) appendRegion(dst []byte, r *stablehlo.Region, first int) []byte {
	dst = appendVarint(dst, uint64(len(r.Blocks)))
	if len(r.Blocks) == 0 {
		return dst
	}
	next := first
	number := func(list []*stablehlo.Value) {
		for _, v := range list {
			w.values[v] = next
			next++
		}
	}
	for _, b := range r.Blocks {
		number(b.Args)
		for _, o := range b.Ops {
			number(o.Results)
		}
	}
	dst = appendVarint(dst, uint64(next-first))
	for _, b := range r.Blocks {
		dst = w.appendBlock(dst, b, next)
	}
	return dst
}

// appendBlock appends the arguments and operations of a block.
func (w *writer) appendBlock(dst []byte, b *stablehlo.Block, next int) []byte {
	v := uint64(len(b.Ops)) << 1
	if len(b.Args) > 0 {
		v |= 1
	}
	dst = appendVarint(dst, v)
	if len(b.Args) > 0 {
		dst = appendVarint(dst, uint64(len(b.Args)))
		for range b.Args {
			t, loc := w.types.order[w.noted()], w.attrs.order[w.noted()]
			v := uint64(t)
			if w.version >= versionLocations {
				v = v<<1 | 1
			}
			dst = appendVarint(appendVarint(dst, v), uint64(loc))
		}
		if w.version >= versionUseLists {
			dst = append(dst, 0)
		}
	}
	for _, o := range b.Ops {
		dst = w.appendOp(dst, o, next, b.Region.Blocks)
	}
	return dst
}

// findIsolated notes which operations inside o have regions that use no value from
// outside them, and returns the smallest depth of a region from which a value is used.
func (w *writer) findIsolated(o *stablehlo.Op, depth int, depths map[*stablehlo.Value]int) int {
	used := math.MaxInt
	for _, v := range o.Operands {
		d, ok := depths[v]
		if !ok {
			d = depth // defined further down
		}
		used = min(used, d)
	}
	inside := math.MaxInt
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, v := range b.Args {
				depths[v] = depth + 1
			}
			for _, child := range b.Ops {
				for _, v := range child.Results {
					depths[v] = depth + 1
				}
			}
		}
		for _, b := range r.Blocks {
			for _, child := range b.Ops {
				inside = min(inside, w.findIsolated(child, depth+1, depths))
			}
		}
	}
	w.isolated[o] = inside > depth
	return min(used, inside)
}

// hasProps reports whether the operation has a place in the table of properties.
func (w *writer) hasProps(o *stablehlo.Op) bool {
	if w.version < versionProperties {
		return false
	}
	dialect, name := splitName(o.Name)
	slots, _ := w.dialects.props(dialect, name)
	return len(slots) > 0
}
