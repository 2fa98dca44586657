// Package mlirtest runs the programs in the test files of StableHLO: functions without
// parameters that check their own results.
package mlirtest

import (
	"context"
	"errors"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/lower"
)

// ErrNothing is what Run returns for a module that holds no checks.
var ErrNothing = errors.New("the module holds no checks")

// Run lowers and runs the functions of m that have no parameters and hold checks.
func Run(ctx context.Context, client *xla.Client, m *stablehlo.Module) error {
	ran := false
	for f := range m.Funcs() {
		if !isTest(f) {
			continue
		}
		ran = true
		if err := runFunction(ctx, client, m, f.SymbolName()); err != nil {
			return err
		}
	}
	if !ran {
		return ErrNothing
	}
	return nil
}

// isTest reports whether f has no parameters and holds checks.
func isTest(f *stablehlo.Op) bool {
	if t := f.FuncType(); t == nil || len(t.Inputs) != 0 {
		return false
	}
	for o := range f.Walk() {
		target, _ := o.Attr("call_target_name").(stablehlo.StringAttr)
		if strings.HasPrefix(o.Name, "check.") || strings.HasPrefix(target.Value, "check.") ||
			o.Name == "interpreter.run_parallel" {
			return true
		}
	}
	return false
}

func runFunction(ctx context.Context, client *xla.Client, m *stablehlo.Module, name string) error {
	r := &runner{client: client, module: m, eval: interp.New(ctx, interp.Options{}).Instruction}
	exe, err := r.compile(ctx, name)
	if err != nil {
		return err
	}
	_, err = exe.Run(ctx)
	return err
}

// runner runs functions of one module.
type runner struct {
	client *xla.Client
	module *stablehlo.Module
	eval   func(*hlo.Instruction, []literal.Literal) (literal.Literal, error)
}

// compile compiles the function called name.
func (r *runner) compile(ctx context.Context, name string) (*xla.Executable, error) {
	m, err := lower.Module(r.module, r.options(ctx, name))
	if err != nil {
		return nil, err
	}
	return r.client.Compile(ctx, m)
}

// options are those of lowering the function called name.
func (r *runner) options(ctx context.Context, name string) lower.Options {
	return lower.Options{Function: name, Eval: r.eval,
		RunParallel: func(p lower.Parallel) ([]literal.Literal, error) { return r.parallel(ctx, p) }}
}
