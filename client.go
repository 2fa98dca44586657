package xla

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/blocks"
	"github.com/goxla/xla/pass"
	"github.com/goxla/xla/shape"
)

// Error is the type of errors about a program: place, instruction, operation,
// attribute, expected and got.
type Error = hlo.Error

// Options configure a client. The zero Options is the default in every respect.
type Options struct {
	// Backend runs the programs; nil is the default, CPU().
	Backend Backend
	// Seed is where random operations without a state operand start. Each run
	// starts from it anew, unless WithSeed gives another.
	Seed uint64
	// MemoryLimit is the most bytes that the values of a program may take on a device at
	// one time; a run that needs more fails. 0 is interp.DefaultMemoryLimit.
	MemoryLimit int64
	// Threads is the most threads that a run of a compiled program uses on a device; 0 is as many as the process
	// may run side by side: GOMAXPROCS, and the limit of its control group.
	Threads int
	// Devices is how many logical devices there are, which bounds the replicas x
	// partitions of a program; 0 is as many as a program asks for.
	Devices int
	// Transport carries data between devices; nil is within this process.
	Transport collective.Transport
	// CollectiveTimeout is how long a device waits for others before it gives up; 0 is
	// collective.DefaultTimeout.
	CollectiveTimeout time.Duration
	// Handlers run custom calls. Besides them there are those of package ffi/lapack for the linear
	// algebra of JAX. Compile refuses a program that calls a target without a handler, but in
	// a branch of a conditional, as checks of errors are: such a call fails when it is reached. Calls of Python
	// that give nothing back, as jax.debug.print, do nothing.
	Handlers ffi.Registry
	// Host is the other end of infeed, outfeed and host transfers, unless WithHost gives
	// another; nil: a program that uses them fails.
	Host *ffi.Host
	// AllowExcessPrecision lets compiled programs keep more digits than the program asks for: values that are
	// only rounded to a narrower type and back, such as f32 to bf16 to f32, need not be rounded, nor f16 and bf16
	// before they are compared, or leave the kernel that computes them.
	AllowExcessPrecision bool
	// FlushDenormals lets compiled programs take numbers below the smallest normal one of f32, f64 and bf16 for
	// zeros, as operands of arithmetic and as results. They cost many processors about a hundred times what others do;
	// XLA:CPU flushes them always. Copies, integers, f16 and f8 are as without it, and so are the evaluator,
	// decompositions of matrices, and processors other than amd64.
	FlushDenormals bool
	// Dump, if not nil, is given the stages of each compilation as texts, under names of files; the evaluator has
	// none. An error from it ends the compilation.
	Dump func(file, text string) error

	pool    *exec.Pool
	aliases []plan.Alias // results in the memory of arguments
	strides cpu.Strides  // of arguments and results
}

// Client compiles programs for a set of devices. It is safe for concurrent use.
type Client struct {
	opts Options
	// free is what buffers had that were released. They keep it alive, but not the client.
	free *blocks.Pool
}

// NewClient returns a client. It fails if the options contradict each other or
// name what this machine lacks.
func NewClient(opts Options) (*Client, error) {
	if opts.Devices < 0 {
		return nil, fmt.Errorf("xla: Options.Devices: expects 0 or more, got %d", opts.Devices)
	}
	if opts.MemoryLimit < 0 {
		return nil, fmt.Errorf("xla: Options.MemoryLimit: expects 0 or more bytes, got %d", opts.MemoryLimit)
	}
	if opts.Backend == nil {
		opts.Backend = CPU()
	}
	if opts.Threads < 0 {
		return nil, fmt.Errorf("xla: Options.Threads: expects 0 or more, got %d", opts.Threads)
	}
	opts.pool = exec.NewPool(opts.Threads)
	if opts.Transport == nil {
		opts.Transport = collective.InProcess()
	}
	opts.Handlers = withLinearAlgebra(&opts)
	return &Client{opts: opts, free: &blocks.Pool{}}, nil
}

// withLinearAlgebra returns handlers that fall back to those of LAPACK's targets: in plain Go for the evaluator, on
// machine code for others.
func withLinearAlgebra(opts *Options) ffi.Registry {
	own := lapack.Handlers()
	if _, plain := opts.Backend.(interpBackend); !plain {
		// A wrong limit is an error of compilation.
		if tier, err := exec.HostTier(os.Getenv(exec.TierEnv)); err == nil && tier > exec.Portable {
			own = lapack.HandlersOn(dense.NewSet(tier), opts.pool)
		}
	}
	if opts.Handlers == nil {
		return own
	}
	return ffi.Chain{opts.Handlers, own}
}

// Close ends the threads of the client. Its executables still run, on the thread of the caller. A client that is
// not closed ends them when it and its executables are not reachable any more.
func (c *Client) Close() {
	c.opts.pool.Close()
	c.free.Clear()
}

// Source is what can be compiled: an *hlo.Module or a *Program.
type Source interface {
	// EntrySignature returns the shapes of the parameters and of the result.
	EntrySignature() shape.Program
}

// CompileOption changes one compilation.
type CompileOption func(*compileOptions)

type compileOptions struct{ grid grid }

// WithDevices compiles a program for replicas x partitions devices. Without it, and
// where a number is 0, there are as many as the program says: replica_count and
// num_partitions of its header, or one. It may not contradict the header, save that a program that leaves it to a
// partitioner how arrays lie on several partitions (jit with shardings, in JAX) runs on one as well.
func WithDevices(replicas, partitions int) CompileOption {
	return func(o *compileOptions) { o.grid = grid{replicas, partitions} }
}

// Compile verifies a program and prepares it for running. The program must not be
// changed afterwards. One of unknown sizes is compiled when it is run, once for each
// combination of shapes. Errors are of type *Error.
func (c *Client) Compile(ctx context.Context, p Source, opts ...CompileOption) (exe *Executable, err error) {
	if c == nil || c.free == nil {
		return nil, errors.New("xla: Compile: expects a client that NewClient made, got an empty one")
	}
	if prog, ok := p.(*Program); ok && prog != nil && prog.NeedsShapes() {
		return c.polymorphic(prog, opts), nil
	}
	m, err := moduleOf(p)
	if err != nil {
		return nil, err
	}
	ctx = contextOf(ctx)
	defer recoverError(&err, m)
	if prog, ok := p.(*Program); !ok || !prog.verified {
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			return nil, err
		}
	}
	var o compileOptions
	for _, opt := range opts {
		opt(&o)
	}
	g, err := c.gridOf(m, o.grid)
	if err != nil {
		return nil, err
	}
	if m, err = pass.Localize(ctx, m, g.replicas, g.partitions); err != nil {
		return nil, err
	}
	run, err := c.opts.Backend.compile(ctx, m, c.opts)
	if err != nil {
		return nil, err
	}
	e := &Executable{module: m, signature: m.EntrySignature(), client: c, grid: g, run: run}
	e.paramLeaves, e.resultLeaves = leavesOf(e.signature.Params...), leavesOf(e.signature.Result)
	for _, p := range e.signature.Params {
		for range leavesOf(p) {
			e.views = append(e.views, p.IsArray())
		}
	}
	e.plain = e.options(nil)
	return e, nil
}

func moduleOf(p Source) (*hlo.Module, error) {
	var m *hlo.Module
	switch p := p.(type) {
	case *hlo.Module:
		m = p
	case *Program:
		if p != nil {
			m = p.module
		}
	default:
		return nil, fmt.Errorf("xla: Compile takes a *hlo.Module or a *Program, got %T", p)
	}
	if m == nil {
		return nil, fmt.Errorf("xla: the program has no entry computation: it is a nil %T; the Module of a *Program with "+
			"sizes that are not known is nil: compile the *Program, or what its WithShapes returns", p)
	}
	if m.Entry() == nil {
		return nil, fmt.Errorf("xla: the program has no entry computation")
	}
	return m, nil
}
