package plan

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const (
	// mostLoopWork is the most lanes of instructions of an iteration of a loop that becomes one kernel: a few
	// microseconds. More is worth more than one thread, and less than what a step costs.
	mostLoopWork = 1 << 16
	// callLoopWork is about how many of them one call executes: well below a millisecond, for which a collector of
	// garbage, or who ends a run, waits.
	callLoopWork = 1 << 19
	// mostScalarWork is the most lanes of instructions of an iteration that is computed number by number, with all its
	// loops unrolled and what it computes in registers, unless it fills vectors: numbers that are written to memory one by
	// one can only be read together much later.
	mostScalarWork = 256
	// mostMoved is the most instructions of a lane that are worth it where lanes want one another's results.
	mostMoved = 20
	// mostLoopKernels bounds the code of a loop.
	mostLoopKernels = 64
)

// fuseLoops makes one kernel of each loop that does little in an iteration, in a few kernels: the steps of an
// iteration then follow one another without a call. Their values stay where they are, in memory.
func fuseLoops(p *Plan) { p.fuseLoopsOf(p.Body, usesOf(p.Body)) }

func (p *Plan) fuseLoopsOf(s *Sequence, uses map[int]int) {
	var steps []Step
	for _, st := range s.Steps {
		if w, ok := st.(*While); ok && !w.Fused {
			if front, ok := p.fusedLoop(w, uses); ok {
				steps = append(steps, front...)
			}
		}
		for _, inner := range Inner(st) {
			p.fuseLoopsOf(inner, uses)
		}
		steps = append(steps, st)
	}
	s.Steps = steps
}

// usesOf counts how often s, or a step, reads or writes each buffer.
func usesOf(s interface{ Uses() (reads, writes []int) }) map[int]int {
	uses := map[int]int{}
	reads, writes := s.Uses()
	for _, list := range [][]int{reads, writes} {
		for _, b := range list {
			uses[b]++
		}
	}
	return uses
}

// fusedLoop makes w a loop of one kernel if it can, and returns the steps in front of it. The plan used the buffers as
// often as uses tells, before any loop was one kernel.
func (p *Plan) fusedLoop(w *While, uses map[int]int) (front []Step, ok bool) {
	work, kernels := p.loopWork(slices.Concat(w.Body.Steps, w.Back))
	if w.Cond != nil {
		more, n := p.loopWork(w.Cond.Steps)
		work, kernels = work+more, kernels+n
	}
	if kernels > mostLoopKernels || work > mostLoopWork {
		return nil, false
	}
	f := &loopFuser{plan: p, number: map[int]int{}, writes: map[int]bool{}, limit: max(1, callLoopWork/(work+1)),
		whole: work <= mostScalarWork && !fillsVectors(w)}
	if !f.noteWrites(w) {
		return nil, false
	}
	f.b = loop.NewBuilder(w.Inst.Name())
	again := f.loop(w)
	for _, n := range f.zeros {
		front = append(front, &Copy{p.zero(w.Inst), n})
	}
	nest := loop.WriteOut(f.b.Nest())
	loop.Promote(nest, p.privateTo(w, f.buffers, uses))
	loop.DCE(nest)
	nest = loop.WriteOut(nest)
	loop.DCE(nest)
	if nest.Verify() != nil {
		return nil, false
	}
	front = append(front, p.turnRows(nest, f.buffers, w.Trips, w.Inst)...)
	w.Fused, w.Cond, w.Back, w.Trips = true, nil, nil, -1
	w.Body = &Sequence{Steps: []Step{&Kernel{Nest: nest, Buffers: f.buffers}},
		Result: Value{Buffer: again}}
	return front, true
}

// privateTo tells which buffers of the kernel of w, a loop, no step but w uses; see fusedLoop for uses.
func (p *Plan) privateTo(w *While, buffers []int, uses map[int]int) func(int) bool {
	own := usesOf(w)
	for _, b := range w.State.Leaves(nil) {
		own[b]--
	}
	return func(k int) bool {
		b := buffers[k]
		return p.Buffers[b].Kind == Temp && uses[b] == own[b]
	}
}

// temp adds a temporary buffer.
func (p *Plan) temp(s shape.Shape, i *hlo.Instruction) int {
	p.Buffers = append(p.Buffers, Buffer{Kind: Temp, Shape: s, Bytes: int64(s.Size() * s.Type.ByteSize()), Of: i})
	return len(p.Buffers) - 1
}

// zero adds the constant 0.
func (p *Plan) zero(i *hlo.Instruction) int {
	zero := literal.Scalar(int64(0))
	b := Buffer{Kind: Const, Shape: shape.Make(shape.S64), Bytes: 8, Value: &zero, Of: i}
	p.Buffers = append(p.Buffers, b)
	return len(p.Buffers) - 1
}

// bytes adds a temporary buffer of n bytes.
func (p *Plan) bytes(n int, i *hlo.Instruction) int { return p.temp(shape.Make(shape.U8, n), i) }

// loopWork estimates the work of steps that may be in a kernel together, and counts the kernels; it is too much if one
// of them may not.
func (p *Plan) loopWork(steps []Step) (work int64, kernels int) {
	for _, st := range steps {
		switch st := st.(type) {
		case *Kernel:
			if !loop.Spliceable(st.Nest) || st.Rounds > 0 {
				return mostLoopWork + 1, 0
			}
			work += nestWork(st.Nest.Root, 1)
		case *Copy:
			_, n := p.copied(st)
			work += 2 * n // a load and a store
		case *While:
			all, n := p.innerWork(st)
			work, kernels = work+all, kernels+n
		case *Conditional:
			all, n := p.branchWork(st)
			work, kernels = work+all, kernels+n
		default:
			return mostLoopWork + 1, 0
		}
		kernels++
	}
	return work, kernels
}

// innerWork is loopWork for a loop in a loop: of all iterations, or of one call of those that take several.
func (p *Plan) innerWork(w *While) (work int64, kernels int) {
	if scalarLoop(w) {
		return longWork, 1
	}
	each, n := p.loopWork(slices.Concat(w.Body.Steps, w.Back))
	if w.Cond != nil {
		more, m := p.loopWork(w.Cond.Steps)
		each, n = each+more, n+m
	}
	switch {
	case w.Fused || each > mostLoopWork || w.Trips > mostLoopWork:
		return mostLoopWork + 1, 0
	case isLong(w):
		return max(each, longWork), n
	}
	return w.Trips * each, n
}

// vectorLanes are as many as lane loops need to fill short vectors.
const vectorLanes = 4

// fillsVectors reports whether all that is done in w is done for several lanes side by side, of which none needs
// another's result, not even that of the iteration before: what lies elsewhere in memory comes late from there. To
// compute much number by number, such as elementary functions, takes longer.
func fillsVectors(w *While) bool {
	_, writes := w.Uses()
	whole, moved, much := true, false, false
	for _, s := range Inner(w) {
		for _, st := range s.Steps {
			k, ok := st.(*Kernel)
			if !ok {
				continue
			}
			k.Nest.Root.Walk(func(n loop.Node, around []*loop.Loop) {
				if l := n.Loop; l != nil {
					whole = whole && (!l.Lanes || l.Extent >= vectorLanes && len(l.Carries) == 0)
					much = much || l.Lanes && len(l.Body) > mostMoved
				} else if i := k.Nest.Inst(n.Value); i.Op == loop.Load {
					a := &k.Nest.Accesses[i.Access]
					moved = moved || !inPlace(a, around) && slices.Contains(writes, k.Buffers[a.Buffer])
				}
			})
		}
	}
	return whole && (much || !moved)
}

// inPlace reports whether a is not in a lane loop, or each lane's own element.
func inPlace(a *loop.Access, around []*loop.Loop) bool {
	lanes := slices.ContainsFunc(around, func(l *loop.Loop) bool { return l.Lanes })
	return !lanes || a.Offset == 0 && a.Index == 0 && laneStride(a, around) == 1
}

// nestWork estimates the instructions that a block executes, lane by lane.
func nestWork(b loop.Block, times int64) int64 {
	sum := int64(0)
	for _, n := range b {
		if n.Loop == nil {
			sum += times
			continue
		}
		sum += nestWork(n.Loop.Body, times*n.Loop.Extent)
	}
	return sum
}

// loopFuser makes the nest of a loop.
type loopFuser struct {
	plan    *Plan
	b       *loop.Builder
	buffers []int
	number  map[int]int  // of the nest's buffers, by the plan's
	writes  map[int]bool // buffers that anything in the loop writes
	limit   int64        // iterations of a call
	whole   bool         // loops in the loop are unrolled
	zeros   []int        // buffers that are 0 before the loop
}

// noteWrites notes what is written; elements of the state that go through the loop unchanged are only read. It reports
// whether all buffers have memory.
func (f *loopFuser) noteWrites(w *While) bool {
	sequences := append([]*Sequence{{Steps: w.Back}}, Inner(w)...)
	ok := true
	for _, s := range sequences {
		reads, writes := s.Uses()
		for _, b := range writes {
			f.writes[b] = true
		}
		for _, b := range append(reads, writes...) {
			ok = ok && f.plan.Buffers[b].Kind != Host
		}
	}
	return ok
}

// buffer returns the number that a buffer of the plan has in the nest.
func (f *loopFuser) buffer(n int) int {
	if k, ok := f.number[n]; ok {
		return k
	}
	b := f.plan.Buffers[n]
	f.number[n] = f.b.Buffer(loop.Buffer{Name: "b" + strconv.Itoa(len(f.buffers)), Bytes: b.Bytes, Write: f.writes[n]})
	f.buffers = append(f.buffers, n)
	return f.number[n]
}

// body is one iteration.
func (f *loopFuser) body(w *While) {
	f.steps(w.Body.Steps)
	f.steps(w.Back)
}

func (f *loopFuser) steps(steps []Step) {
	for _, st := range steps {
		switch st := st.(type) {
		case *Kernel:
			f.b.Splice(st.Nest, f.buffersOf(st), f.whole)
		case *Copy:
			f.copy(st)
		case *Conditional:
			f.conditional(st)
		case *While: // a short one
			if f.whole {
				for range st.Trips {
					f.body(st)
				}
				continue
			}
			f.b.Each(loop.Spec{Extent: st.Trips}, func(int) { f.body(st) })
		}
	}
}

// buffersOf returns the numbers that the buffers of a kernel have in the nest.
func (f *loopFuser) buffersOf(k *Kernel) []int {
	numbers := make([]int, len(k.Buffers))
	for n, b := range k.Buffers {
		numbers[n] = f.buffer(b)
	}
	return numbers
}

// memOf are the elements by which bytes are copied, by their size.
var memOf = map[int]loop.Mem{1: loop.MemU8, 2: loop.MemU16, 4: loop.MemI32, 8: loop.MemI64}

// floatMemOf are those of numbers that are computed in other registers than integers.
var floatMemOf = map[shape.ElementType]loop.Mem{shape.F32: loop.MemF32, shape.F64: loop.MemF64, shape.C64: loop.MemF32,
	shape.C128: loop.MemF64}

// copied returns how c moves its elements, and how many of these there are.
func (p *Plan) copied(c *Copy) (mem loop.Mem, n int64) {
	b := &p.Buffers[c.From]
	t := b.Shape.Type
	if mem, ok := floatMemOf[t]; ok {
		return mem, b.Bytes / mem.Bytes()
	}
	size := t.ByteSize()
	if memOf[size] == 0 || b.Bytes == 0 {
		size = 8
	}
	return memOf[size], b.Bytes / int64(size)
}

// copy copies a buffer.
func (f *loopFuser) copy(c *Copy) {
	mem, n := f.plan.copied(c)
	from, to := f.buffer(c.From), f.buffer(c.To)
	one := func(offset int64, terms ...loop.Term) {
		v := f.b.Load(loop.Access{Buffer: from, Offset: offset, Terms: terms, Mem: mem}, 0)
		f.b.Store(loop.Access{Buffer: to, Offset: offset, Terms: terms, Mem: mem}, v, 0)
	}
	if n > 1 && !f.whole {
		f.b.Each(loop.Spec{Extent: n, Lanes: true}, func(v int) { one(0, loop.Term{Var: v, Stride: 1}) })
		return
	}
	for k := range n {
		one(k)
	}
}
