package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// What loops carry has no other NaNs than it begins with and what is made of these, so that is found by supposing so.
// What is in memory of the worker's own has those of what is stored there.

// carriedBy returns the carry whose phi or out v is, nil if there is none.
func (g *gen) carriedBy(v loop.Value) *loop.Carry {
	if g.carries == nil {
		g.carries = map[loop.Value]*loop.Carry{}
		g.nest.Root.EachLoop(func(l *loop.Loop) {
			for k := range l.Carries {
				c := &l.Carries[k]
				g.carries[c.Phi], g.carries[c.Out] = c, c
			}
		})
	}
	return g.carries[v]
}

// nansOfCarry returns which NaNs the phi of c can be, and its out: the least and the largest of numbers may be made of
// the bits of several.
func (g *gen) nansOfCarry(c *loop.Carry) nans {
	if c == nil || c.Scan || c.Reduce == loop.Min || c.Reduce == loop.Max || g.nansOf(c.Init) != quietNaNs {
		return anyNaNs
	}
	return g.suppose([]loop.Value{c.Phi, c.Out}, c.Next)
}

// nansStored returns which NaNs can be in a buffer.
func (g *gen) nansStored(buffer int) nans {
	if !g.nest.Buffers[buffer].Scratch {
		return anyNaNs
	}
	var loads, stored []loop.Value
	for k := range g.nest.Insts {
		i := &g.nest.Insts[k]
		if i.Op != loop.Load && i.Op != loop.Store || g.nest.Accesses[i.Access].Buffer != buffer {
			continue
		}
		switch {
		case g.nest.Accesses[i.Access].Mem != loop.MemF32:
			return anyNaNs
		case i.Op == loop.Load:
			loads = append(loads, loop.Value(k))
		default:
			stored = append(stored, i.Args[0])
		}
	}
	return g.suppose(loads, stored...)
}

// suppose returns which NaNs values of list can be: quiet ones, if by supposing so those that they come from are found
// to have no others. If they have, nothing that was found so is kept, and list is not looked at again.
func (g *gen) suppose(list []loop.Value, from ...loop.Value) nans {
	if g.nans == nil {
		g.nans = map[loop.Value]nans{}
	}
	for _, v := range list {
		g.nans[v] = quietNaNs
	}
	if !slices.ContainsFunc(from, func(v loop.Value) bool { return g.nansOf(v) != quietNaNs }) {
		return quietNaNs
	}
	clear(g.nans)
	if g.noisy == nil {
		g.noisy = map[loop.Value]bool{}
	}
	for _, v := range list {
		g.noisy[v] = true
	}
	return anyNaNs
}

// orOther returns y of a selection by whether x is no number, which otherwise gives x: x is no NaN then.
func (g *gen) orOther(i *loop.Inst) (y loop.Value, ok bool) {
	m := g.nest.Inst(i.Args[0])
	return i.Args[1], m.Op == loop.Cmp && m.Imm == loop.Unordered && m.Args[0] == i.Args[2] && m.Args[1] == i.Args[2]
}
