package interp

import (
	"context"
	"fmt"
	"slices"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Options are what a run needs besides the module and its arguments. The zero
// Options runs on one device with seed 0.
type Options struct {
	// Seed is where random operations without a state operand start from.
	Seed uint64
	// MemoryLimit is the most bytes that the values alive at one time may take, with an
	// estimate, rather too high, of what an operation allocates for the time of its work; 0
	// means DefaultMemoryLimit. A run that needs more ends with an error. Not counted are
	// what handlers allocate besides their results, copies that element-wise operations
	// on floats of several types make, and what takes less than some thousand bytes.
	MemoryLimit int64
	// Device is the device that the run is on.
	Device Device
	// Handlers run the custom calls; nil: there are none.
	Handlers ffi.Registry
	// Calls, if not nil, keeps what runs of the same program would find out about its custom calls anew.
	Calls *CustomCalls
	// Host is the other end of infeed, outfeed and host transfers; nil: there is none.
	Host *ffi.Host
	// Trace, when set, is called with the value of each instruction of the entry
	// computation after it is evaluated.
	Trace func(*hlo.Instruction, literal.Literal)
}

// Interp evaluates the instructions of one run. It is not safe for concurrent use.
type Interp struct {
	ctx   context.Context
	opts  Options
	evals *[op.NumCodes]evalFunc
	depth int
	rng   rngState
	// frames holds the frame of each computation that was executed.
	frames map[*hlo.Computation]*frame
	memory memory
	// owed are values whose holds are released when the instruction at work has its value.
	owed []literal.Literal
	// scalars holds the programs of called computations that work on scalars, and
	// loops those of while instructions; nil for a while that is no such loop.
	scalars map[*hlo.Computation]*scalarProgram
	loops   map[*hlo.Instruction]*scalarLoop
	// alone is the session of a device without a communicator.
	alone collective.Session
}

// maxCallDepth bounds the nesting of called computations; the verifier refuses
// cycles, so only programs of absurd depth meet it.
const maxCallDepth = 1000

// evalFunc evaluates one instruction. The result has shape c.shape.
type evalFunc func(c *call) (literal.Literal, error)

// call is one execution of one instruction.
type call struct {
	in   *Interp
	n    *hlo.Instruction
	args []literal.Literal
	// frame is where the operands come from; nil for an instruction that is evaluated alone.
	frame *frame
	// shape is the shape of the result in this run: static, default layout.
	// Evaluators use it and never n.Shape(), save those of ownSizes.
	shape shape.Shape
}

// Run evaluates the entry computation of m, which was verified, on args: one
// literal a parameter, of the parameter's shape in any layout. The result is in
// default layout.
func Run(ctx context.Context, m *hlo.Module, args []literal.Literal, opts Options) (literal.Literal, error) {
	in := New(ctx, opts)
	v, err := in.Computation(m.Entry(), args)
	if err == nil {
		err = in.end()
	}
	return v, err
}

// New returns an evaluator for one run.
func New(ctx context.Context, opts Options) *Interp {
	return &Interp{ctx: ctx, opts: opts, evals: &evals, rng: newRngState(opts.Seed),
		frames: map[*hlo.Computation]*frame{}, memory: newMemory(opts.MemoryLimit),
		scalars: map[*hlo.Computation]*scalarProgram{}, loops: map[*hlo.Instruction]*scalarLoop{}}
}

// Computation evaluates c on args.
func (in *Interp) Computation(c *hlo.Computation, args []literal.Literal) (literal.Literal, error) {
	mark := len(in.owed)
	defer func() { in.settle(mark) }()
	return in.applyBorrowed(c, args)
}

// invoke evaluates c on args, of each of which the caller gives up a hold. The result
// is held for the caller.
func (in *Interp) invoke(c *hlo.Computation, args []literal.Literal) (v literal.Literal, err error) {
	if in.depth++; in.depth > maxCallDepth {
		return literal.Literal{}, fmt.Errorf("computation %s: calls are nested deeper than %d", c.Name(), maxCallDepth)
	}
	defer func() { in.depth-- }()
	if in.ctx.Err() != nil {
		return literal.Literal{}, context.Cause(in.ctx)
	}
	f, err := in.enter(c)
	if err != nil {
		return literal.Literal{}, err
	}
	defer func() { in.leave(f, err) }()
	if f.program != nil {
		v, err = f.program.call(args)
		in.releaseAll(args)
	} else {
		v, err = in.execute(f, args)
	}
	if err == nil {
		in.memory.hold(v)
	}
	return v, err
}

// execute evaluates the instructions of f. The holds of args end when the parameters have theirs.
func (in *Interp) execute(f *frame, args []literal.Literal) (literal.Literal, error) {
	for k, n := range f.order {
		if k == f.params {
			in.releaseAll(args)
		}
		if err := in.step(f, n, args); err != nil {
			return literal.Literal{}, at(n, err)
		}
	}
	if f.params == len(f.order) {
		in.releaseAll(args)
	}
	return f.values[f.c.Root().ID()], nil
}

// step evaluates n and sets its value.
func (in *Interp) step(f *frame, n *hlo.Instruction, args []literal.Literal) error {
	mark := len(in.owed)
	v, err := in.eval(f, n, args)
	if err != nil {
		return err
	}
	traced := in.opts.Trace != nil && f.c == f.c.Module().Entry()
	if traced {
		in.opts.Trace(n, v)
	}
	in.set(f, n, v)
	if traced || targets(n) > 0 {
		in.memory.setFresh(v, !traced)
	}
	if !passesOn[n.Code()] {
		in.done(f, n)
	}
	in.settle(mark)
	return nil
}

// pollEvery is how many steps of a long loop go by between two looks at the context.
const pollEvery = 64

// poll is called with the number of each step of a loop that may be long. It returns
// why the run is to end, if it is.
func (in *Interp) poll(step int) error {
	if step%pollEvery == 0 && in.ctx.Err() != nil {
		return context.Cause(in.ctx)
	}
	return nil
}

// eval evaluates n in frame f of a computation called with params.
func (in *Interp) eval(f *frame, n *hlo.Instruction, params []literal.Literal) (literal.Literal, error) {
	if n.Code() == op.Parameter {
		return parameter(n, params)
	}
	operands := f.operands(n)
	if showsOperands(n) {
		in.show(operands)
	}
	return in.evaluate(f, n, operands)
}

// Instruction evaluates n alone on the values of its operands. It is what constant
// folding and the compiler call.
func (in *Interp) Instruction(n *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
	mark := len(in.owed)
	defer func() { in.settle(mark) }()
	v, err := in.evaluate(nil, n, operands)
	if err != nil {
		return v, at(n, err)
	}
	return v, nil
}

// Finish ends a run whose instructions were evaluated one by one, and fails if it has sent what
// it did not receive.
func (in *Interp) Finish() error { return in.end() }

// evaluate evaluates n on operands from f, if that is not nil.
func (in *Interp) evaluate(f *frame, n *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
	fn := in.evals[n.Code()]
	if fn == nil {
		return literal.Literal{}, fmt.Errorf("the evaluator has no rule for this operation")
	}
	if passesOn[n.Code()] {
		in.handOver(f, n, operands)
	}
	shares := ownSizes[n.Code()] && sharesElements[n.Code()] // so no size matters
	if !shares && isDynamic(n) {
		return in.dynamicCall(n, operands, fn)
	}
	c := &call{in: in, n: n, args: operands, frame: f, shape: dropLayout(n.Shape())}
	if shares {
		return fn(c)
	}
	return c.reserved(fn)
}

// parameter returns the argument of parameter n, in default layout.
func parameter(n *hlo.Instruction, params []literal.Literal) (literal.Literal, error) {
	k := n.Attrs().(*op.ParameterAttrs).Number
	if k < 0 || k >= len(params) {
		return literal.Literal{}, fmt.Errorf("parameter number %d is not in [0, %d)", k, len(params))
	}
	return params[k].RowMajor(), nil
}

// at adds the place of n to err, unless err has one.
func at(n *hlo.Instruction, err error) error {
	if e, ok := err.(*hlo.Error); ok && e.Instr != "" {
		return err
	}
	if e, ok := err.(*hlo.Error); ok {
		return n.Errorf(e.Attr, e.Label, "%w", e.Err)
	}
	return n.Errorf("", "", "%w", err)
}

// dropLayout returns s and its elements with the default layout.
func dropLayout(s shape.Shape) shape.Shape {
	s.Layout = nil
	if len(s.Elems) > 0 {
		elems := slices.Clone(s.Elems)
		for i := range elems {
			elems[i] = dropLayout(elems[i])
		}
		s.Elems = elems
	}
	return s
}

// new returns a zero literal of the result's shape.
func (c *call) new() literal.Literal { return literal.New(c.shape) }

// attrs returns the attributes of the instruction as their struct.
func attrs[T op.Attrs](c *call) T { return c.n.Attrs().(T) }
