package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A product that nothing needs but an update of a part of an array, as the gradients of weights that are stacked, or
// what an iteration of a loop adds to the results of all, is computed in its place there.

// findUpdate finds the update that r, the product of dot i, is for, and reports whether there is one.
func (p *placement) findUpdate(i *hlo.Instruction, r *product) bool {
	if i.Code() != op.Dot || r.into != nil || p.apart {
		return false
	}
	last := i
	for ; ; last = last.Users()[0] {
		if last.IsRoot() || len(last.Users()) != 1 || last.Type() != i.Type() {
			return false
		}
		if c := last.Users()[0].Code(); c != op.Reshape && c != op.Bitcast {
			break
		}
	}
	u := last.Users()[0]
	if u.Code() != op.DynamicUpdateSlice || !p.fusible[u.ID()] || u.Operand(1) != last || u.Operand(0) == last {
		return false
	}
	v, ok := wholeView(u.Shape()).part(u.Dims(), last.Dims(), u.Operands()[2:])
	if ok {
		v, ok = reshapedView(v, i)
	}
	if ok {
		r.updated, ok = r.placed(i, v)
	}
	if !ok {
		return false
	}
	if stride, even := gemm.Axis(slices.Concat(v.axes...)).Stride(); v.offset == 0 && even && stride <= 1 {
		r.updated = r.specs[0]
	}
	r.update, r.startsC = u, v.starts
	return true
}

// computeInside has the products that are for updates computed by these.
func (p *placement) computeInside(order []*hlo.Instruction) {
	for _, i := range order {
		r := p.products[i.ID()]
		if r == nil || !p.findUpdate(i, r) {
			continue
		}
		p.updating[r.update.ID()] = i
		for o := r.update.Operand(1); ; o = o.Operand(0) {
			if p.inside[o.ID()] = true; o == i {
				break
			}
		}
		for _, s := range r.startsC {
			p.feeds[s.index.ID()] = true
		}
	}
}

// updateProduct puts out the product that update i is by, in its place, and reports whether there is one. A product
// that reads what is written over is computed by itself first.
func (s *sequencer) updateProduct(i *hlo.Instruction) (bool, error) {
	d, o := s.groups.updating[i.ID()], i.Operand(0)
	if d == nil {
		return false, nil
	}
	r := s.groups.products[d.ID()]
	if s.inMemory(o) && slices.ContainsFunc(r.reads(), func(x *hlo.Instruction) bool {
		return s.valueOf(x).has(s.valueOf(o).Buffer)
	}) {
		return false, s.outside(i.Operand(1), d, r)
	}
	if err := s.start(i, 0, fuse.Ref{Inst: i}); err != nil {
		return true, err
	}
	s.done[d.ID()] = true
	return true, s.multiply(d, r, []gemm.Spec{r.updated}, s.valueOf(i), r.startsC)
}

// outside puts out r, the product d, by itself: x is d, maybe by other shapes.
func (s *sequencer) outside(x, d *hlo.Instruction, r *product) error {
	s.groups.stored[x.ID()], s.done[x.ID()] = true, true
	if x == d {
		return s.product(d, r)
	}
	if err := s.outside(x.Operand(0), d, r); err != nil {
		return err
	}
	s.rename(x)
	return nil
}
