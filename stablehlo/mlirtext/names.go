package mlirtext

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/stablehlo"
)

// valueNames holds the names of the values and blocks of a module, given as MLIR gives
// them: results are numbered through the operations of a region, then of the regions
// inside it; arguments of an entry block are %arg0, %arg1, ...; some operations give
// their results names.
type valueNames struct {
	values map[*stablehlo.Value]string // with %; of the first of a group of results
	blocks map[*stablehlo.Block]string // with ^
	groups map[*stablehlo.Op][]int     // where groups of results begin, if there are several
}

// nameContext is where the numbering stands.
type nameContext struct {
	nextValue, nextArg, nextConflict int
	used                             *usedNames
}

// usedNames are the names in use in a region and those around it.
type usedNames struct {
	outer *usedNames
	names map[string]bool
}

func (u *usedNames) has(name string) bool {
	for ; u != nil; u = u.outer {
		if u.names[name] {
			return true
		}
	}
	return false
}

// nameValues names everything inside op.
func nameValues(op *stablehlo.Op, generic bool) *valueNames {
	n := &valueNames{values: map[*stablehlo.Value]string{}, blocks: map[*stablehlo.Block]string{},
		groups: map[*stablehlo.Op][]int{}}
	for _, r := range op.Regions {
		n.nameRegion(r, nameContext{}, generic)
	}
	return n
}

// nameRegion names the values of a region, then those of the regions inside it.
func (n *valueNames) nameRegion(r *stablehlo.Region, c nameContext, generic bool) {
	c.used = &usedNames{outer: c.used, names: map[string]bool{}}
	for i, b := range r.Blocks {
		n.blocks[b] = "^bb" + strconv.Itoa(i)
		n.nameArgs(b, &c, i == 0, generic)
		for _, op := range b.Ops {
			n.nameResults(op, &c, generic)
		}
	}
	for _, b := range r.Blocks {
		for _, op := range b.Ops {
			for _, inner := range op.Regions {
				n.nameRegion(inner, c, generic)
			}
		}
	}
}

// argName is the name of the arguments of the regions of some operations.
var argName = map[string]string{"stablehlo.while": "iterArg"}

// nameArgs names the arguments of a block.
func (n *valueNames) nameArgs(b *stablehlo.Block, c *nameContext, entry, generic bool) {
	special := ""
	if b.Region.Op != nil && !generic {
		special = argName[b.Region.Op.Name]
	}
	for _, v := range b.Args {
		switch {
		case special != "":
			n.values[v] = c.unique(special)
		case entry:
			n.values[v] = c.unique("arg" + strconv.Itoa(c.nextArg))
			c.nextArg++
		default:
			n.values[v] = c.number()
		}
	}
}

// number returns the next number as a name.
func (c *nameContext) number() string {
	c.nextValue++
	return "%" + strconv.Itoa(c.nextValue-1)
}

// unique returns the name, or the name with a number if it is in use.
func (c *nameContext) unique(name string) string {
	full := name
	for c.used.has(full) {
		full = name + "_" + strconv.Itoa(c.nextConflict)
		c.nextConflict++
	}
	c.used.names[full] = true
	return "%" + full
}

// nameResults names the results of an operation: one name for all, or one for each
// slot of a row that has several.
func (n *valueNames) nameResults(op *stablehlo.Op, c *nameContext, generic bool) {
	if len(op.Results) == 0 {
		return
	}
	if generic || op.Info == nil {
		n.values[op.Results[0]] = c.number()
		return
	}
	if name := constantName(op); name != "" {
		n.values[op.Results[0]] = c.unique(name)
		return
	}
	if slots := op.Info.Results; len(slots) > 1 {
		for i, s := range slots {
			if g, ok := op.ResultGroup(i); ok && len(g) > 0 {
				n.values[g[0]] = c.unique(s.Name)
				n.groups[op] = append(n.groups[op], g[0].Index)
			}
		}
	}
	if n.values[op.Results[0]] == "" {
		n.values[op.Results[0]] = c.number()
	}
}

// groupOf returns where the group of the i-th result begins and ends.
func (n *valueNames) groupOf(op *stablehlo.Op, i int) (from, to int) {
	starts := n.groups[op]
	k, exact := slices.BinarySearch(starts, i)
	if !exact {
		k--
	}
	from, to = 0, len(op.Results)
	if k >= 0 {
		from = starts[k]
	}
	if k+1 < len(starts) {
		to = starts[k+1]
	}
	return from, to
}

// constantName returns the name of the result of a constant: c for integers, cst for
// the rest; "" for another operation.
func constantName(op *stablehlo.Op) string {
	if op.Name != "stablehlo.constant" {
		return ""
	}
	if t, ok := op.Results[0].Type.(*stablehlo.TensorType); ok {
		if _, ok := t.Elem.(stablehlo.IntegerType); ok {
			return "c"
		}
	}
	return "cst"
}

// appendResults appends the names on the left of an operation: %a, %b:2.
func (n *valueNames) appendResults(dst []byte, op *stablehlo.Op) []byte {
	for i := 0; i < len(op.Results); {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, n.values[op.Results[i]]...)
		_, end := n.groupOf(op, i)
		if end-i > 1 {
			dst = strconv.AppendInt(append(dst, ':'), int64(end-i), 10)
		}
		i = end
	}
	return dst
}

// appendUse appends the name of a value: %a or %a#1.
func (n *valueNames) appendUse(dst []byte, v *stablehlo.Value) []byte {
	if v == nil {
		return append(dst, "<<nothing>>"...)
	}
	if v.Op == nil {
		return append(dst, n.name(v)...)
	}
	if v.Index >= len(v.Op.Results) {
		return append(dst, "<<unknown>>"...)
	}
	from, to := n.groupOf(v.Op, v.Index)
	dst = append(dst, n.name(v.Op.Results[from])...)
	if to-from > 1 {
		dst = strconv.AppendInt(append(dst, '#'), int64(v.Index-from), 10)
	}
	return dst
}

// name returns the name of a value; a value from outside the module has none.
func (n *valueNames) name(v *stablehlo.Value) string {
	if name := n.values[v]; name != "" {
		return name
	}
	return "<<unknown>>"
}
