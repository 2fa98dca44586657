package interp

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// frame holds the values of one execution of a computation. A value is dropped
// after its last use, so that a run needs no more memory than its live values.
//
// A computation that is called again, as the body of a loop is, uses its frame
// again, and does less: what depends on nothing (a constant, a broadcast of it) is
// kept by the second execution and not computed any more; a computation of a few
// scalars runs as a program.
type frame struct {
	c       *hlo.Computation
	order   []*hlo.Instruction // parameters first
	params  int                // how many they are
	counts  []int32            // by instruction id: uses of the value, one more for the root
	uses    []int32            // by instruction id: uses to come
	values  []literal.Literal  // by instruction id
	kept    []bool             // by instruction id, from the second execution on: values that stay
	entered int
	busy    bool
	program *scalarProgram
}

// enter returns a frame to execute c in.
func (in *Interp) enter(c *hlo.Computation) (*frame, error) {
	f := in.frames[c]
	if f == nil || f.busy {
		f = newFrame(c)
		in.frames[c] = f
	}
	f.busy = true
	f.entered++
	switch f.entered {
	case 2:
		if isSmall(c) {
			return f, in.makeProgram(f)
		}
		f.keepFixed()
	case 3:
		f.order = slices.DeleteFunc(slices.Clone(f.order), fixedIn(f.order))
	}
	copy(f.uses, f.counts)
	return f, nil
}

// makeProgram makes the program of f.
func (in *Interp) makeProgram(f *frame) (err error) {
	if f.program, err = in.scalarProgram(f.c); err != nil {
		delete(in.frames, f.c)
	}
	return err
}

// leave drops the values of f. After an error it is not used again.
func (in *Interp) leave(f *frame, err error) {
	for id, v := range f.values {
		if v.IsValid() && (err != nil || f.kept == nil || !f.kept[id]) {
			in.drop(f, id)
		}
	}
	if f.busy = false; err != nil {
		delete(in.frames, f.c)
	}
}

// keepFixed makes the values stay that depend on nothing and that others depend on.
func (f *frame) keepFixed() {
	fixed := fixedIn(f.order)
	f.kept = make([]bool, len(f.values))
	keep := func(n *hlo.Instruction) {
		if !f.kept[n.ID()] && fixed(n) {
			f.kept[n.ID()] = true
			f.counts[n.ID()]++
		}
	}
	for _, n := range f.order {
		if !fixed(n) {
			for _, o := range n.Operands() {
				keep(o)
			}
		}
	}
	keep(f.c.Root())
}

// fixedIn tells which instructions of order, a post-order, have the same value in every execution.
func fixedIn(order []*hlo.Instruction) func(*hlo.Instruction) bool {
	fixed := map[*hlo.Instruction]bool{}
	for _, n := range order {
		ok := n.Code().Info().Fusion != op.FuseNever
		for _, o := range n.Operands() {
			ok = ok && fixed[o]
		}
		for _, c := range n.Called() {
			ok = ok && isPure(c)
		}
		fixed[n] = ok
	}
	return func(n *hlo.Instruction) bool { return fixed[n] }
}

// isPure reports whether c, a reducer or the like, is made of operations that may be
// fused, none of which has a state.
func isPure(c *hlo.Computation) bool {
	for _, n := range c.Instructions() {
		if n.Code() != op.Parameter && (n.Code().Info().Fusion == op.FuseNever || len(n.Called()) > 0) {
			return false
		}
	}
	return true
}

func newFrame(c *hlo.Computation) *frame {
	n := c.NumIDs()
	f := &frame{c: c, counts: make([]int32, n), uses: make([]int32, n), values: make([]literal.Literal, n)}
	f.order, f.params = releasingOrder(executionOrder(c))
	for _, i := range f.order {
		for _, o := range i.Operands() {
			f.counts[o.ID()]++
		}
	}
	f.counts[c.Root().ID()]++
	return f
}

// set keeps the value of n, if somebody needs it.
func (in *Interp) set(f *frame, n *hlo.Instruction, v literal.Literal) {
	if f.uses[n.ID()] > 0 {
		f.values[n.ID()] = v
		in.memory.hold(v)
	}
}

func (in *Interp) drop(f *frame, id int) {
	in.memory.release(f.values[id])
	f.values[id] = literal.Literal{}
}

// operands returns the values of n's operands.
func (f *frame) operands(n *hlo.Instruction) []literal.Literal {
	args := make([]literal.Literal, len(n.Operands()))
	for k, o := range n.Operands() {
		args[k] = f.values[o.ID()]
	}
	return args
}

// done drops the operands of n that nobody needs any more, after n was evaluated.
func (in *Interp) done(f *frame, n *hlo.Instruction) {
	for _, o := range n.Operands() {
		if f.uses[o.ID()]--; f.uses[o.ID()] == 0 {
			in.drop(f, o.ID())
		}
	}
}
