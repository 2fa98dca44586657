package cpu

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// run is the state of one run: where each buffer is. It is used again by later runs.
type run struct {
	program   *Program
	ctx       context.Context
	done      <-chan struct{} // of ctx
	eval      Evaluator
	arena     *exec.Arena       // of a program that needs much memory
	bufs      [][]byte          // by buffer
	hosts     []literal.Literal // by buffer: Host, and the literals that outputs and arguments are part of
	launch    launch
	threads   int        // that short steps have at most
	governors []governor // by number of the lap
	copying   copying
	bundlings []*bundling   // by number of the step
	under     []*collective // begun and not waited for
	in, out   [][]byte      // of a native step
	product   gemm.Job
	// following is the kernel that runs on rows of the product.
	following following
	// packed holds, by leaf of the arguments, the elements of one that had to be copied into row-major order,
	// and spare, by leaf of the result, memory for one that cannot be computed in its place.
	packed, spare [][]byte
	from          [][]byte // by leaf of the result: where it is
	places        [][]byte // of what changes places in the loops that are run
}

// newRun makes the state of a run, with its arena.
func newRun(p *Program) (*run, error) {
	r := &run{program: p, bufs: make([][]byte, len(p.plan.Buffers)), hosts: make([]literal.Literal, len(p.plan.Buffers)),
		packed: make([][]byte, len(p.params)), spare: make([][]byte, len(p.results)),
		from: make([][]byte, len(p.results))}
	for _, jobs := range p.laps {
		r.governors = append(r.governors, newGovernor(p.pool.Threads(), jobs))
	}
	r.bundlings = make([]*bundling, p.shares)
	r.launch.args = make([]ownArgs, p.pool.Threads())
	arena, held, err := newMemory(p.plan.ArenaBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.plan.Name, err)
	}
	r.arena = held
	for n, b := range p.plan.Buffers {
		switch b.Kind {
		case plan.Temp:
			r.bufs[n] = arena[b.Offset : b.Offset+b.Bytes : b.Offset+b.Bytes]
		case plan.Const:
			r.hosts[n], r.bufs[n] = p.consts[n], p.consts[n].Bytes()
		}
	}
	return r, nil
}

// largeArena is from where on memory is outside of the Go heap, on huge pages where there are any.
const largeArena = 1 << 20

// newMemory returns zeros from a multiple of 64 on, and the arena that they are in unless they are in the Go heap.
func newMemory(bytes int64) ([]byte, *exec.Arena, error) {
	if bytes < largeArena {
		return alignedBytes(bytes), nil, nil
	}
	a, err := exec.NewArena(int(bytes))
	if err != nil {
		return nil, nil, err
	}
	return a.Bytes(), a, nil
}

// close frees the arena.
func (r *run) close() {
	if r.arena != nil {
		r.arena.Close()
	}
}

// take returns the state for a run: one that an earlier run has left, or a new one.
func (p *Program) take() (*run, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("%s: the program was closed", p.plan.Name)
	}
	p.running++
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return r, nil
	}
	r, err := newRun(p)
	if err != nil {
		p.running--
	}
	return r, err
}

// give takes back what take gave.
func (p *Program) give(r *run) {
	r.release()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if p.closed {
		r.close()
		p.freeCode()
		return
	}
	p.idle = append(p.idle, r)
}

// Close frees the memory of the program: that of runs in progress when they end. Later runs fail. A program
// that is not closed frees it when it is not reachable any more.
func (p *Program) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, r := range p.idle {
		r.close()
	}
	p.idle = nil
	p.freeCode()
}

// freeCode frees the machine code, and packed operands, once nobody runs it.
func (p *Program) freeCode() {
	if p.running > 0 {
		return
	}
	if p.code != nil {
		p.code.Close()
	}
	if p.weights != nil {
		p.weights.Close()
	}
}

// Run executes the program on args, one literal a parameter, whose shapes were checked.
func (p *Program) Run(ctx context.Context, args []literal.Literal, eval Evaluator) (literal.Literal, error) {
	r, err := p.take()
	if err != nil {
		return literal.Literal{}, err
	}
	defer p.give(r)
	for k, v := range p.plan.Params {
		r.bind(v, args[k])
	}
	for n, b := range p.plan.Buffers {
		if b.Kind == plan.Output {
			r.hosts[n] = literal.NewUnset(static(b.Shape))
			r.bufs[n] = r.hosts[n].Bytes()
		}
	}
	if err := r.execute(ctx, eval); err != nil {
		return literal.Literal{}, err
	}
	return r.result(p.plan.Body.Result), nil
}

// execute runs the steps. What a context interrupts is not computed to its end.
func (r *run) execute(ctx context.Context, eval Evaluator) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	r.ctx, r.done, r.eval = ctx, ctx.Done(), eval
	r.launch.done, r.threads = r.done, r.program.pool.Threads()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // in machine code
	if r.helped() {
		r.program.pool.Begin()
		defer r.program.pool.End()
	}
	defer r.settle() // also after an error
	r.first(r.program.lapped)
	if err := r.lap(r.program.lapped, r.program.steps); err != nil {
		return err
	}
	return r.interrupted() // the last step may have left its rest out
}

// interrupted returns why a context has ended.
func (r *run) interrupted() error {
	if r.done != nil && isDone(r.done) {
		return context.Cause(r.ctx)
	}
	return nil
}

// release drops what belongs to the caller.
func (r *run) release() {
	r.ctx, r.done, r.eval, r.under = nil, nil, nil, nil
	r.launch.release()
	for _, l := range r.bundlings {
		if l != nil {
			l.release()
		}
	}
	clear(r.from)
	clear(r.in)
	clear(r.out)
	for _, n := range r.program.borrowed {
		r.bufs[n], r.hosts[n] = nil, literal.Literal{}
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
	if l := r.hosts[v.Buffer]; l.IsValid() && r.program.plan.Buffers[v.Buffer].Kind != plan.Output {
		return l, nil
	}
	return literal.FromBytes(static(r.program.plan.Buffers[v.Buffer].Shape), r.bufs[v.Buffer])
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
	b := &r.program.plan.Buffers[v.Buffer]
	if b.Kind == plan.Host {
		if l.Shape().IsArray() {
			l = l.Clone() // it may be a view of an operand, whose memory is soon another's
		}
		r.hosts[v.Buffer] = l
		return nil
	}
	from := l.RowMajor().Bytes()
	if len(from) != len(r.bufs[v.Buffer]) {
		return fmt.Errorf("expects a value of %v, got %v", b.Shape, l.Shape())
	}
	r.copy(r.bufs[v.Buffer], from, copyGrain(b))
	return nil
}

// borrowed lists the buffers whose memory is not the run's own.
func borrowed(p *plan.Plan) []int {
	var list []int
	for n, b := range p.Buffers {
		if b.Kind != plan.Temp && b.Kind != plan.Const {
			list = append(list, n)
		}
	}
	return slices.Clip(list)
}
