package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A softmax of half floats is computed in f32, in three passes over a row. Its exponentials are wanted in two of them,
// and its result has no room for them: so they go into memory of the worker's own, as much as one row needs, which
// stays in the nearest caches.

// keeper is a value that the first pass that computes it stores, and later ones load: in memory of the worker's own, or
// where a root will be in the end.
type keeper struct {
	inst *hlo.Instruction
	in   Ref
	near *keeping // if in is nothing
	// stored: the pass that stores it is over; used: it has begun.
	stored, used bool
}

// keeping is memory of the worker's own for a value at all inner positions.
type keeping struct {
	inst   *hlo.Instruction
	inner  []bool
	bytes  int64
	buffer int
}

// mostKept is the most bytes that are kept near.
const mostKept = 256 << 10

// keepingOf returns the memory for what several passes of s need, nil if a root has room for it or there is no such
// value.
func keepingOf(s Spec) *keeping {
	lanes := laneDim(s)
	if lanes >= 0 && !s.Inner[lanes] { // iterations side by side would need memory each
		return nil
	}
	kept, inner := 1, 1
	for d, n := range s.Dims {
		if s.Inner[d] {
			inner *= n
		} else {
			kept *= n
		}
	}
	if kept == 1 || s.Roots[0].Inst.IsTuple() || rowsFrom(s) >= 0 || !mayKeep(s) {
		return nil
	}
	d, idx, at := discover(s)
	d.walkRoots(s, idx, at)
	d.follow(s, idx, at)
	best := d.best()
	if best == nil || d.keep(s.Roots, nil) != nil || !slices.Equal(best.Dims(), s.Dims) {
		return nil
	}
	t := best.Type()
	if bytes := int64(inner * t.ByteSize()); t.IsFloat() && t.ByteSize() >= 4 && bytes <= mostKept {
		return &keeping{inst: best, inner: s.Inner, bytes: bytes}
	}
	return nil
}

// mayKeep reports whether s has a reduction, and computes a value that keepingOf might choose: several passes do so at
// most then.
func mayKeep(s Spec) bool {
	var seen visits
	costly, reduces := false, false
	var walk func(i *hlo.Instruction)
	walk = func(i *hlo.Instruction) {
		if costly && reduces || s.InMemory(i) && !isRoot(s, i) || !seen.first(visit{inst: i}) {
			return
		}
		costly = costly || isDear(i) && slices.Equal(i.Dims(), s.Dims)
		reduces = reduces || i.Code() == op.Reduce
		for _, o := range i.Operands() {
			walk(o)
		}
	}
	for _, r := range s.Roots {
		walk(r.Inst)
	}
	return costly && reduces
}

func (k *keeping) named() Ref { return Ref{k.inst, scratchLeaf} }

// begin makes the memory known to g.
func (k *keeping) begin(g *gen) {
	k.buffer = g.temporary(k.named(), loop.Buffer{Name: "kept", Bytes: k.bytes, Write: true, Scratch: true})
	g.keeping = k
}

// address is that of what is kept at idx.
func (k *keeping) address(g *gen, idx []Expr) elem.Address {
	at := Expr{}
	for d, e := range idx {
		if k.inner[d] {
			at = g.add(g.times(at, int64(k.inst.Dims()[d])), e)
		}
	}
	return g.addressOf(k.buffer, at)
}

// best is the value that several passes compute; the last one, if there are more.
func (d *discovery) best() *hlo.Instruction {
	best := d.later
	if best != nil {
		return best
	}
	for i, stages := range d.stages {
		if stages&(stages-1) != 0 && (best == nil || i.ID() > best.ID()) {
			best = i
		}
	}
	return best
}

// follow looks for what is kept in place of the best dear value: the last one that the same passes make of it, if
// nothing else is made of that. So what is cheap behind it is computed once, too.
func (d *discovery) follow(s Spec, idx, kept []Expr) {
	best := d.best()
	if best == nil || isRoot(s, best) {
		return
	}
	all := &discovery{g: d.g, full: d.full, all: true}
	all.walkRoots(s, idx, kept)
	last, stages := best, all.stages[best]
	for i, in := range all.stages {
		if i.ID() > last.ID() && in&stages == stages && i.Shape().SameDims(best.Shape()) &&
			i.Type() == best.Type() && all.passes(s, best, i, map[*hlo.Instruction]bool{}) {
			last = i
		}
	}
	d.later = last
}

// passes reports whether all that is made of i, as far as d has seen that, is made of last.
func (d *discovery) passes(s Spec, i, last *hlo.Instruction, seen map[*hlo.Instruction]bool) bool {
	if i == last || seen[i] {
		return true
	}
	seen[i] = true
	return d.stages[i] != 0 && !isRoot(s, i) && !slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
		return !d.passes(s, u, last, seen)
	})
}

// keep chooses such a value and its place: of the type of a root of all dimensions, or near, if not nil, for it.
func (d *discovery) keep(roots []Root, near *keeping) *keeper {
	best := d.best()
	if best == nil {
		return nil
	}
	for _, r := range roots {
		if r.Inst == best && r.Into.Inst == nil {
			return &keeper{inst: best, in: r.Ref}
		}
	}
	for _, r := range roots {
		if r.Into.Inst == nil && r.Shape().SameDims(best.Shape()) && r.Shape().Type == best.Type() {
			return &keeper{inst: best, in: r.Ref}
		}
	}
	if near != nil && near.inst == best {
		return &keeper{inst: best, near: near}
	}
	return nil
}

// kept computes the value of k at idx, where the current pass computes what is of all dimensions,
// and stores it; or loads it.
func (g *gen) kept(k *keeper, idx []Expr, compute func() []elem.Value) []elem.Value {
	switch {
	case k.stored && k.near != nil:
		return []elem.Value{elem.Load(g.b, k.inst.Type(), k.near.address(g, idx), 0)}
	case k.stored:
		return []elem.Value{g.read(k.in, true, idx, 0)}
	}
	v := compute()
	if k.near != nil {
		elem.Store(g.b, v[0], k.near.address(g, idx), 0)
	} else {
		g.write(k.in, v[0], idx)
	}
	k.used = true
	return v
}
