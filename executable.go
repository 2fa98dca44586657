package xla

import (
	"context"
	"fmt"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Executable is a compiled program. It is safe for concurrent use. That of a program of unknown sizes
// takes arguments of any shapes that fit; it compiles the program for each combination of them once.
type Executable struct {
	module    *hlo.Module
	signature shape.Program
	client    *Client
	grid      grid
	run       runner
	versions  *versions // of a program of unknown sizes, which has no module and no runner
	// paramLeaves and resultLeaves are the shapes of the arrays of parameters and result.
	paramLeaves, resultLeaves []shape.Shape
	plain                     runOptions // of a run without options
	lists                     arrayLists
	forms                     forms
	// views tells of each array of the parameters whether it is a parameter itself.
	views []bool
}

// Memory is how many bytes the arrays of a run take.
type Memory = cpu.Memory

// Memory returns how much memory a run takes on a device. It is zero for the evaluator.
func (e *Executable) Memory() Memory {
	if m, ok := e.run.(interface{ memory() Memory }); ok {
		return m.memory()
	}
	return Memory{}
}

// Close frees the memory of the executable early: code, constants and what runs leave for later ones. Later runs
// fail; those in progress end well. One that is not closed frees all when it is not reachable any more.
func (e *Executable) Close() {
	if e.versions != nil {
		e.versions.close()
	}
	closeRunner(e.run)
	e.forms.close()
}

func closeRunner(r runner) {
	if c, ok := r.(interface{ close() }); ok {
		c.close()
	}
}

// runOptions are the options of one run on one device.
type runOptions struct {
	seed     uint64
	host     *ffi.Host
	handlers ffi.Registry
	device   device
	donated  []int // arguments of RunBuffers
}

// RunOption changes one run.
type RunOption func(*runOptions)

// WithSeed makes random operations without a state operand start from seed in this run.
func WithSeed(seed uint64) RunOption { return func(o *runOptions) { o.seed = seed } }

// WithHost gives a run its own other end of infeed, outfeed and host transfers.
func WithHost(host *ffi.Host) RunOption { return func(o *runOptions) { o.host = host } }

// Signature returns the shapes and names of the parameters, and the shape of the result.
func (e *Executable) Signature() shape.Program { return e.signature }

// Module returns the module that was compiled; it is not to be changed. It is nil for a program of unknown
// sizes: ForShapes has one for each.
func (e *Executable) Module() *hlo.Module { return e.module }

// Plan returns what the compiler made of the program as text: steps and buffers, and with nests the loop
// nests of the kernels. It is "" for a backend without a plan.
func (e *Executable) Plan(nests bool) string {
	if p, ok := e.run.(interface{ plan(nests bool) string }); ok {
		return p.plan(nests)
	}
	return ""
}

// TempBytes returns the bytes of scratch memory that a run of a compiled program takes besides its arguments and
// results, 0 for a backend that cannot tell.
func (e *Executable) TempBytes() int64 {
	if p, ok := e.run.(interface{ tempBytes() int64 }); ok {
		return p.tempBytes()
	}
	return 0
}

// Tier names the level of machine code that the program runs as: portable is none, the others are those that
// the environment variable XLA_CPU_ISA can ask for. It is "" for a backend without machine code.
func (e *Executable) Tier() string {
	if p, ok := e.run.(interface{ tier() string }); ok {
		return p.tier()
	}
	return ""
}

// Run executes the program on args, one literal a parameter, and returns the
// result: the elements of a tuple result, otherwise one literal. Arguments may have
// any layout and may be of the right number of elements in row-major order with
// fewer dimensions given (a flat slice for an array); their element type must be the parameter's.
// What the program hands on unchanged shares the elements of the argument.
// A program for several devices is run by RunReplicated.
func (e *Executable) Run(ctx context.Context, args ...literal.Literal) ([]literal.Literal, error) {
	return e.RunWith(ctx, args)
}

// RunWith is Run with options.
func (e *Executable) RunWith(ctx context.Context, args []literal.Literal, opts ...RunOption) (
	out []literal.Literal, err error) {
	if e, err = e.forArgs(ctx, args); err != nil {
		return nil, err
	}
	if n := e.Devices(); n != 1 {
		return nil, fmt.Errorf("xla: %s is for %d devices: expects arguments for each (RunReplicated), got those of one",
			e.module.Name, n)
	}
	args, err = e.conform(args)
	if err != nil {
		return nil, err
	}
	return e.runDevice(ctx, args, e.options(opts))
}

// contextOf is ctx, or a context that does not end where there is none.
func contextOf(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// options returns the options of a run of e.
func (e *Executable) options(opts []RunOption) runOptions {
	o := runOptions{seed: e.client.opts.Seed, host: e.client.opts.Host, handlers: e.client.opts.Handlers}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// runDevice runs on one device, on arguments that were checked. A panic becomes an error.
func (e *Executable) runDevice(ctx context.Context, args []literal.Literal, o runOptions) (
	out []literal.Literal, err error) {
	defer recoverError(&err, e.module)
	result, err := e.run.run(contextOf(ctx), args, o)
	if err != nil {
		return nil, err
	}
	if result.Shape().IsTuple() {
		return result.Elems(), nil
	}
	return []literal.Literal{result}, nil
}

// conform checks the arguments against the signature, and gives a flat argument
// the parameter's dimensions.
func (e *Executable) conform(args []literal.Literal) ([]literal.Literal, error) {
	params := e.signature.Params
	if len(args) != len(params) {
		return nil, fmt.Errorf("xla: %s takes %d arguments, got %d", e.module.Name, len(params), len(args))
	}
	conformed := make([]literal.Literal, len(args))
	for i, a := range args {
		c, err := conformArg(a, params[i])
		if err != nil {
			return nil, fmt.Errorf("xla: argument %d%s of %s: %w", i, e.paramName(i), e.module.Name, err)
		}
		conformed[i] = c
	}
	return conformed, nil
}

func (e *Executable) paramName(i int) string {
	if i < len(e.signature.Names) && e.signature.Names[i] != "" {
		return " (" + e.signature.Names[i] + ")"
	}
	return ""
}

// conformArg returns a as a value of shape want. A flat array of the right count
// is taken for a row-major array of any rank.
func conformArg(a literal.Literal, want shape.Shape) (literal.Literal, error) {
	got := a.Shape()
	if got.EqualIgnoringLayout(want) || want.IsArray() && !want.IsStatic() && fitsDynamic(got, want) {
		return a, nil
	}
	if want.IsArray() && got.Type == want.Type && got.Rank() == 1 && want.IsStatic() && got.Size() == want.Size() {
		return a.Reshape(want.Dims...)
	}
	return a, fmt.Errorf("expects %s, got %s", want.StringNoLayout(), got.StringNoLayout())
}

// fitsDynamic reports whether an array of shape got is a value of the dynamic shape want.
func fitsDynamic(got, want shape.Shape) bool {
	if got.Type != want.Type || got.Rank() != want.Rank() {
		return false
	}
	for i, d := range got.Dims {
		dynamic := want.IsDynamicDim(i)
		if !dynamic && d != want.Dims[i] || dynamic && want.Dims[i] != shape.Unbounded && d > want.Dims[i] {
			return false
		}
	}
	return true
}
