package emit

import (
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Addresses. The part of an address that changes with a loop outside of the one that the access stands in
// is added up at the start of that loop's body, once for all accesses that share it; the part that changes with the
// access's own loop is an index register with a scale.

// direct reports whether x86 scales an index by n.
func direct(n int64) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// accessesOf calls f for the accesses in b: the direct ones, or those in loops inside.
func (g *gen) accessesOf(b loop.Block, direct bool, f func(a *loop.Access)) {
	for _, n := range b {
		switch {
		case (n.Loop == nil) != direct:
		case direct:
			if i := g.nest.Inst(n.Value); i.Op == loop.Load || i.Op == loop.Store {
				f(&g.nest.Accesses[i.Access])
			}
		default:
			g.allAccesses(n.Loop.CondBody, f)
			g.allAccesses(n.Loop.Body, f)
		}
	}
}

// allAccesses calls f for the accesses in b, and in loops inside.
func (g *gen) allAccesses(b loop.Block, f func(a *loop.Access)) {
	b.Each(func(n loop.Node) {
		if n.Loop != nil {
			return
		}
		if i := g.nest.Inst(n.Value); i.Op == loop.Load || i.Op == loop.Store {
			f(&g.nest.Accesses[i.Access])
		}
	})
}

// stride is the bytes by which the address of a changes with loop variable v.
func stride(a *loop.Access, v int) int64 {
	return a.Stride(v) * a.Mem.Bytes()
}

// startScaled makes, in front of o, the scaled counters that accesses in it need.
func (g *gen) startScaled(o *openLoop) {
	for _, b := range [2]loop.Block{o.loop.CondBody, o.loop.Body} {
		g.accessesOf(b, true, func(a *loop.Access) {
			n := stride(a, o.loop.Var)
			if n == 0 || direct(n) || o.scaled[n] != 0 {
				return
			}
			if o.scaled == nil {
				o.scaled = map[int64]reg{}
			}
			o.scaled[n] = g.scale(o.counter, n)
			o.strides = append(o.strides, n)
		})
	}
}

// stepScaled moves the scaled counters on by some iterations.
func (g *gen) stepScaled(o *openLoop, iterations int64) {
	for _, n := range o.strides {
		g.c.gopi(asm.ADD, o.scaled[n], n*iterations)
	}
}

// scale returns x * n in a new register.
func (g *gen) scale(x reg, n int64) reg {
	if n != int64(int32(n)) {
		d := g.c.imm(n)
		g.c.gop(asm.IMUL, d, x)
		return d
	}
	i := ins{in: inst(asm.IMUL, asm.W64, 2)}
	i.in.Imm, i.in.HasImm = n, true
	i.r[1] = x
	return g.c.define(i)
}

// prefixKey names the part of a's address up to the open loop number depth, in memory that the next call uses again.
func (g *gen) prefixKey(a *loop.Access, depth int) (key []byte, last int) {
	b := binary.AppendVarint(g.key[:0], int64(a.Buffer))
	last = -1
	for k := 0; k <= depth; k++ {
		if n := stride(a, g.loops[k].loop.Var); n != 0 {
			b = binary.AppendVarint(binary.AppendVarint(b, int64(k)), n)
			last = k
		}
	}
	g.key = b
	return b, last
}

// pointer is the address of a as far as the loops up to number depth tell, without the offset. Where no access of the
// nest begins so, as one from which the part that differs between lanes was taken, it is computed here.
func (g *gen) pointer(a *loop.Access, depth int) reg {
	key, last := g.prefixKey(a, depth)
	if last < 0 {
		return g.bases[a.Buffer]
	}
	o := g.loops[last]
	if p := o.pointers[string(key)]; p != 0 {
		return p
	}
	return g.advanced(g.pointer(a, last-1), o.counter, stride(a, o.loop.Var))
}

// startPointers makes, at the start of the body of o, the innermost open loop, the addresses that loops in it need.
func (g *gen) startPointers(o *openLoop) {
	clear(o.pointers)
	depth := len(g.loops) - 1
	for _, b := range [2]loop.Block{o.loop.CondBody, o.loop.Body} {
		g.accessesOf(b, false, func(a *loop.Access) {
			key, last := g.prefixKey(a, depth)
			if last != depth || o.pointers[string(key)] != 0 {
				return
			}
			if o.pointers == nil {
				o.pointers = map[string]reg{}
			}
			own := string(key)
			o.pointers[own] = g.advanced(g.pointer(a, depth-1), o.counter, stride(a, o.loop.Var))
		})
	}
}

// advanced returns p + counter*n.
func (g *gen) advanced(p, counter reg, n int64) reg {
	if direct(n) {
		return g.c.gload(asm.LEA, asm.W64, mem{base: p, index: counter, scale: uint8(n)})
	}
	d := g.scale(counter, n)
	g.c.gop(asm.ADD, d, p)
	return d
}

// address is the place of a's element in lane 0 of the present copy, without an index that varies from lane to lane.
func (g *gen) address(a *loop.Access) mem {
	depth := len(g.loops) - 1
	m := mem{disp: a.Offset * a.Mem.Bytes()}
	indexed := false
	if depth < 0 {
		m.base = g.bases[a.Buffer]
	} else {
		own := g.loops[depth]
		m.base = g.pointer(a, depth-1)
		if at := g.indexedPointer(a, depth); at != 0 {
			m.base, indexed = at, true
		}
		if n := stride(a, own.loop.Var); g.once(own) {
			m.disp += n * g.lanes.first
		} else if direct(n) {
			m.index, m.scale = own.counter, uint8(n)
		} else if n != 0 {
			m.index, m.scale = own.scaled[n], 1
		}
	}
	switch s := g.lanes; {
	case s == nil:
	case s.across != nil:
		m.disp += int64(g.copy) * stride(a, s.across.Var)
	default:
		m.disp += int64(g.copy*s.apart()) * stride(a, s.loop.Var)
	}
	if a.Index == 0 || indexed || !g.uniform(a.Index) {
		return m
	}
	return g.indexed(m, g.index0(a.Index), a.Mem.Bytes())
}

// once reports whether the code being made runs in one iteration of o only, whose number is known.
func (g *gen) once(o *openLoop) bool {
	return g.lanes != nil && g.lanes.single && g.lanes.across == nil && g.lanes.loop == o.loop
}

// startIndexed makes, in front of the lane loop o, the addresses that its accesses begin at whose index is the same in
// all lanes.
func (g *gen) startIndexed(o *openLoop) {
	depth := len(g.loops) - 1
	g.accessesOf(o.loop.Body, true, func(a *loop.Access) {
		if g.index[a.Index] == 0 || stride(a, o.loop.Var) == 0 || len(o.indexed) == mostIndexed {
			return
		}
		key := indexKey{g.pointer(a, depth-1), a.Index, a.Mem.Bytes()}
		if o.indexed == nil {
			o.indexed = map[indexKey]reg{}
		}
		if o.indexed[key] == 0 {
			at := mem{base: key.base, index: g.index0(a.Index), scale: uint8(key.bytes)}
			o.indexed[key] = g.c.gload(asm.LEA, asm.W64, at)
			g.laterPointer(o, a, key)
		}
	})
}

// mostIndexed is how many such addresses there are at most: they take registers.
const mostIndexed = 4

// indexKey is what such an address is made of.
type indexKey struct {
	base  reg
	index loop.Value
	bytes int64
}

// indexedPointer is the address that startIndexed made for a, or 0. What runs once needs none.
func (g *gen) indexedPointer(a *loop.Access, depth int) reg {
	own := g.loops[depth]
	if a.Index == 0 || own.indexed == nil || g.once(own) {
		return 0
	}
	return own.indexed[indexKey{g.pointer(a, depth-1), a.Index, a.Mem.Bytes()}]
}

// index0 is a value that is the same in all lanes in a general register.
func (g *gen) index0(v loop.Value) reg {
	if i := g.nest.Inst(v); i.Op == loop.Const {
		if i.Kind == loop.I32 {
			return g.c.imm(int64(int32(i.Imm)))
		}
		return g.c.imm(int64(i.Imm))
	}
	return g.index[v]
}

// indexed adds x*n to an address.
func (g *gen) indexed(m mem, x reg, n int64) mem {
	if m.scale != 0 {
		m.base, m.index, m.scale = g.c.gload(asm.LEA, asm.W64, mem{base: m.base, index: m.index, scale: m.scale}), 0, 0
	}
	m.index, m.scale = x, uint8(n)
	return m
}

// flat brings an address into one register, as a gather needs it.
func (g *gen) flat(m mem) mem {
	if m.scale == 0 {
		return m
	}
	return mem{base: g.c.gload(asm.LEA, asm.W64, mem{base: m.base, index: m.index, scale: m.scale}), disp: m.disp}
}
