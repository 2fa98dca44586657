package pass

import (
	"context"
	"math/bits"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// CSE computes once what is computed twice: instructions of one computation with the same
// operation, operands, attributes and shape, that call the same or like computations.
func CSE() Pass {
	return Pass{
		Name: "cse",
		Doc: "Instructions that compute the same from the same operands become one; so do called computations that " +
			"are alike.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			same, changed := mergeComputations(m)
			s := seen{same: same}
			for _, c := range m.PostOrder() {
				ch, err := mergeInstructions(c, &s)
				if err != nil {
					return changed, err
				}
				changed = changed || ch
			}
			return changed, nil
		},
	}
}

// mergeInstructions makes one of instructions of c that are the same. It uses the memory of s.
func mergeInstructions(c *hlo.Computation, s *seen) (bool, error) {
	s.reset(len(c.Instructions()))
	return rewriteComputation(c, func(i *hlo.Instruction) (*hlo.Instruction, error) {
		if !mergeable(i) {
			return nil, nil
		}
		h := hashInstruction(i)
		for k := s.first[s.bucket(h)]; k > 0; k = s.list[k-1].next {
			other := s.list[k-1]
			if other.hash == h && other.inst.Computation() == c && s.sameInstruction(i, other.inst) {
				return other.inst, nil
			}
		}
		s.add(h, i)
		return nil, nil
	})
}

// seen are instructions by their hashes, in lists of those that share the last bits of them.
type seen struct {
	heads       []int32 // first and last
	first, last []int32 // 1 more than places in list, 0: none
	list        []hashed
	same        map[*hlo.Computation]*hlo.Computation // of computations that are alike, the first
}

// hashed is an instruction with its hash; next is 1 more than the place of the next in its list.
type hashed struct {
	hash uint64
	inst *hlo.Instruction
	next int32
}

// reset makes s an empty table for up to n instructions.
func (s *seen) reset(n int) {
	size := 1 << bits.Len(uint(n))
	if 2*size > cap(s.heads) {
		s.heads = make([]int32, 2*size)
	}
	s.heads = s.heads[:2*size]
	clear(s.heads)
	s.first, s.last = s.heads[:size], s.heads[size:]
	s.list = slices.Grow(s.list[:0], n)
}

func (s *seen) bucket(h uint64) uint64 { return (h ^ h>>32) & uint64(len(s.first)-1) }

func (s *seen) add(h uint64, i *hlo.Instruction) {
	s.list = append(s.list, hashed{hash: h, inst: i})
	k, n := s.bucket(h), int32(len(s.list))
	if l := s.last[k]; l > 0 {
		s.list[l-1].next = n
	} else {
		s.first[k] = n
	}
	s.last[k] = n
}

// unmergeable are the operations of which there may be two alike: the halves of
// asynchronous pairs, which have one user each, what marks a place, and what may have a state of its own.
var unmergeable = [op.NumCodes]bool{op.Parameter: true, op.CustomCall: true, op.Domain: true, op.OptBarrier: true,
	op.AsyncStart: true, op.AsyncUpdate: true, op.AsyncDone: true, op.AllGatherDone: true, op.AllReduceDone: true,
	op.CollectivePermuteDone: true, op.CopyStart: true, op.CopyDone: true}

func mergeable(i *hlo.Instruction) bool {
	return !unmergeable[i.Code()] && !HasSideEffect(i) && len(i.ControlPredecessors()) == 0
}

// hashInstruction returns a number that is the same for instructions that are the same.
func hashInstruction(i *hlo.Instruction) uint64 {
	const prime = 1099511628211
	h := uint64(i.Code()) * prime
	for _, o := range i.Operands() {
		h = (h ^ uint64(o.ID()+1)) * prime
	}
	h = (h ^ uint64(i.Type())) * prime
	for _, d := range i.Dims() {
		h = (h ^ uint64(d)) * prime
	}
	return h ^ op.HashAttrs(i.Attrs())
}

func (s *seen) sameInstruction(a, b *hlo.Instruction) bool {
	return a.Code() == b.Code() && slices.Equal(a.Operands(), b.Operands()) && a.Shape().Equal(b.Shape()) &&
		slices.EqualFunc(a.Called(), b.Called(), s.alike) && op.EqualAttrs(a.Attrs(), b.Attrs()) &&
		shardingText(a) == shardingText(b)
}

// alike reports whether it does not matter which of two computations runs, nor how often, as for the loops of two calls
// of one function: no custom call in them may have a state of its own.
func (s *seen) alike(a, b *hlo.Computation) bool {
	return a == b || s.same[a] == s.same[b] && s.same[a] != nil && !callsCustom(a)
}

// callsCustom reports whether there is a custom call in c, or in what it calls.
func callsCustom(c *hlo.Computation) bool {
	return slices.ContainsFunc(c.Instructions(), func(i *hlo.Instruction) bool {
		return i.Code() == op.CustomCall || slices.ContainsFunc(i.Called(), callsCustom)
	})
}

func shardingText(i *hlo.Instruction) string {
	if i.Sharding == nil {
		return ""
	}
	return i.Sharding.String()
}

// applied are the operations that call a computation as a function of elements: it does
// not matter which of several alike they call.
var applied = [op.NumCodes]bool{op.Map: true, op.Reduce: true, op.ReduceWindow: true, op.Scan: true, op.Scatter: true,
	op.SelectAndScatter: true, op.Sort: true, op.AllReduce: true, op.ReduceScatter: true}

// mergeComputations makes instructions that apply like computations call the same one. It returns for each computation
// the first that is like it.
func mergeComputations(m *hlo.Module) (same map[*hlo.Computation]*hlo.Computation, changed bool) {
	first := map[uint64][]*hlo.Computation{}
	same = map[*hlo.Computation]*hlo.Computation{}
	for _, c := range m.PostOrder() {
		for _, i := range c.Instructions() {
			for k, f := range i.Called() {
				if same[f] != nil && applied[i.Code()] && same[f] != f {
					i.SetCalled(k, same[f])
					changed = true
				}
			}
		}
		h := hashComputation(c)
		k := slices.IndexFunc(first[h], func(o *hlo.Computation) bool { return sameComputation(c, o, same) })
		if same[c] = c; k >= 0 {
			same[c] = first[h][k]
		} else {
			first[h] = append(first[h], c)
		}
	}
	return same, changed
}

func hashComputation(c *hlo.Computation) uint64 {
	h := uint64(len(c.Instructions()))
	for _, i := range c.PostOrder() {
		h = h*31 + uint64(i.Code())
		if i.Code() == op.Constant && i.Size() == 1 { // what many loops differ in
			h = h*31 + op.HashAttrs(i.Attrs())
		}
	}
	return h
}

// sameComputation reports whether a and b compute the same in the same order; names and
// annotations do not count. Same may have those that they call and that are alike, as mergeComputations has.
func sameComputation(a, b *hlo.Computation, same map[*hlo.Computation]*hlo.Computation) bool {
	x, y := a.PostOrder(), b.PostOrder()
	if len(x) != len(y) || a.ExecutionThread != b.ExecutionThread {
		return false
	}
	alike := func(f, g *hlo.Computation) bool { return f == g || same[f] != nil && same[f] == same[g] }
	place := make([]int, a.NumIDs())
	other := make([]int, b.NumIDs())
	for k := range x {
		place[x[k].ID()], other[y[k].ID()] = k, k
		i, j := x[k], y[k]
		if i.Code() != j.Code() || !i.Shape().Equal(j.Shape()) || !op.EqualAttrs(i.Attrs(), j.Attrs()) ||
			!slices.EqualFunc(i.Called(), j.Called(), alike) ||
			len(i.ControlPredecessors())+len(j.ControlPredecessors()) > 0 {
			return false
		}
		if !slices.EqualFunc(i.Operands(), j.Operands(), func(p, q *hlo.Instruction) bool {
			return place[p.ID()] == other[q.ID()]
		}) {
			return false
		}
	}
	return place[a.Root().ID()] == other[b.Root().ID()]
}
