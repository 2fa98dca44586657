package emit

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A loop that reads all features of a group, one load for each, reads by its loads every element of a vector. Then each
// of them may read the whole vector, from where the first one begins: it needs no mask, and where elements stay within
// 128 bits, its shuffle needs no register and takes the vector from memory.

// family are loads without a mask of one body, by the same index of the same array: their offsets in ascending order.
type family []int64

// familyKey is what loads of a family have in common.
type familyKey struct {
	body   *loop.Loop
	buffer int
	index  loop.Value
	mem    loop.Mem
	terms  string
}

// familyOf returns the family of load a.
func (g *gen) familyOf(a *loop.Access) family {
	if g.families == nil {
		g.families = familiesOf(g.nest)
	}
	return g.families[a]
}

func familiesOf(n *loop.Nest) map[*loop.Access]family {
	offsets, keys := map[familyKey]family{}, map[*loop.Access]familyKey{}
	n.Root.Walk(func(node loop.Node, path []*loop.Loop) {
		i := n.Inst(node.Value)
		if node.Loop != nil || i.Op != loop.Load || i.Args[0] != 0 || len(path) == 0 {
			return
		}
		a := &n.Accesses[i.Access]
		k := familyKey{path[len(path)-1], a.Buffer, a.Index, a.Mem, termsKey(a.Terms)}
		offsets[k], keys[a] = append(offsets[k], a.Offset), k
	})
	for k, list := range offsets {
		slices.Sort(list)
		offsets[k] = slices.Compact(list)
	}
	families := map[*loop.Access]family{}
	for a, k := range keys {
		families[a] = offsets[k]
	}
	return families
}

// termsKey is the same for the same terms in any order.
func termsKey(terms []loop.Term) string {
	list := slices.Clone(terms)
	slices.SortStableFunc(list, func(a, b loop.Term) int { return cmp.Compare(a.Var, b.Var) })
	var key []byte
	for _, t := range list {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(t.Var)), t.Stride)
	}
	return string(key)
}

// whole returns the offset of a load of f from which on the family reads all of lanes elements, if the lanes of each of
// them are at, so that offset is among them.
func (f family) whole(offset int64, at []uint64) (first int64, ok bool) {
	lanes := int64(len(at))
	to, _ := slices.BinarySearch(f, offset+1)
	for k := to - 1; k >= 0 && f[k]+lanes > offset+int64(at[lanes-1]); k-- {
		var read uint64
		for _, o := range f[k:] {
			if o >= f[k]+lanes {
				break
			}
			for _, x := range at {
				if e := o - f[k] + int64(x); e < lanes {
					read |= 1 << e
				}
			}
		}
		if read == 1<<lanes-1 {
			return f[k], true
		}
	}
	return 0, false
}

// loadWhole is loadNear for a load whose family reads whole vectors; 0 if it does not.
func (g *gen) loadWhole(a *loop.Access, at mem, n *near) reg {
	if !n.same || !n.fixed || n.last == 0 || a.Mem.Bytes() != 4 {
		return 0
	}
	first, ok := g.familyOf(a).whole(a.Offset, n.at)
	if !ok {
		return 0
	}
	from := uint64(a.Offset - first)
	size := g.size(a.Mem.Kind())
	x := g.c.vm(asm.VMOVUPS, size, at.add(-int64(from)*a.Mem.Bytes()))
	if pattern, ok := quarters(n.at, from); ok {
		return g.c.vi(asm.VPERMILPSI, size, pattern, x)
	}
	return g.c.v(asm.VPERMD, size, g.c.lanes32(func(l int) uint32 { return uint32(n.at[l%len(n.at)] + from) }), x)
}

// quarters returns what shuffles elements from+at of a vector to its lanes, if that is the same within each 128 bits.
func quarters(at []uint64, from uint64) (pattern uint8, ok bool) {
	for lane, x := range at {
		x += from - uint64(lane/4*4)
		if x > 3 || lane >= 4 && uint8(x) != pattern>>(2*(lane%4))&3 {
			return 0, false
		}
		if lane < 4 {
			pattern |= uint8(x) << (2 * lane)
		}
	}
	return pattern, true
}
