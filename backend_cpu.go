package xla

import (
	"cmp"
	"context"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// CPU returns the compiler for the machine that the program runs on. Its values may differ from the
// evaluator's in the last bits of floating-point sums and elementary functions.
func CPU() Backend { return cpuBackend{} }

type cpuBackend struct{}

func (cpuBackend) Name() string { return "cpu" }

func (cpuBackend) compile(ctx context.Context, m *hlo.Module, opts Options) (runner, error) {
	if err := interp.CheckHandlers(m, opts.Handlers); err != nil {
		return nil, err
	}
	call := func(i *hlo.Instruction) func(ctx context.Context, in, out [][]byte) error {
		return interp.Bind(i, opts.Handlers)
	}
	limit := cmp.Or(opts.MemoryLimit, interp.DefaultMemoryLimit)
	p, err := cpu.Compile(ctx, m, cpu.Options{Pool: opts.pool, MemoryLimit: limit, Evaluate: evaluate, Call: call,
		Dump: opts.Dump, AllowExcessPrecision: opts.AllowExcessPrecision,
		Denormals: denormals(opts.FlushDenormals), Aliases: opts.aliases, Strides: opts.strides})
	if err != nil {
		return nil, err
	}
	return cpuRunner{p, limit, new(interp.CustomCalls)}, nil
}

// denormals is how machine code takes such numbers.
func denormals(flush bool) exec.Denormals {
	if flush {
		return exec.FlushDenormals
	}
	return exec.KeepDenormals
}

// evaluate computes constants for the passes.
func evaluate(ctx context.Context, i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
	return interp.New(ctx, interp.Options{}).Instruction(i, operands)
}

type cpuRunner struct {
	program     *cpu.Program
	memoryLimit int64
	calls       *interp.CustomCalls
}

func (r cpuRunner) run(ctx context.Context, args []literal.Literal, opts runOptions) (literal.Literal, error) {
	if !r.program.Evaluates() {
		return r.program.Run(ctx, args, nil)
	}
	in := interp.New(ctx, opts.interp(r.memoryLimit, r.calls))
	v, err := r.program.Run(ctx, args, in)
	if err == nil {
		err = in.Finish()
	}
	return v, err
}

// runInto implements intoRunner.
func (r cpuRunner) runInto(ctx context.Context, outs, args []cpu.Array, opts *runOptions) error {
	if !r.program.Evaluates() {
		return r.program.RunInto(ctx, outs, args, nil)
	}
	in := interp.New(ctx, opts.interp(r.memoryLimit, r.calls))
	if err := r.program.RunInto(ctx, outs, args, in); err != nil {
		return err
	}
	return in.Finish()
}

func (r cpuRunner) plan(nests bool) string { return r.program.Plan().Text(nests) }

func (r cpuRunner) tempBytes() int64 { return r.program.Memory().Temporary }

func (r cpuRunner) tier() string { return r.program.Tier().String() }

func (r cpuRunner) memory() Memory { return r.program.Memory() }

func (r cpuRunner) close() { r.program.Close() }
