package cpu

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
)

// A kernel that goes through the result of a product in the order of its rows, such as one that adds a bias and takes
// the maximum with 0, need not wait for all of it: it follows the product, on the rows that a thread has made, while
// they are in its cache.

// follower is a kernel that follows a product.
type follower struct {
	step *plan.Kernel
	// rows of the product are so many iterations of the kernel.
	rows, iterations int
}

// follow finds the kernels that follow products in s and the sequences in it, and plans these products again.
func (p *Program) follow(s *plan.Sequence, machine gemm.Config) error {
	for i, st := range s.Steps {
		for _, inner := range plan.Inner(st) {
			if err := p.follow(inner, machine); err != nil {
				return err
			}
		}
		g, ok := st.(*plan.Gemm)
		if !ok || i+1 == len(s.Steps) || g.Packed >= 0 || !g.Product.MayFollow() || len(spans(p.plan, s.Steps)) > 0 {
			continue
		}
		k, ok := s.Steps[i+1].(*plan.Kernel)
		if !ok {
			continue
		}
		if f := p.followerOf(g, k); f != nil {
			if err := p.planFollowed(g, f, machine); err != nil {
				return err
			}
		}
	}
	return nil
}

// followed reports whether step st runs as a part of the one before it.
func (p *Program) followed(before, st plan.Step) bool {
	g, ok := before.(*plan.Gemm)
	return ok && p.followers[g] != nil && plan.Step(p.followers[g].step) == st
}

// planFollowed plans a product anew for the kernel that is to follow it, if that pays and takes no more memory.
func (p *Program) planFollowed(g *plan.Gemm, f *follower, machine gemm.Config) error {
	spec := g.Product.Spec()
	spec.Together = f.rows
	product, err := gemm.New(spec, machine)
	if err != nil {
		return err
	}
	if product.Follows() && product.ScratchBytes() <= g.Product.ScratchBytes() {
		g.Product, p.followers[g] = product, f
	}
	return nil
}

// followerOf returns k as what follows g, nil if it cannot: iterations of k that have their rows must not need other
// rows, nor write what the product reads.
func (p *Program) followerOf(g *plan.Gemm, k *plan.Kernel) *follower {
	spec := g.Product.Spec()
	l := k.Nest.Outermost()
	if l == nil || !l.Parallel || k.Rounds > 0 || spec.Rows != nil || l.Extent < 2 {
		return nil
	}
	f := &follower{step: k, rows: spec.Batch() * spec.M(), iterations: int(l.Extent)}
	if !f.reduce(l.Lanes) {
		return nil
	}
	bytes := int64(spec.Batch()*spec.M()*spec.N()) * int64(spec.C.ByteSize())
	if bytes != p.plan.Buffers[g.C].Bytes || bytes%l.Extent != 0 || !p.apart(g, k) {
		return nil
	}
	reads := false
	for n, b := range k.Buffers {
		if b == g.C && !k.Nest.InTurn(n, l, bytes/l.Extent) {
			return nil
		}
		reads = reads || b == g.C
	}
	if !reads {
		return nil
	}
	return f
}

// reduce makes rows and iterations as small as can be, and reports whether one of them is 1. Of lanes iterations begin
// with whole vectors, and so with whole lines of memory.
func (f *follower) reduce(lanes bool) bool {
	if f.rows%f.iterations == 0 {
		f.rows, f.iterations = f.rows/f.iterations, 1
	} else if f.iterations%f.rows == 0 {
		f.rows, f.iterations = 1, f.iterations/f.rows
	}
	ok := f.rows == 1 || f.iterations == 1
	if even := f.iterations & -f.iterations; lanes && even < wholeVectors {
		f.rows, f.iterations = wholeVectors/even*f.rows, wholeVectors/even*f.iterations
	}
	return ok
}

// apart reports whether k, but for the product, has no memory that g writes, and does not write any that g has.
func (p *Program) apart(g *plan.Gemm, k *plan.Kernel) bool {
	reads, writes := g.Uses()
	for n, b := range k.Buffers {
		buffer := &k.Nest.Buffers[n]
		clash := func(m int) bool { return shared(p.plan, b, m) }
		switch {
		case buffer.Scratch:
			return false
		case b == g.C:
		case slices.ContainsFunc(writes, clash) || buffer.Write && slices.ContainsFunc(reads, clash):
			return false
		}
	}
	return true
}

// following runs the kernel on what is complete of the product.
type following struct {
	*follower
	launch *launch
}

// Do does the iterations of rows [lo, hi).
func (f *following) Do(worker, lo, hi int) {
	n := f.iterations * f.launch.kernel.pieces.count
	f.launch.Do(worker, lo/f.rows*n, hi/f.rows*n)
}

// followedStep runs a product and the kernel that follows it.
type followedStep struct {
	product gemmStep
	kernel  kernelStep
	*follower
}

func (f *followedStep) do(r *run) error {
	f.kernel.bind(r)
	r.launch.kernel, r.launch.err = f.kernel.kernel, nil
	r.following = following{f.follower, &r.launch}
	f.product.run(r, &r.following)
	r.following = following{}
	return r.launch.err
}
