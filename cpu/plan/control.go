package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass"
	"github.com/goxla/xla/shape"
)

// while copies the first state to buffers of the loop's own, in which every iteration finds and
// leaves it.
func (s *sequencer) while(i *hlo.Instruction) (Value, error) {
	w := &While{Name: i.Name(), Inst: i, State: s.builder.value(i.Shape(), s.leaf(Temp, i)), Trips: -1}
	if err := s.agrees(i, s.valueOf(i.Operand(0))); err != nil {
		return Value{}, err
	}
	s.begin(i, s.valueOf(i.Operand(0)), w.State)
	state := w.State.Leaves(nil)
	if !s.options.NoFusion && fuse.WhileFits(i) {
		return w.State, s.whileKernel(w)
	}
	if s.interchange(w) {
		return w.State, nil
	}
	var err error
	if n, ok := pass.TripCount(i); ok {
		w.Trips = n
	} else if w.Cond, err = s.sequence(i.Called()[0], []Value{w.State}); err != nil {
		return Value{}, err
	}
	s.loops++
	defer func() { s.loops-- }()
	if w.Body, err = s.sequence(i.Called()[1], []Value{w.State}, state...); err != nil {
		return Value{}, err
	}
	if err := s.agrees(i, w.Body.Result); err != nil {
		return Value{}, err
	}
	w.Back = s.back(w.Body.Result.Leaves(nil), state)
	s.steps = append(s.steps, w)
	return w.State, nil
}

// begin copies what loop i begins with into its state, but for elements that it overwrites.
func (s *sequencer) begin(i *hlo.Instruction, from, state Value) {
	if !from.Tuple {
		s.steps = append(s.steps, &Copy{from.Buffer, state.Buffer})
		return
	}
	for k, e := range from.Elems {
		if overwrites(i, k) {
			continue
		}
		to := state.Elems[k].Leaves(nil)
		for n, b := range e.Leaves(nil) {
			s.steps = append(s.steps, &Copy{b, to[n]})
		}
	}
}

// whileKernel adds a loop that is one kernel, which does a number of iterations and says whether there are more.
func (s *sequencer) whileKernel(w *While) error {
	nest, err := fuse.BuildWhile(w.Inst, s.machine(), fuse.CallWork)
	if err != nil {
		return err
	}
	again := s.leaf(Temp, w.Inst)(shape.Make(shape.Pred))
	k := &Kernel{Nest: nest, Buffers: append(w.State.Leaves(nil), again)}
	w.Fused, w.Body = true, &Sequence{Steps: []Step{k}, Result: Value{Buffer: again}}
	s.steps = append(s.steps, w)
	return nil
}

// back copies each of from to its place in to. What another copy overwrites before it is read
// goes by way of a buffer of its own.
func (s *sequencer) back(from, to []int) []Step {
	var saves, copies []Step
	for k, f := range from {
		if f == to[k] {
			continue
		}
		if at := slices.Index(to, f); at >= 0 && at < k && from[at] != f {
			saved := s.plan.Buffers[f]
			n := s.add(Buffer{Kind: saved.Kind, Shape: saved.Shape, Bytes: saved.Bytes, Of: saved.Of})
			saves = append(saves, &Copy{f, n})
			f = n
		}
		copies = append(copies, &Copy{f, to[k]})
	}
	return append(saves, copies...)
}

// conditional plans each branch, with a copy of its result at the end.
func (s *sequencer) conditional(i *hlo.Instruction) (Value, error) {
	c := &Conditional{Name: i.Name(), Index: s.valueOf(i.Operand(0)).Buffer,
		Result: s.builder.value(i.Shape(), s.leaf(Temp, i))}
	to := c.Result.Leaves(nil)
	for k, comp := range i.Called() {
		branch, err := s.sequence(comp, []Value{s.valueOf(i.Operand(k + 1))})
		if err != nil {
			return Value{}, err
		}
		if err := s.agrees(i, branch.Result); err != nil {
			return Value{}, err
		}
		for n, from := range branch.Result.Leaves(nil) {
			branch.Steps = append(branch.Steps, &Copy{from, to[n]})
		}
		branch.Result = c.Result
		c.Branches = append(c.Branches, branch)
	}
	s.steps = append(s.steps, c)
	return c.Result, nil
}

// agrees returns an error where i, a parameter or the result of calls, says that the size of an array is known, and of
// v, which is handed on to it, that is not so, or the other way round: XLA's shapes are compatible then, but the two
// are not in memory of one kind.
func (b *builder) agrees(i *hlo.Instruction, v Value) error { return b.agreesWith(i, v, i.Shape()) }

func (b *builder) agreesWith(i *hlo.Instruction, v Value, s shape.Shape) error {
	if v.Tuple {
		for k, e := range v.Elems {
			if err := b.agreesWith(i, e, s.Elems[k]); err != nil {
				return err
			}
		}
		return nil
	}
	if got := b.plan.Buffers[v.Buffer].Shape; s.IsArray() && got.IsArray() && s.IsStatic() != got.IsStatic() {
		return i.Errorf("", "", "expects an array whose size is known as it is handed on, or is not known in either "+
			"place: %v, got %v", s, got)
	}
	return nil
}
