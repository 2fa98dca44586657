package plan

import (
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
)

// leastStream is from how many bytes on a result is not kept in the caches: by the time that the caller reads it, its
// beginning would have left the second one anyway, and the memory of a new result is seldom in any. Where the third is
// near, what kernels write may stay there.
const leastStream = 2 << 20

// streams marks the large results that no step reads, and what kernels write of them.
func streams(p *Plan, machine gemm.Config) error {
	read := map[int]bool{}
	noteReads(p.Body.Steps, read)
	for n := range p.Buffers {
		b := &p.Buffers[n]
		b.Stream = b.Kind == Output && b.Bytes >= leastStream && !read[n]
	}
	near := p.staysNear(int64(machine.L3))
	for _, st := range p.Body.Steps {
		switch st := st.(type) {
		case *Copy:
			p.Buffers[st.To].Stream = p.Buffers[st.To].Stream && !near
		case *Kernel:
			kept := near && !turnsPast(st.Nest, machine.FarL3)
			for n, b := range st.Buffers {
				st.Nest.Buffers[n].Stream = st.Nest.Buffers[n].Write && p.Buffers[b].Stream && !kept
			}
			loop.ReadInOrder(st.Nest)
		}
	}
	if near {
		return nil
	}
	return p.streamProducts(p.Body.Steps, machine)
}

// noteReads notes what steps read. The state of a loop is only where it is.
func noteReads(steps []Step, read map[int]bool) {
	for _, st := range steps {
		switch st := st.(type) {
		case *Kernel:
			for n, b := range st.Buffers {
				read[b] = read[b] || loads(st.Nest, n)
			}
		case *While:
			for _, inner := range Inner(st) {
				noteReads(inner.Steps, read)
			}
			noteReads(st.Back, read)
		default:
			reads, _ := st.Uses()
			for _, b := range reads {
				read[b] = true
			}
		}
	}
}

// staysNear reports whether so many bytes of the last cache, which takes results faster than memory, hold all that a
// run touches.
func (p *Plan) staysNear(near int64) bool {
	if near == 0 {
		return false
	}
	bytes := p.touched()
	for n := range p.Buffers {
		if p.Buffers[n].Kind == Output {
			bytes += p.Buffers[n].Bytes
		}
	}
	return bytes < near
}

// touched is how many bytes of its arguments a run reads at most: a kernel reads as many elements as it has loads.
func (p *Plan) touched() (bytes int64) {
	read := map[int]int64{}
	for _, st := range p.Body.Steps {
		k, ok := st.(*Kernel)
		if !ok {
			reads, _ := st.Uses()
			for _, b := range reads {
				read[b] = p.Buffers[b].Bytes
			}
			continue
		}
		k.Nest.Root.Walk(func(n loop.Node, loops []*loop.Loop) {
			if i := k.Nest.Inst(n.Value); n.Loop == nil && i.Op == loop.Load {
				a := &k.Nest.Accesses[i.Access]
				all := a.Mem.Bytes()
				for _, l := range loops {
					all *= l.Extent
					if l.Cond != 0 {
						all = p.Buffers[k.Buffers[a.Buffer]].Bytes
						break
					}
				}
				read[k.Buffers[a.Buffer]] += all
			}
		})
	}
	for b, all := range read {
		if p.Buffers[b].Kind == Param {
			bytes += min(all, p.Buffers[b].Bytes)
		}
	}
	return bytes
}

// turnsPast reports whether neighbours of what n stores are far from one another where it loads them, and this is
// quicker written past a last cache that is near, or lines of that are far.
func turnsPast(n *loop.Nest, far bool) bool {
	inner := map[int]bool{}
	for k := range n.Insts {
		if i := &n.Insts[k]; i.Op == loop.Store {
			for _, t := range n.Accesses[i.Access].Terms {
				inner[t.Var] = inner[t.Var] || t.Stride == 1
			}
		}
	}
	for k := range n.Insts {
		i := &n.Insts[k]
		if i.Op != loop.Load {
			continue
		}
		a := &n.Accesses[i.Access]
		for _, t := range a.Terms {
			if inner[t.Var] && (t.Stride > farStride || t.Stride < -farStride) && (far || crowds(n, a, t.Stride)) {
				return true
			}
		}
	}
	return false
}

// farStride is more elements than a line has.
const farStride = 64

// crowds reports whether rows that a reads by turns, so many elements apart, share few sets of the second cache and are
// more than loop.Tile sees to, or neighbours of narrow elements there go to lines of one set of the first.
func crowds(n *loop.Nest, a *loop.Access, apart int64) bool {
	if apart*a.Mem.Bytes()%secondSetStride == 0 && n.Buffers[a.Buffer].Bytes > loop.MostNearby {
		return true
	}
	for k := range n.Insts {
		i := &n.Insts[k]
		if i.Op != loop.Store || n.Accesses[i.Access].Mem.Bytes() >= 4 {
			continue
		}
		to := &n.Accesses[i.Access]
		for _, t := range a.Terms {
			if s := to.Stride(t.Var) * to.Mem.Bytes(); t.Stride == 1 && s != 0 && s%setStride == 0 {
				return true
			}
		}
	}
	return false
}

// Lines so many bytes apart share a set of the first cache, which has 64 sets on all processors that this is for, and
// one of a few of the second.
const setStride, secondSetStride = 4 << 10, 64 << 10

// streamProducts plans the products of steps anew, and of loops in them, whose results are not kept in the caches.
func (p *Plan) streamProducts(steps []Step, machine gemm.Config) error {
	for _, st := range steps {
		var err error
		switch st := st.(type) {
		case *Gemm:
			err = p.streamProduct(st, machine)
		case *While:
			err = p.streamProducts(st.Body.Steps, machine)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// streamProduct plans g anew if its result is not kept in the caches.
func (p *Plan) streamProduct(g *Gemm, machine gemm.Config) error {
	spec := g.Product.Spec()
	if spec.Stream = p.Buffers[g.C].Stream; !spec.Stream {
		return nil
	}
	product, err := gemm.New(spec, machine)
	if err != nil {
		return g.Inst.Errorf("", "", "%w", err)
	}
	g.Product = product
	return nil
}

// loads reports whether n reads buffer b.
func loads(n *loop.Nest, b int) bool {
	for k := range n.Insts {
		if i := &n.Insts[k]; i.Op == loop.Load && n.Accesses[i.Access].Buffer == b {
			return true
		}
	}
	return false
}
