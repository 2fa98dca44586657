package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
)

// mostMerged is the cost of an element of kernels that become one, at most: of others memory is a small part.
const mostMerged = 64

// merge has c compute what d does, another producer of a member of c, if nothing is reduced and that can be: chains of
// values, each needed more than once, that meet in the end.
func (g *clustering) merge(c, d *cluster) {
	if d == nil || d == c || d.alone || c.heavy || d.heavy || len(c.members)+len(d.members) > maxMembers ||
		!slices.Equal(c.space.Dims, d.space.Dims) || slices.Contains(c.space.Inner, true) ||
		slices.Contains(d.space.Inner, true) || g.costs(c)+g.costs(d) > mostMerged || !g.meets(c, d) {
		return
	}
	for _, m := range d.members {
		g.of[m.ID()] = c
	}
	c.members = append(c.members, d.members...)
	slices.SortStableFunc(c.members, func(a, b *hlo.Instruction) int { return g.position[a.ID()] - g.position[b.ID()] })
	c.first = min(c.first, d.first)
	g.span(c)
	for _, r := range d.reads {
		at := slices.Index(g.readers[r], d)
		if slices.Contains(c.reads, r) {
			g.readers[r] = slices.Delete(g.readers[r], at, at+1)
			continue
		}
		g.readers[r][at] = c
		c.reads = append(c.reads, r)
	}
}

// costs is what one element of each value of c takes.
func (g *clustering) costs(c *cluster) (sum int) {
	for _, m := range c.members {
		sum += g.cost[m.ID()]
	}
	return sum
}

// meets reports whether all that c reads of d it reads at the same position, and nothing else that c reads needs d.
func (g *clustering) meets(c, d *cluster) bool {
	var others []fuse.Use
	for _, m := range c.members {
		for _, u := range g.reader.Uses(m, c.space) {
			switch g.of[u.Inst.ID()] {
			case d:
				if !u.Same {
					return false
				}
			case c:
			default:
				others = append(others, u)
			}
		}
	}
	return !g.between(d, others)
}
