package xla

import (
	"context"
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// Error is the type of errors about a program: place, instruction, operation,
// attribute, expected and got.
type Error = hlo.Error

// Options configure a client. The zero Options is the default in every respect.
type Options struct {
	// Backend runs the programs; nil is the default, the evaluator.
	Backend Backend
	// Seed is where random operations without a state operand start. Each run
	// starts from it anew, unless WithSeed gives another.
	Seed uint64
}

// Client compiles programs for a set of devices. It is safe for concurrent use.
type Client struct{ opts Options }

// NewClient returns a client. It fails if the options contradict each other or
// name what this machine lacks.
func NewClient(opts Options) (*Client, error) {
	if opts.Backend == nil {
		opts.Backend = Interp()
	}
	return &Client{opts: opts}, nil
}

// Source is what can be compiled: an *hlo.Module or a *Program.
type Source interface {
	// EntrySignature returns the shapes of the parameters and of the result.
	EntrySignature() shape.Program
}

// Compile verifies a program and prepares it for running. The program must not be
// changed afterwards. Errors are of type *Error.
func (c *Client) Compile(ctx context.Context, p Source) (exe *Executable, err error) {
	m, err := moduleOf(p)
	if err != nil {
		return nil, err
	}
	defer recoverError(&err, m)
	if prog, ok := p.(*Program); !ok || !prog.verified {
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			return nil, err
		}
	}
	run, err := c.opts.Backend.compile(ctx, m, c.opts)
	if err != nil {
		return nil, err
	}
	return &Executable{module: m, signature: m.EntrySignature(), seed: c.opts.Seed, run: run}, nil
}

func moduleOf(p Source) (*hlo.Module, error) {
	var m *hlo.Module
	switch p := p.(type) {
	case *hlo.Module:
		m = p
	case *Program:
		m = p.module
	default:
		return nil, fmt.Errorf("xla: Compile takes a *hlo.Module or a *Program, got %T", p)
	}
	if m == nil || m.Entry() == nil {
		return nil, fmt.Errorf("xla: the program has no entry computation")
	}
	return m, nil
}
