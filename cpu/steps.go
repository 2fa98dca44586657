package cpu

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// step is a step of the plan, made ready to run: what it needs is looked up once, when the program is compiled.
type step interface{ do(r *run) error }

// sequence is a list of steps.
type sequence []step

// do runs the steps. The context is asked before each that is no short kernel.
func (s sequence) do(r *run) error {
	for _, st := range s {
		if k, ok := st.(*kernelStep); ok && k.kernel.time <= leastShared { // to ask would take about as long
			if err := k.do(r); err != nil {
				return err
			}
			continue
		}
		if err := r.interrupted(); err != nil {
			return err
		}
		if err := st.do(r); err != nil {
			return err
		}
	}
	return nil
}

// lower makes the steps of a planned sequence.
func (p *Program) lower(s *plan.Sequence) sequence { return p.overlap(s) }

func (p *Program) lowerStep(st plan.Step) step {
	p.count(st)
	switch st := st.(type) {
	case *plan.Kernel:
		if b := p.bundled[st]; b != nil {
			return p.lowerBundle(b)
		}
		k := &kernelStep{kernel: p.kernels[st], buffers: st.Buffers}
		if st.Rounds > 0 {
			return &roundsStep{k, st.Rounds, st.Buffers[st.Round]}
		}
		return k
	case *plan.Copy:
		if p.plan.Buffers[st.From].Kind == plan.Host || p.plan.Buffers[st.To].Kind == plan.Host {
			return &hostCopy{st.From, st.To}
		}
		return &copyStep{st.From, st.To, copyGrain(&p.plan.Buffers[st.To])}
	case *plan.Swap:
		return &swapStep{st.From, st.To}
	case *plan.Gemm:
		product := gemmStep{st, p.packed[st]}
		if f := p.followers[st]; f != nil {
			return &followedStep{product, kernelStep{kernel: p.kernels[f.step], buffers: f.step.Buffers}, f}
		}
		return &product
	case *plan.Pack:
		return &packStep{st}
	case *plan.HostStep:
		return p.lowerHost(st)
	case *plan.While:
		return p.lowerWhile(st)
	case *plan.Conditional:
		c := &conditionalStep{index: st.Index, isPred: p.plan.Buffers[st.Index].Shape.Type == shape.Pred}
		for _, b := range st.Branches {
			c.branches = append(c.branches, p.lower(b))
		}
		return c
	}
	panic(fmt.Sprintf("cpu: a step of type %T", st))
}

// kernelStep runs a kernel.
type kernelStep struct {
	kernel  *kernel
	buffers []int
}

func (k *kernelStep) do(r *run) error {
	own := k.kernel
	if m, ok := own.program.(*machineKernel); ok && own.extent <= own.grain && own.scratch < 0 && own.pieces.count <= 1 {
		args := r.launch.args[0].take(len(k.buffers))
		return m.call(args, r.bufs, k.buffers, 0, int64(own.extent), 0, int64(own.pieces.second))
	}
	k.bind(r)
	return k.kernel.run(r.program.pool, r.most(k.kernel.time > shortKernel), &r.launch)
}

// bind gives the launch of a run the buffers of the kernel.
func (k *kernelStep) bind(r *run) {
	bufs := r.launch.bufs[:0]
	for _, b := range k.buffers {
		bufs = append(bufs, r.bufs[b])
	}
	r.launch.bufs = bufs
}

// roundsStep runs a kernel several times.
type roundsStep struct {
	*kernelStep
	rounds, number int
}

func (k *roundsStep) do(r *run) error {
	for n := range k.rounds {
		if err := r.interrupted(); err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(r.bufs[k.number], uint64(n))
		if err := k.kernelStep.do(r); err != nil {
			return err
		}
	}
	return nil
}

// copyStep copies the bytes of an array, so many at a time.
type copyStep struct{ from, to, grain int }

// Sizes of the parts of copies. Go copies what is longer than 1 MB past the caches, which is slower where the last
// cache is far.
const (
	cachedGrain   = 512 << 10
	streamedGrain = 4 << 20
)

func copyGrain(to *plan.Buffer) int {
	if to.Stream && !exec.Host().FarL3() {
		return streamedGrain
	}
	return cachedGrain
}

func (c *copyStep) do(r *run) error {
	r.copy(r.bufs[c.to], r.bufs[c.from], c.grain)
	return nil
}

// copy copies bytes, so many at a time.
func (r *run) copy(to, from []byte, grain int) {
	if len(to) <= grain {
		exec.Copy(to, from)
		return
	}
	r.copying = copying{from, to, grain}
	r.program.pool.Run(len(to), grain, &r.copying)
	r.copying = copying{}
}

// copying is the job of a copy.
type copying struct {
	from, to []byte
	grain    int
}

// Do copies a part, which is longer than the grain where there is one thread.
func (c *copying) Do(_, lo, hi int) {
	for ; lo < hi; lo += c.grain {
		end := min(lo+c.grain, hi)
		exec.Copy(c.to[lo:end], c.from[lo:end])
	}
}

// hostCopy copies a value that is a literal, or to one.
type hostCopy struct{ from, to int }

func (c *hostCopy) do(r *run) error {
	l, err := r.value(plan.Value{Buffer: c.from})
	if err != nil {
		return err
	}
	return r.put(plan.Value{Buffer: c.to}, l)
}

// nativeStep runs an algorithm on the buffers themselves.
type nativeStep struct {
	compute native.Interruptible
	in, out []int
}

func (n *nativeStep) do(r *run) error {
	r.take(n.in, n.out)
	pool := r.program.pool
	if r.threads == 1 {
		pool = r.program.solo
	}
	return n.compute(r.done, pool, r.in, r.out)
}

// take looks up the buffers of a step.
func (r *run) take(in, out []int) {
	r.in, r.out = r.in[:0], r.out[:0]
	for _, b := range in {
		r.in = append(r.in, r.bufs[b])
	}
	for _, b := range out {
		r.out = append(r.out, r.bufs[b])
	}
}

// callStep does a custom call on the buffers themselves.
type callStep struct {
	call    func(ctx context.Context, in, out [][]byte) error
	in, out []int
}

func (c *callStep) do(r *run) error {
	r.settle() // calls come one after another, as all that has effects
	r.take(c.in, c.out)
	return c.call(r.ctx, r.in, r.out)
}

func (p *Program) lowerHost(h *plan.HostStep) step {
	in, out := h.Uses()
	if h.Native != nil {
		return &nativeStep{p.natives[h], in, out}
	}
	if h.Inst.Code() == op.CustomCall && p.call != nil {
		if call := p.call(h.Inst); call != nil {
			return &callStep{call, in, out}
		}
	}
	p.evaluates = true
	return &evaluatorStep{h}
}

// evaluatorStep computes an instruction in the evaluator.
type evaluatorStep struct{ *plan.HostStep }

func (h *evaluatorStep) do(r *run) error {
	operands, err := h.operands(r)
	if err != nil {
		return err
	}
	r.settle()
	l, err := r.eval.Instruction(h.Inst, operands)
	if err != nil {
		return err
	}
	return r.put(h.Result, l)
}

// operands returns the operands, copies of them if they go elsewhere.
func (h *evaluatorStep) operands(r *run) ([]literal.Literal, error) {
	operands := make([]literal.Literal, len(h.Operands))
	for k, o := range h.Operands {
		var err error
		if operands[k], err = r.value(o); err != nil {
			return nil, err
		}
		if h.Keeps {
			operands[k] = operands[k].Clone()
		}
	}
	return operands, nil
}

// whileStep is a loop whose condition is computed.
type whileStep struct {
	cond, body sequence
	on, lap    int // the buffer of the condition, the lap that an iteration is
}

func (w *whileStep) do(r *run) error {
	r.first(w.lap)
	for {
		if err := w.cond.do(r); err != nil {
			return err
		}
		if r.bufs[w.on][0] == 0 {
			return nil
		}
		if err := r.interrupted(); err != nil { // short steps ask nobody
			return err
		}
		if err := r.lap(w.lap, w.body); err != nil {
			return err
		}
	}
}

// forStep is a loop of a known number of iterations.
type forStep struct {
	body  sequence
	lap   int // that an iteration is
	trips int64
}

func (f *forStep) do(r *run) error {
	r.first(f.lap)
	for range f.trips {
		if err := r.interrupted(); err != nil { // short steps ask nobody
			return err
		}
		if err := r.lap(f.lap, f.body); err != nil {
			return err
		}
	}
	return nil
}

// fusedStep runs a kernel that does iterations of a loop, until it says that there are no more.
type fusedStep struct {
	body sequence
	on   int
}

func (f *fusedStep) do(r *run) error {
	for {
		if err := r.interrupted(); err != nil { // short steps ask nobody
			return err
		}
		if err := f.body.do(r); err != nil || r.bufs[f.on][0] == 0 {
			return err
		}
	}
}

func (p *Program) lowerWhile(w *plan.While) step {
	outer := p.beginLap(w)
	body := p.lower(w.Body)
	for _, c := range w.Back {
		body = append(body, p.lowerStep(c))
	}
	lap := p.endLap(outer)
	if w.Fused {
		return &fusedStep{body, w.Body.Result.Buffer}
	}
	var loop step
	if w.Trips >= 0 {
		loop = &forStep{body, lap, w.Trips}
	} else {
		loop = &whileStep{p.lower(w.Cond), body, w.Cond.Result.Buffer, lap}
	}
	if swaps := w.Swaps(); len(swaps) > 0 {
		return &swappingStep{loop, swaps}
	}
	return loop
}

// conditionalStep runs the branch that a value chooses.
type conditionalStep struct {
	index    int
	isPred   bool
	branches []sequence
}

func (c *conditionalStep) do(r *run) error {
	last := len(c.branches) - 1
	at := r.bufs[c.index]
	k := last
	if c.isPred {
		if at[0] != 0 {
			k = 0
		}
	} else if i := int32(binary.LittleEndian.Uint32(at)); i >= 0 && int64(i) < int64(last) {
		k = int(i)
	}
	return c.branches[k].do(r)
}
