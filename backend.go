package xla

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// Backend turns verified modules into something that runs. The values are made by
// functions of this package, such as Interp.
type Backend interface {
	// Name is what the command's --backend flag calls it.
	Name() string
	compile(ctx context.Context, m *hlo.Module, opts Options) (runner, error)
}

// runner is a compiled module. It is safe for concurrent use.
type runner interface {
	// run executes on arguments whose shapes were checked.
	run(ctx context.Context, args []literal.Literal, opts runOptions) (literal.Literal, error)
}

// Interp returns the reference evaluator as a backend: it defines what programs
// mean, and is slow.
func Interp() Backend { return interpBackend{} }

type interpBackend struct{}

func (interpBackend) Name() string { return "interp" }

func (interpBackend) compile(_ context.Context, m *hlo.Module, opts Options) (runner, error) {
	return interpRunner{m, opts.MemoryLimit, new(interp.CustomCalls)}, interp.CheckHandlers(m, opts.Handlers)
}

type interpRunner struct {
	module      *hlo.Module
	memoryLimit int64
	calls       *interp.CustomCalls
}

func (r interpRunner) run(ctx context.Context, args []literal.Literal, opts runOptions) (literal.Literal, error) {
	return interp.Run(ctx, r.module, args, opts.interp(r.memoryLimit, r.calls))
}

// interp are the options as the evaluator has them.
func (o runOptions) interp(memoryLimit int64, calls *interp.CustomCalls) interp.Options {
	d := o.device
	return interp.Options{Seed: o.seed, MemoryLimit: memoryLimit, Host: o.host, Handlers: o.handlers, Calls: calls,
		Device: interp.Device{Replica: d.replica, Partition: d.partition, Replicas: d.grid.replicas,
			Partitions: d.grid.partitions, Communicator: d.comm, SeveralPrograms: d.severalPrograms}}
}
