package loop

import (
	"cmp"
	"slices"
)

// addRest gives outer one more iteration, which has code of its own, with rest iterations of l, a loop in it:
//
//	for J < 32 { .. lanes j < 48 { .. }}
//
// becomes
//
//	for J < 33 { for when 0 <= J < 32 { .. lanes j < 48 { .. }} for when 32 <= J < 33 { .. lanes j < 11 { .. }}}
//
// Loops in outer carry nothing.
func addRest(n *Nest, outer, l *Loop, rest int64) {
	c := &copier{nest: n, values: map[Value]Value{}, vars: map[int]int{}}
	whole := outer.Body
	end := c.block(whole)
	end.EachLoop(func(o *Loop) {
		if o.Var == c.vars[l.Var] {
			o.Extent = rest
		}
	})
	when := func(lo, hi int64, body Block) Node {
		n.Vars++
		return Node{Loop: &Loop{Var: n.Vars - 1, Extent: 1, Parallel: true, When: &Range{Var: outer.Var, Lo: lo, Hi: hi},
			Body: body}}
	}
	outer.Body = Block{when(0, outer.Extent, whole), when(outer.Extent, outer.Extent+1, end)}
	outer.Extent++
}

// copier copies blocks of a nest: values and loops that it has copied stand for what they are copies of.
type copier struct {
	nest   *Nest
	values map[Value]Value
	vars   map[int]int
}

func (c *copier) block(b Block) Block {
	var out Block
	for _, node := range b {
		if l := node.Loop; l != nil {
			c.vars[l.Var] = c.nest.Vars
			c.nest.Vars++
			out = append(out, Node{Loop: &Loop{Var: c.vars[l.Var], Extent: l.Extent, Lanes: l.Lanes, Parallel: l.Parallel,
				Body: c.block(l.Body)}})
			continue
		}
		c.nest.Insts = append(c.nest.Insts, c.inst(*c.nest.Inst(node.Value)))
		c.values[node.Value] = Value(len(c.nest.Insts) - 1)
		out = append(out, Node{Value: c.values[node.Value]})
	}
	return out
}

func (c *copier) inst(i Inst) Inst {
	for k, v := range i.Args {
		i.Args[k] = c.value(v)
	}
	switch i.Op {
	case Index:
		i.Imm = uint64(c.variable(int(i.Imm)))
	case Load, Store:
		a := c.nest.Accesses[i.Access]
		a.Index, a.Terms = c.value(a.Index), slices.Clone(a.Terms)
		for k := range a.Terms {
			a.Terms[k].Var = c.variable(a.Terms[k].Var)
		}
		slices.SortStableFunc(a.Terms, func(s, t Term) int { return cmp.Compare(s.Var, t.Var) })
		c.nest.Accesses = append(c.nest.Accesses, a)
		i.Access = int32(len(c.nest.Accesses) - 1)
	}
	return i
}

func (c *copier) value(v Value) Value {
	if copied, ok := c.values[v]; ok {
		return copied
	}
	return v
}

func (c *copier) variable(v int) int {
	if copied, ok := c.vars[v]; ok {
		return copied
	}
	return v
}
