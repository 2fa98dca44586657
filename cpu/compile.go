// Package cpu is the compiler: HLO is simplified by passes, planned as steps over buffers, and the
// kernels of the steps run as machine code or, where that cannot be, in the portable executor.
// Whatever has no kernel is evaluated by the evaluator that the caller gives.
package cpu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/goxla/xla/cpu/conv"
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass"
)

// Options change how a module is compiled. The zero Options is the default.
type Options struct {
	// Pool runs the parts of kernels that may run side by side. It is not nil.
	Pool *exec.Pool
	// MemoryLimit is the most bytes that a run may take for its values; 0: no limit.
	MemoryLimit int64
	// Evaluate computes constants for the passes; nil: nothing is folded.
	Evaluate pass.Evaluate
	// Call, if not nil, returns what does a custom call on the memory of its operands and results, tuples flattened, in
	// row-major order; nil: the evaluator does it.
	Call func(i *hlo.Instruction) func(ctx context.Context, in, out [][]byte) error
	// Dump, if not nil, is given every stage of the compilation as text, under the name of a file: the
	// module after each pass that changed it, the plan, the loop nests, the machine code.
	Dump func(file, text string) error
	// AllowExcessPrecision lets values that are only rounded to a narrower type and back be kept as they are, and f16
	// and bf16 keep the digits of f32 within a kernel.
	AllowExcessPrecision bool
	// Denormals is how the machine code of kernels and products takes denormal numbers.
	Denormals exec.Denormals
	// Strides are those of the arrays of RunInto; the program is for these only. See InPlace.
	Strides Strides
	// Aliases are results that RunInto is given in the memory of arguments, which it may write to.
	Aliases []plan.Alias
	// NoPasses plans the module as it is.
	NoPasses bool
	// NoFusion gives every instruction a kernel of its own.
	NoFusion bool
	// Rounds runs loops in rounds wherever that can be, be it slower, to look for mistakes of it.
	Rounds bool
}

// Evaluator computes an instruction that has no kernel. One is made for each run.
type Evaluator interface {
	Instruction(i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error)
}

// Program is a compiled module. It is safe for concurrent use.
type Program struct {
	plan    *plan.Plan
	kernels map[*plan.Kernel]*kernel
	natives map[*plan.HostStep]native.Interruptible
	// packed holds constant operands of products, as these read them.
	packed  map[*plan.Gemm][]byte
	weights *exec.Arena // where they are if they are large
	// followers are the kernels that run on rows of a product as soon as these are complete.
	followers map[*plan.Gemm]*follower
	// bundled are the bundles that several threads do, by their kernels.
	bundled map[*plan.Kernel]*bundle
	shares  int // how many there are
	tier    exec.Tier
	steps   sequence
	pool    *exec.Pool
	solo    *exec.Pool // of one thread
	// laps are how many jobs there are in each whose threads are chosen: those of a run, and of iterations of loops.
	laps   []int
	lapped int        // the lap that steps are made for
	made   time.Time  // when the steps were
	code   *exec.Code // nil without machine code
	// params and results are the buffers of the leaves of the arguments and of the result, borrowed those whose
	// memory is a caller's; consts holds the literals of constants.
	params, results, borrowed []int
	consts                    map[int]literal.Literal
	strides                   Strides
	// call is that of the options.
	call func(i *hlo.Instruction) func(ctx context.Context, in, out [][]byte) error
	// evaluates: there are instructions for the evaluator; parallel: there are steps for several threads; unchosen: some
	// of them always have all threads.
	evaluates, parallel, unchosen bool

	mu      sync.Mutex
	idle    []*run
	running int
	closed  bool
}

// Compile compiles m, which was verified and is not changed.
func Compile(ctx context.Context, m *hlo.Module, o Options) (*Program, error) {
	exec.Deepen()
	tier, err := exec.HostTier(os.Getenv(exec.TierEnv))
	if err != nil {
		return nil, err
	}
	machine, err := machine(o.Pool)
	if err != nil {
		return nil, err
	}
	return compileFor(ctx, m, o, tier, machine)
}

// compileFor compiles for a machine; kernels are of a tier.
func compileFor(ctx context.Context, m *hlo.Module, o Options, tier exec.Tier, machine gemm.Config) (*Program, error) {
	machine.Denormals = o.Denormals
	m = m.Clone()
	d := dumper{write: o.Dump}
	pl, err := planFor(ctx, m, o, machine, &d)
	if err != nil {
		return nil, err
	}
	d.text("plan.txt", pl.String)
	d.text("nests.txt", func() string { return pl.Text(true) })
	if d.err != nil {
		return nil, d.err
	}
	if err := checkMemory(pl, o.MemoryLimit, o.Pool.Threads()); err != nil {
		return nil, err
	}
	pl.Detach()
	p := &Program{plan: pl, kernels: map[*plan.Kernel]*kernel{},
		natives: map[*plan.HostStep]native.Interruptible{}, pool: o.Pool, strides: o.Strides, call: o.Call}
	steps, products, err := p.products(machine)
	if err != nil {
		return nil, err
	}
	if err := p.generate(tier, o.Denormals, products, &d); err != nil {
		return nil, err
	}
	texts := &stockOf(o.Pool).texts
	text := texts.take()
	err = products.Finish(text)
	texts.give(text, text.Len() <= maxKept)
	if err != nil {
		return nil, err
	}
	if err := p.prepack(steps); err != nil {
		return nil, err
	}
	p.prepare()
	return p, nil
}

// planFor prepares m, which it changes, and plans it for a machine.
func planFor(ctx context.Context, m *hlo.Module, o Options, machine gemm.Config, d *dumper) (*plan.Plan, error) {
	if !o.NoPasses {
		if err := runPasses(ctx, m, o, d); err != nil {
			return nil, err
		}
	}
	if err := convolutions(ctx, m, machine, d); err != nil {
		return nil, err
	}
	if plan.SpreadScatters(m, o.Pool.Threads()) {
		d.text("scatters.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if !o.NoFusion && plan.SumRowProducts(m, machine) {
		d.text("rows.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if !o.NoFusion && plan.SumComputed(m) {
		d.text("computed.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if !o.NoFusion && plan.TurnBatches(m) {
		d.text("batches.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if plan.CutDepths(m) {
		d.text("cuts.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if !o.NoFusion && plan.ReadConverted(m, machine) {
		d.text("converted.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if plan.FillDepths(m, machine) {
		d.text("depths.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	if !o.NoFusion && plan.ReadUpdates(m) {
		d.text("updates.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	}
	strided := applyStrides(m, o.Strides)
	return plan.Build(m, plan.Options{NoFusion: o.NoFusion, Excess: o.AllowExcessPrecision, Machine: machine,
		Aliases: o.Aliases, Strided: strided, Rounds: o.Rounds})
}

// prepare makes what all runs share.
func (p *Program) prepare() {
	for _, v := range p.plan.Params {
		p.params = v.Leaves(p.params)
	}
	p.results, p.borrowed = p.plan.Body.Result.Leaves(nil), borrowed(p.plan)
	p.consts = map[int]literal.Literal{}
	for n, b := range p.plan.Buffers {
		if b.Kind == plan.Const {
			p.consts[n] = b.Value.RowMajor()
		}
	}
	p.place()
	for st, k := range p.kernels {
		if k.shared() || p.bundled[st] != nil {
			p.parallel, p.unchosen = true, p.unchosen || !p.choosable(st)
		}
	}
	for _, g := range gemms(p.plan.Body, nil) {
		if !g.Product.Alone() {
			p.parallel, p.unchosen = true, p.unchosen || !p.choosable(g)
		}
	}
	p.lowerAll()
}

func runPasses(ctx context.Context, m *hlo.Module, o Options, d *dumper) error {
	po := pass.Options{Evaluate: o.Evaluate, AllowExcessPrecision: o.AllowExcessPrecision}
	for _, a := range o.Aliases {
		po.Donated = append(po.Donated, a.Param)
	}
	if o.Dump != nil {
		po.Trace = func(name string, m *hlo.Module) {
			d.text(name+".hlo", func() string { return string(hlotext.Append(nil, m, hlotext.Default())) })
		}
	}
	_, err := pipeline().Run(ctx, m, po)
	return err
}

// pipeline is the passes of every compilation. They do not change, and are made once.
var pipeline = sync.OnceValue(pass.Pipeline)

// convolutions brings those that are products into the form for that. What several of them read is padded once.
func convolutions(ctx context.Context, m *hlo.Module, machine gemm.Config, d *dumper) error {
	swapped := false
	if machine.TileBF16 {
		var err error
		if swapped, err = conv.Swap(m); err != nil {
			return err
		}
	}
	changed, err := conv.Canonical(m, machine)
	if err != nil || !changed && !swapped {
		return err
	}
	_, err = pass.CSE().Run(ctx, m, pass.Options{})
	d.text("convolutions.hlo", func() string { return hlotext.String(m, hlotext.Default()) })
	return err
}

// dumper numbers the files of a dump, and keeps the first error.
type dumper struct {
	write func(file, text string) error
	n     int
	err   error
}

func (d *dumper) text(file string, text func() string) {
	if d.write == nil || d.err != nil {
		return
	}
	d.n++
	d.err = d.write(fmt.Sprintf("%02d.%s", d.n, file), text())
}

// Plan returns the plan, which is not to be changed.
func (p *Program) Plan() *plan.Plan { return p.plan }

// Tier returns the level of machine code that the kernels run as; a kernel that no machine code could be made for
// does not count.
func (p *Program) Tier() exec.Tier { return p.tier }

// generate makes the kernels of the plan and the algorithms, and gives d their machine code as text. The kernels of
// products are made beside them.
func (p *Program) generate(tier exec.Tier, denormals exec.Denormals, products *gemm.Batch, d *dumper) error {
	var list []*plan.Kernel
	var algorithms []*plan.HostStep
	collect(p.plan.Body, func(st plan.Step) {
		switch st := st.(type) {
		case *plan.Kernel:
			list = append(list, st)
		case *plan.HostStep:
			if st.Native != nil {
				algorithms = append(algorithms, st)
			}
		}
	})
	nests := make([]*loop.Nest, len(list))
	for n, k := range list {
		nests[n] = k.Nest
	}
	if tier > exec.Portable {
		for _, h := range algorithms {
			nests = append(nests, h.Native.Nests...)
		}
	}
	p.divide(list, tier)
	executors, code, err := maker{tier, denormals, p.pool, d}.executors(nests, products)
	if err != nil {
		return err
	}
	if d.err != nil {
		return d.err
	}
	p.tier = tier
	if len(executors) > 0 && !slices.ContainsFunc(executors, isMachineCode) {
		p.tier = exec.Portable // the system refuses memory for code
	}
	p.code = code
	for n, k := range list {
		p.kernels[k] = newKernel(k.Nest, executors[n], p.pool.Threads())
	}
	orders, err := orderCode(algorithms, tier, p.pool)
	if err != nil {
		return err
	}
	if len(algorithms) == 0 {
		return nil
	}
	return p.bind(algorithms, executors[len(list):], denseSteps(tier), orders)
}

// divide has nests divided among threads within iterations of the outermost loop.
func (p *Program) divide(list []*plan.Kernel, tier exec.Tier) {
	per := (*machineKernel)(nil).perInstruction()
	if tier == exec.Portable {
		per = tiled{}.perInstruction()
	}
	for _, k := range list {
		if k.Rounds == 0 {
			divide(k.Nest, per, p.pool.Threads(), tier == exec.Portable)
		}
	}
}

// orderKey tells what code that orders elements is for: its key in what is shared by the pool.
type orderKey struct {
	tier exec.Tier
	set  order.Set
}

// orderCode returns the code that orders elements which algorithms need, made once for all programs of a pool; nil if
// they need none or there is none.
func orderCode(algorithms []*plan.HostStep, tier exec.Tier, pool *exec.Pool) (*order.Code, error) {
	var set order.Set
	for _, h := range algorithms {
		set |= h.Native.Orders
	}
	if set == 0 || tier == exec.Portable {
		return nil, nil
	}
	key := orderKey{tier, set}
	if made, ok := pool.Shared().Load(key); ok {
		return made.(*order.Code), nil
	}
	code, err := order.New(tier, set)
	if errors.Is(err, exec.ErrNoExec) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made, _ := pool.Shared().LoadOrStore(key, code) // another program may have been first
	return made.(*order.Code), nil
}

// bind gives the algorithms their nests as machine code, where there is some for all of one.
func (p *Program) bind(algorithms []*plan.HostStep, executors []executor, set *dense.Set,
	code *order.Code) error {
	for _, h := range algorithms {
		if h.Native.Dense != nil {
			f, err := h.Native.Dense(set)
			if errors.Is(err, exec.ErrNoExec) {
				f, err = h.Native.Dense(nil)
			}
			if err != nil {
				return err
			}
			p.natives[h] = f
			continue
		}
		var kernels []native.Kernel
		if n := len(h.Native.Nests); n > 0 && len(executors) > 0 {
			kernels, executors = machineKernels(executors[:n]), executors[n:]
		}
		if h.Native.Order != nil {
			p.natives[h] = h.Native.Order(code, kernels)
			continue
		}
		if h.Native.Passes != nil {
			p.natives[h] = h.Native.Passes(kernels)
			continue
		}
		p.natives[h] = uninterrupted(h.Native.Bind(kernels))
	}
	return nil
}

// machineKernels returns the executors as kernels, nil if one of them is not machine code.
func machineKernels(executors []executor) (kernels []native.Kernel) {
	if slices.ContainsFunc(executors, isPortable) {
		return nil
	}
	for _, e := range executors {
		kernels = append(kernels, e)
	}
	return kernels
}

// denseSteps returns the steps of dense factorizations as machine code of a tier; nil: there is none.
func denseSteps(tier exec.Tier) *dense.Set {
	if tier == exec.Portable {
		return nil
	}
	return dense.NewSet(tier)
}

// uninterrupted is f, which does not look at whether a run is to end.
func uninterrupted(f native.Func) native.Interruptible {
	return func(_ <-chan struct{}, pool *exec.Pool, in, out [][]byte) error { return f(pool, in, out) }
}

func isPortable(e executor) bool { return !isMachineCode(e) }

func isMachineCode(e executor) bool {
	_, ok := e.(*machineKernel)
	return ok
}

// collect calls f for the steps of s and of the sequences in it, in order.
func collect(s *plan.Sequence, f func(plan.Step)) {
	for _, st := range s.Steps {
		for _, inner := range plan.Inner(st) {
			collect(inner, f)
		}
		f(st)
	}
}
