package plan

import (
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
)

// leastStream is from how many bytes on a result is not kept in the caches: by the time that the caller reads it, its
// beginning would have left the second one anyway, and the memory of a new result is seldom in any. Where the third is
// near, all arguments and results stay there if they leave a quarter of it.
const leastStream = 2 << 20

// streams marks the large results that no step reads, and what kernels write of them.
func streams(p *Plan, machine gemm.Config) error {
	if p.callers() < int64(machine.L3/4*3) {
		return nil
	}
	read := map[int]bool{}
	for _, st := range p.Body.Steps {
		if k, ok := st.(*Kernel); ok {
			for n, b := range k.Buffers {
				read[b] = read[b] || loads(k.Nest, n)
			}
			continue
		}
		reads, _ := st.Uses()
		for _, b := range reads {
			read[b] = true
		}
	}
	for n := range p.Buffers {
		b := &p.Buffers[n]
		b.Stream = b.Kind == Output && b.Bytes >= leastStream && !read[n]
	}
	for _, st := range p.Body.Steps {
		switch st := st.(type) {
		case *Kernel:
			for n, b := range st.Buffers {
				st.Nest.Buffers[n].Stream = st.Nest.Buffers[n].Write && p.Buffers[b].Stream
			}
		case *Gemm:
			if err := p.streamProduct(st, machine); err != nil {
				return err
			}
		}
	}
	return nil
}

// callers is how many bytes the arguments and results have.
func (p *Plan) callers() (bytes int64) {
	for n := range p.Buffers {
		if b := &p.Buffers[n]; b.Kind == Param || b.Kind == Output {
			bytes += b.Bytes
		}
	}
	return bytes
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
