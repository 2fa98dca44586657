package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A lane loop that moves a few narrow elements, as a pixel that a table has, goes by general registers: a few bytes of
// vectors take masks, or shuffles, which are slow where memory is.

// mostSmall is how many bytes are moved so at most.
const mostSmall = partBytes

// moveSmall makes l, if that moves a few neighbours, and reports whether it does.
func (g *gen) moveSmall(l *loop.Loop) bool {
	if g.isRanged(l) || g.lanes != nil || len(l.Carries) > 0 || l.When != nil || g.loopsUnder[l] != 0 {
		return false
	}
	p := &pieceMove{lanes: l}
	if !p.accesses(g) || p.bytes > 2 || p.bytes*l.Extent > mostSmall {
		return false
	}
	p.bytes *= l.Extent
	g.push(newOpenLoop(l, 0))
	defer g.pop()
	var loaded [][]reg
	for _, a := range p.loads {
		at := g.placeOfSmall(a, l)
		var parts []reg
		pieces(p.bytes, func(from, size int64) { parts = append(parts, g.c.loadGeneral(size, at.add(from))) })
		loaded = append(loaded, parts)
	}
	for k, a := range p.stores {
		at, parts := g.placeOfSmall(a, l), loaded[p.from[k]]
		pieces(p.bytes, func(from, size int64) {
			g.c.store(asm.MOV, asm.Size(8*size), at.add(from), -1, parts[0])
			parts = parts[1:]
		})
	}
	return true
}

// placeOfSmall is where the first element of a in l is.
func (g *gen) placeOfSmall(a *loop.Access, l *loop.Loop) mem {
	at := *a
	at.Terms = slices.DeleteFunc(slices.Clone(a.Terms), func(t loop.Term) bool { return t.Var == l.Var })
	return g.address(&at)
}

// loadGeneral reads n bytes into a new general register.
func (c *code) loadGeneral(n int64, at mem) reg {
	switch n {
	case 1:
		return c.gload(asm.MOVZX8, asm.W32, at)
	case 2:
		return c.gload(asm.MOVZX16, asm.W32, at)
	case 4:
		return c.gload(asm.MOV, asm.W32, at)
	}
	return c.gload(asm.MOV, asm.W64, at)
}
