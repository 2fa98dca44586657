// Package plan turns a module, simplified by the passes, into steps over buffers: which instructions share
// a kernel, what runs in the evaluator for want of a kernel, the order, and where in memory each value
// lives. Sub-computations of loops and conditionals are sequences inside the step; all buffers
// are in one table, the temporary ones in one arena.
package plan

import (
	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Kind says where a buffer's memory comes from.
type Kind uint8

// The kinds of buffers.
const (
	// Temp is in the arena at Offset.
	Temp Kind = iota
	// Param is leaf Index of the arguments, in memory that the caller owns; it is not written
	// unless the argument is donated.
	Param
	// Const holds Value.
	Const
	// Output is leaf Index of the result, in memory that the run allocates.
	Output
	// Host holds a value that is not an array of constant size (a token, a dynamic shape, an opaque value): a
	// literal of the run.
	Host
)

// Buffer is the memory of one array.
type Buffer struct {
	Kind  Kind
	Shape shape.Shape
	Bytes int64
	Index int
	Value *literal.Literal // Const
	// Offset is the place in the arena, in bytes.
	Offset int64
	// Written is set if the memory of a Param is written to: for a result that has it; see Alias.
	Written bool
	// Result is the leaf of the result for which a Param is written to. The same value may be others, too.
	Result int
	// Stream is set for a large result that no step reads: it need not be kept in the caches.
	Stream bool
	// Of is the instruction whose value was given the buffer first, for errors; nil once there can be none: see Detach.
	Of *hlo.Instruction
}

// Value is what an instruction's value lives in: a buffer, or for a tuple those of its elements.
type Value struct {
	Buffer int
	Elems  []Value
	Tuple  bool
}

// Leaves appends the buffers of v, left to right.
//
//go:noinline
func (v Value) Leaves(to []int) []int {
	if !v.Tuple {
		return append(to, v.Buffer)
	}
	for _, e := range v.Elems {
		to = e.Leaves(to)
	}
	return to
}

// Step is one thing to do.
type Step interface {
	// Uses returns the buffers that the step reads and those that it writes, sequences inside included.
	Uses() (reads, writes []int)
	// rename replaces each buffer by the one that of gives, those of sequences inside excluded.
	rename(of func(int) int)
	text(p *printer)
}

// Kernel runs a loop nest: Buffers[k] is the nest's buffer k.
type Kernel struct {
	Nest    *loop.Nest
	Buffers []int
	// Rounds, if not 0, is how often it runs, the rounds one after the other: so that one does not take long, and what is
	// in order is between rounds. Buffer number Round of the nest, an s64, then holds the number of the round.
	Rounds, Round int
}

// HostStep computes one instruction by an algorithm on whole arrays, or in the evaluator.
type HostStep struct {
	Code op.Code
	Name string
	Inst *hlo.Instruction
	// Native is set if there is such an algorithm.
	Native *native.Algorithm
	// Keeps is set if the values of the operands go elsewhere and may be read after the step: to other devices, or
	// the host.
	Keeps    bool
	Operands []Value
	Result   Value
}

// Copy copies buffer From to buffer To of the same shape.
type Copy struct{ From, To int }

// Sequence is a list of steps with a result.
type Sequence struct {
	Steps  []Step
	Result Value
}

// While runs Body as long as Cond gives true. Both read the state from State; after Body its result
// is copied back by Back.
type While struct {
	Name  string
	Inst  *hlo.Instruction
	State Value
	Cond  *Sequence
	Body  *Sequence
	// Back are the copies from the body's result to the state.
	Back []Step
	// Trips is the number of iterations where it is known, else -1: then Cond is not run.
	Trips int64
	// Fused: Body is one kernel, which does iterations as long as the condition holds, up to a number; its result
	// says whether it is to run again.
	Fused bool
}

// Conditional runs the branch that Index chooses: a pred, true for branch 0, or an s32 with the last branch for
// what is out of range. Each branch ends by copying its result to Result.
type Conditional struct {
	Name     string
	Index    int
	Branches []*Sequence
	Result   Value
}

// Plan is a planned module.
type Plan struct {
	Name    string
	Buffers []Buffer
	Params  []Value
	Body    *Sequence
	// ArenaBytes is the size of the arena.
	ArenaBytes int64
	aliases    []Alias
	// HostOps counts the instructions that run in the evaluator, by operation.
	HostOps map[string]int
	machine fuse.Machine // that the nests are made for
}

// Detach drops the instructions of the module, but for those that the evaluator computes: a run needs no others, and
// the module takes as much memory as all the rest.
func (p *Plan) Detach() {
	for n := range p.Buffers {
		p.Buffers[n].Of = nil
	}
	p.Body.detach()
}

func (s *Sequence) detach() {
	for _, st := range s.Steps {
		switch st := st.(type) {
		case *Gemm:
			st.Inst = nil
		case *While:
			st.Inst = nil
		case *HostStep:
			if st.Native != nil {
				st.Inst = nil
			}
		}
		for _, inner := range Inner(st) {
			inner.detach()
		}
	}
}

// Alias asks for leaf Result of the result in the memory of leaf Param of the arguments, where that can be: then
// the argument is overwritten.
type Alias struct{ Param, Result int }

// paramLeaves returns the buffers of the leaves of the arguments.
func (p *Plan) paramLeaves() []int {
	var list []int
	for _, v := range p.Params {
		list = v.Leaves(list)
	}
	return list
}

// Uses implements Step.
func (k *Kernel) Uses() (reads, writes []int) {
	n := len(k.Buffers)
	reads = append(make([]int, 0, 2*n), k.Buffers...)
	reads, writes = reads[:n:n], reads[n:]
	for n, b := range k.Buffers {
		if k.Nest.Buffers[n].Write {
			writes = append(writes, b)
		}
	}
	return reads, writes
}

// Uses implements Step.
func (h *HostStep) Uses() (reads, writes []int) {
	for _, o := range h.Operands {
		reads = o.Leaves(reads)
	}
	return reads, h.Result.Leaves(nil)
}

// Uses implements Step.
func (c *Copy) Uses() (reads, writes []int) { return []int{c.From}, []int{c.To} }

// Uses is that of all steps.
func (s *Sequence) Uses() (reads, writes []int) {
	for _, st := range s.Steps {
		r, w := st.Uses()
		reads, writes = append(reads, r...), append(writes, w...)
	}
	return s.Result.Leaves(reads), writes
}

// Uses implements Step.
func (w *While) Uses() (reads, writes []int) {
	reads, writes = w.Body.Uses()
	if w.Cond != nil {
		r, ws := w.Cond.Uses()
		reads, writes = append(reads, r...), append(writes, ws...)
	}
	for _, c := range w.Back {
		r, ws := c.Uses()
		reads, writes = append(reads, r...), append(writes, ws...)
	}
	return w.State.Leaves(reads), w.State.Leaves(writes)
}

// Uses implements Step.
func (c *Conditional) Uses() (reads, writes []int) {
	reads = append(reads, c.Index)
	for _, b := range c.Branches {
		r, w := b.Uses()
		reads, writes = append(reads, r...), append(writes, w...)
	}
	return reads, c.Result.Leaves(writes)
}

// Inner returns the sequences inside of a step.
func Inner(st Step) []*Sequence {
	switch st := st.(type) {
	case *While:
		if st.Cond == nil {
			return []*Sequence{st.Body}
		}
		return []*Sequence{st.Cond, st.Body}
	case *Conditional:
		return st.Branches
	}
	return nil
}
