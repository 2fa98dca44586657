package cpu

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// run is the state of one run: where each buffer is. It is used again by later runs.
type run struct {
	program *Program
	ctx     context.Context
	eval    Evaluator
	arena   []uint64
	bufs    [][]byte          // by buffer
	hosts   []literal.Literal // by buffer: Host, and the literals that outputs and arguments are part of
	launch  launch
	product gemm.Job
}

func newRun(p *Program) *run {
	r := &run{program: p, bufs: make([][]byte, len(p.plan.Buffers)), hosts: make([]literal.Literal, len(p.plan.Buffers))}
	r.arena = make([]uint64, p.plan.ArenaBytes/8+8)
	arena := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r.arena))), len(r.arena)*8)
	skew := -int(uintptr(unsafe.Pointer(unsafe.SliceData(arena)))) & 63
	for n, b := range p.plan.Buffers {
		switch b.Kind {
		case plan.Temp:
			r.bufs[n] = arena[skew+int(b.Offset) : skew+int(b.Offset+b.Bytes) : skew+int(b.Offset+b.Bytes)]
		case plan.Const:
			r.hosts[n] = b.Value.RowMajor()
			r.bufs[n] = r.hosts[n].Bytes()
		}
	}
	return r
}

// Run executes the program on args, one literal a parameter, whose shapes were checked.
func (p *Program) Run(ctx context.Context, args []literal.Literal, eval Evaluator) (literal.Literal, error) {
	r := p.runs.Get().(*run)
	defer func() {
		r.release()
		p.runs.Put(r)
	}()
	r.ctx, r.eval = ctx, eval
	for k, v := range p.plan.Params {
		r.bind(v, args[k])
	}
	for n, b := range p.plan.Buffers {
		if b.Kind == plan.Output {
			r.hosts[n] = literal.New(static(b.Shape))
			r.bufs[n] = r.hosts[n].Bytes()
		}
	}
	if err := r.sequence(p.plan.Body); err != nil {
		return literal.Literal{}, err
	}
	return r.result(p.plan.Body.Result), nil
}

// release drops what belongs to the caller.
func (r *run) release() {
	r.ctx, r.eval = nil, nil
	for n, b := range r.program.plan.Buffers {
		if b.Kind != plan.Temp && b.Kind != plan.Const {
			r.bufs[n], r.hosts[n] = nil, literal.Literal{}
		}
	}
}

// bind makes the buffers of v those of an argument.
func (r *run) bind(v plan.Value, arg literal.Literal) {
	if v.Tuple {
		for k, e := range arg.Elems() {
			r.bind(v.Elems[k], e)
		}
		return
	}
	if !arg.Shape().IsArray() {
		r.hosts[v.Buffer] = arg
		return
	}
	r.hosts[v.Buffer] = arg.RowMajor()
	r.bufs[v.Buffer] = r.hosts[v.Buffer].Bytes()
}

// result makes the literal of the result.
func (r *run) result(v plan.Value) literal.Literal {
	if !v.Tuple {
		return r.hosts[v.Buffer]
	}
	elems := make([]literal.Literal, len(v.Elems))
	for k, e := range v.Elems {
		elems[k] = r.result(e)
	}
	return literal.MakeTuple(elems...)
}

// value makes a literal that shares the memory of v.
func (r *run) value(v plan.Value) (literal.Literal, error) {
	if v.Tuple {
		elems := make([]literal.Literal, len(v.Elems))
		for k, e := range v.Elems {
			var err error
			if elems[k], err = r.value(e); err != nil {
				return literal.Literal{}, err
			}
		}
		return literal.MakeTuple(elems...), nil
	}
	b := &r.program.plan.Buffers[v.Buffer]
	if b.Kind != plan.Temp {
		return r.hosts[v.Buffer], nil
	}
	return literal.FromBytes(static(b.Shape), r.bufs[v.Buffer])
}

// static is s in default layout, which is how values are kept.
func static(s shape.Shape) shape.Shape {
	s.Layout = nil
	return s
}

// put gives the buffers of v the value l.
func (r *run) put(v plan.Value, l literal.Literal) error {
	if v.Tuple {
		for k, e := range l.Elems() {
			if err := r.put(v.Elems[k], e); err != nil {
				return err
			}
		}
		return nil
	}
	if r.program.plan.Buffers[v.Buffer].Kind == plan.Host {
		if l.Shape().IsArray() {
			l = l.Clone() // it may be a view of an operand, whose memory is soon another's
		}
		r.hosts[v.Buffer] = l
		return nil
	}
	from := l.RowMajor().Bytes()
	if len(from) != len(r.bufs[v.Buffer]) {
		return fmt.Errorf("expects a value of %v, got %v", r.program.plan.Buffers[v.Buffer].Shape, l.Shape())
	}
	copy(r.bufs[v.Buffer], from)
	return nil
}

func (r *run) sequence(s *plan.Sequence) error {
	for _, st := range s.Steps {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.step(st); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) step(st plan.Step) error {
	switch st := st.(type) {
	case *plan.Kernel:
		return r.kernel(st)
	case *plan.Copy:
		return r.copy(st)
	case *plan.Gemm:
		return r.gemm(st)
	case *plan.HostStep:
		return r.host(st)
	case *plan.While:
		return r.while(st)
	case *plan.Conditional:
		return r.conditional(st)
	}
	return fmt.Errorf("cpu: a step of type %T", st)
}

func (r *run) kernel(k *plan.Kernel) error {
	bufs := r.launch.bufs[:0]
	for _, b := range k.Buffers {
		bufs = append(bufs, r.bufs[b])
	}
	r.launch.bufs = bufs
	return r.program.kernels[k].run(r.program.pool, &r.launch)
}

func (r *run) copy(c *plan.Copy) error {
	from, to := r.program.plan.Buffers[c.From].Kind, r.program.plan.Buffers[c.To].Kind
	if to == plan.Host {
		l, err := r.value(plan.Value{Buffer: c.From})
		if from != plan.Host && err == nil {
			l = l.Clone()
		}
		r.hosts[c.To] = l
		return err
	}
	if from == plan.Host {
		return r.put(plan.Value{Buffer: c.To}, r.hosts[c.From])
	}
	copy(r.bufs[c.To], r.bufs[c.From])
	return nil
}

// native runs an algorithm on the buffers themselves.
func (r *run) native(h *plan.HostStep) error {
	var in, out [][]byte
	for _, o := range h.Operands {
		for _, n := range o.Leaves(nil) {
			in = append(in, r.bufs[n])
		}
	}
	for _, n := range h.Result.Leaves(nil) {
		out = append(out, r.bufs[n])
	}
	return h.Native(r.program.pool, in, out)
}

func (r *run) host(h *plan.HostStep) error {
	if h.Native != nil {
		return r.native(h)
	}
	operands := make([]literal.Literal, len(h.Operands))
	for k, o := range h.Operands {
		var err error
		if operands[k], err = r.value(o); err != nil {
			return err
		}
		if h.Keeps {
			operands[k] = operands[k].Clone()
		}
	}
	l, err := r.eval.Instruction(h.Inst, operands)
	if err != nil {
		return err
	}
	return r.put(h.Result, l)
}

func (r *run) while(w *plan.While) error {
	for trip := int64(0); ; trip++ {
		if w.Trips >= 0 {
			if trip == w.Trips {
				return nil
			}
		} else {
			if err := r.sequence(w.Cond); err != nil {
				return err
			}
			on, err := r.value(w.Cond.Result)
			if err != nil || !on.BoolAt(0) {
				return err
			}
		}
		if err := r.sequence(w.Body); err != nil {
			return err
		}
		for _, c := range w.Back {
			if err := r.step(c); err != nil {
				return err
			}
		}
	}
}

func (r *run) conditional(c *plan.Conditional) error {
	index, err := r.value(plan.Value{Buffer: c.Index})
	if err != nil {
		return err
	}
	k := len(c.Branches) - 1
	if index.Type() == shape.Pred {
		if index.BoolAt(0) {
			k = 0
		}
	} else if i := index.IntAt(0); i >= 0 && i < int64(k) {
		k = int(i)
	}
	return r.sequence(c.Branches[k])
}
