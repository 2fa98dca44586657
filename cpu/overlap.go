package cpu

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// This file lets collectives run beside computations. A collective that the evaluator does is begun as soon as its
// operands are there, and waited for where its result is used; only what does not go to the evaluator runs in
// between. Collectives run one after another in the order of the plan, which is the same on all devices, so that
// nothing changes but who waits when. The operands are copies, and the result is put into its buffers by the wait.
// After one that fails no other one is done: the devices that did not come to it do not come to the next one either.

// span is where the collective at step is under way: from the step begin on, and until the step end begins.
type span struct{ begin, step, end int }

// spans returns the collectives of a sequence that run beside something.
func spans(p *plan.Plan, steps []plan.Step) []span {
	var list []span
	for i, st := range steps {
		h, ok := st.(*plan.HostStep)
		if !ok || !startable(p, h) {
			continue
		}
		reads, writes := h.Uses()
		s := span{begin: i, step: i, end: i + 1}
		for s.begin > 0 && beside(steps[s.begin-1]) && !touches(p, steps[s.begin-1], reads, true) {
			s.begin--
		}
		for s.end < len(steps) && beside(steps[s.end]) && !touches(p, steps[s.end], writes, false) {
			s.end++
		}
		for _, q := range list { // whose result is there when it has been waited for
			if touches(p, steps[q.step], reads, true) {
				s.begin = max(s.begin, q.end)
			}
		}
		if s.end-s.begin > 1 {
			list = append(list, s)
		}
	}
	return list
}

// startable reports whether h is a collective whose operands and results are arrays of known sizes.
func startable(p *plan.Plan, h *plan.HostStep) bool {
	if h.Native != nil || !h.Code.Info().Has(op.Collective) || !h.Keeps {
		return false
	}
	reads, writes := h.Uses()
	return !slices.ContainsFunc(slices.Concat(reads, writes), func(n int) bool { return p.Buffers[n].Kind == plan.Host })
}

// beside reports whether a step may run beside the evaluator.
func beside(st plan.Step) bool {
	switch st := st.(type) {
	case *plan.Kernel, *plan.Gemm, *plan.Pack:
		return true
	case *plan.HostStep:
		return st.Native != nil
	}
	return false
}

// touches reports whether a step writes to the memory of any of the buffers or, unless that is all that counts,
// reads it.
func touches(p *plan.Plan, st plan.Step, buffers []int, writesOnly bool) bool {
	used, writes := st.Uses()
	if writesOnly {
		used = writes
	} else {
		used = slices.Concat(used, writes)
	}
	for _, n := range used {
		if slices.ContainsFunc(buffers, func(m int) bool { return shared(p, n, m) }) {
			return true
		}
	}
	return false
}

// shared reports whether two buffers may have memory in common.
func shared(p *plan.Plan, n, m int) bool {
	a, b := &p.Buffers[n], &p.Buffers[m]
	switch {
	case n == m:
		return true
	case a.Kind == plan.Temp && b.Kind == plan.Temp:
		return a.Offset < b.Offset+b.Bytes && b.Offset < a.Offset+a.Bytes
	case a.Kind == plan.Param && b.Kind == plan.Output:
		return a.Written
	case a.Kind == plan.Output && b.Kind == plan.Param:
		return b.Written
	}
	return false
}

// overlap makes the steps of a sequence, with the begin and the wait of collectives that run beside others.
func (p *Program) overlap(s *plan.Sequence) sequence {
	all := spans(p.plan, s.Steps)
	p.evaluates = p.evaluates || len(all) > 0
	var list sequence
	for i := range len(s.Steps) + 1 {
		for _, sp := range all {
			if sp.end == i {
				list = append(list, &waitStep{s.Steps[sp.step].(*plan.HostStep)})
			}
		}
		for _, sp := range all {
			if sp.begin == i {
				list = append(list, &beginStep{evaluatorStep{s.Steps[sp.step].(*plan.HostStep)}})
			}
		}
		at := slices.ContainsFunc(all, func(sp span) bool { return sp.step == i })
		if i == len(s.Steps) || at || i > 0 && p.followed(s.Steps[i-1], s.Steps[i]) ||
			i < len(s.Steps) && p.within(s.Steps[i]) {
			continue
		}
		list = append(list, p.lowerStep(s.Steps[i]))
	}
	return list
}

// collective is one that is under way in a run, or over.
type collective struct {
	step   *plan.HostStep
	over   chan struct{} // closed at the end
	result literal.Literal
	err    error
	panics any
}

// beginStep begins a collective.
type beginStep struct{ evaluatorStep }

func (b *beginStep) do(r *run) error {
	operands, err := b.operands(r)
	if err != nil {
		return err
	}
	c := &collective{step: b.HostStep, over: make(chan struct{})}
	var last *collective
	if n := len(r.under); n > 0 {
		last = r.under[n-1]
	}
	r.under = append(r.under, c)
	eval := r.eval
	go func() {
		defer close(c.over)
		if last != nil {
			<-last.over
			if c.err, c.panics = last.err, last.panics; last.failed() {
				return
			}
		}
		defer func() { c.panics = recover() }()
		c.result, c.err = eval.Instruction(b.Inst, operands)
	}()
	return nil
}

// failed reports whether a collective that is over has no result: because of itself, or of one before it.
func (c *collective) failed() bool { return c.err != nil || c.panics != nil }

// waitStep waits for a collective.
type waitStep struct{ *plan.HostStep }

func (w *waitStep) do(r *run) error {
	i := slices.IndexFunc(r.under, func(c *collective) bool { return c.step == w.HostStep })
	if i < 0 {
		return fmt.Errorf("%s was not begun", w.Name)
	}
	c := r.under[i]
	<-c.over
	r.under = slices.Delete(r.under, i, i+1)
	if c.panics != nil {
		panic(c.panics)
	}
	if c.err != nil {
		return c.err
	}
	return r.put(w.Result, c.result)
}

// settle waits until no collective is under way: the evaluator is for one at a time.
func (r *run) settle() {
	if n := len(r.under); n > 0 {
		<-r.under[n-1].over // the last one: they run one after another
	}
}
