package plan

import (
	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// interchanger plans a loop in rounds of iterations; see fuse.Interchange.
type interchanger struct {
	*sequencer
	w    *While
	own  map[fuse.Ref]int // buffers
	next map[int]int      // by element of the state: the array of the next round
}

// interchange plans w in rounds, if it is such a loop.
func (s *sequencer) interchange(w *While) bool {
	x := fuse.InterchangeOf(w.Inst, s.options.Rounds)
	if x == nil || s.options.NoFusion {
		return false
	}
	spec := s.complete(fuse.Spec{Name: w.Inst.Name()})
	spec.Strides, spec.Far = nil, nil // which are of values of this computation, not of the body
	arrays, err := x.Arrays(spec)
	if err != nil {
		return false
	}
	scalars, err := x.Scalars(spec)
	if err != nil {
		return false
	}
	n := &interchanger{sequencer: s, w: w, own: map[fuse.Ref]int{}, next: map[int]int{}}
	if x.Tested() {
		n.tested(arrays, scalars)
	} else {
		w.Cond = &Sequence{Steps: []Step{n.kernel(scalars)}, Result: n.of(fuse.RoundOn)}
		w.Body = &Sequence{Steps: []Step{n.kernel(arrays)}, Result: w.State}
	}
	s.steps = append(s.steps, w)
	return true
}

// tested plans a loop whose arrays are others after each round.
func (n *interchanger) tested(arrays, scalars *fuse.Kernel) {
	w := n.w
	all := n.kernel(arrays)
	for k, r := range arrays.Buffers {
		if r.Inst == w.Inst && r.Leaf == fuse.RoundTests {
			n.clear(all.Buffers[k])
		}
	}
	first := n.kernel(scalars)
	n.clear(n.of(fuse.RoundLength).Buffer)
	n.steps = append(n.steps, first)
	none := Value{Tuple: true}
	again := &Conditional{Name: w.Name, Index: n.of(fuse.RoundRepeats).Buffer, Result: none,
		Branches: []*Sequence{{Steps: []Step{n.kernel(arrays)}, Result: none}, {Result: none}}}
	result := Value{Tuple: true}
	for k, v := range w.State.Elems {
		if b, ok := n.next[k]; ok {
			v = Value{Buffer: b}
		}
		result.Elems = append(result.Elems, v)
	}
	w.Cond = &Sequence{Result: n.of(fuse.RoundOn)}
	w.Body = &Sequence{Steps: []Step{all, n.kernel(scalars), again}, Result: result}
	w.Back = n.back(result.Leaves(nil), w.State.Leaves(nil))
}

// clear adds a step that makes a buffer of s32 zero.
func (n *interchanger) clear(b int) {
	s := shape.Make(shape.S32, int(n.plan.Buffers[b].Bytes)/4)
	elements := literal.New(s)
	zero := n.add(Buffer{Kind: Const, Shape: s, Bytes: n.plan.Buffers[b].Bytes, Value: &elements, Of: n.w.Inst})
	n.steps = append(n.steps, &Copy{zero, b})
}

// of is the number or truth value that the kernels share.
func (n *interchanger) of(leaf int) Value {
	return Value{Buffer: n.own[fuse.Ref{Inst: n.w.Inst, Leaf: leaf}]}
}

// kernel returns the step of a kernel.
func (n *interchanger) kernel(k *fuse.Kernel) *Kernel {
	step := &Kernel{Nest: k.Nest}
	for b, r := range k.Buffers {
		step.Buffers = append(step.Buffers, n.buffer(r, k.Nest.Buffers[b].Bytes))
	}
	return step
}

// buffer returns the buffer of r, of so many bytes.
func (n *interchanger) buffer(r fuse.Ref, bytes int64) int {
	switch r.Inst.Code() {
	case op.Parameter:
		return n.w.State.Elems[r.Leaf].Buffer
	case op.GetTupleElement:
		return n.w.State.Elems[r.Inst.Attrs().(*op.GetTupleElementAttrs).Index].Buffer
	}
	if b, ok := n.own[r]; ok {
		return b
	}
	var b int
	switch code := r.Inst.Code(); {
	case code == op.Constant:
		b = n.constant(r.Inst, r.Inst.Attrs().(*op.ConstantAttrs).Value).Buffer
	case r.Leaf >= 0: // of the body's result
		b = n.plan.temp(r.Shape(), n.w.Inst)
		n.next[r.Leaf] = b
	case bytes == 1:
		b = n.plan.temp(shape.Make(shape.Pred), n.w.Inst)
	default:
		b = n.plan.bytes(int(bytes), n.w.Inst)
	}
	n.own[r] = b
	return b
}
