package lower

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// Options say how a program is lowered. With the zero Options it is the function main,
// whose sizes are all known.
type Options struct {
	// Function is the function to run; "" is main, or the only function of the module.
	Function string
	// Shapes are those of the parameters, without a platform index; nil: as declared. They
	// replace sizes that are not known.
	Shapes []shape.Shape
	// Arguments gives the number of the parameter that each argument of the function is, -1 for
	// a platform index or a token, which are made inside; results that are tokens are left out
	// then. nil: all but a platform index are parameters, in order.
	Arguments []int
	// Parameters are the names and shapes of all parameters where Arguments are given, also of those
	// that are no argument, which nothing uses; sizes may be unknown.
	Parameters shape.Program
	// Platform is the value of the platform index of a program for several platforms.
	Platform int
	// Eval computes an instruction from the values of its operands: for sizes that the
	// program computes. Without it such sizes must be constants.
	Eval func(i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error)
	// RunParallel runs what interpreter.run_parallel asks for, and returns the results of all
	// programs one behind the other; nil: the operation is an error.
	RunParallel func(p Parallel) ([]literal.Literal, error)
}

// Parallel is a run of several functions at once.
type Parallel struct {
	// Programs names the function that each device runs: a row a replica, a column a partition.
	Programs [][]string
	// Infeed names functions that make the values of infeed, in order.
	Infeed []string
	// Operands are the arguments of all programs, one behind the other.
	Operands []literal.Literal
}

// Module returns the HLO module of a function of m. Errors are of type *hlo.Error, with
// the place in the file and the operation.
func Module(m *stablehlo.Module, o Options) (*hlo.Module, error) {
	f, err := entry(m, o.Function)
	if err != nil {
		return nil, err
	}
	l := &lowerer{opts: o, file: m.File, source: m, rules: rules(), active: map[*stablehlo.Op]bool{},
		calls: map[*stablehlo.Op]builder.Computation{}, inline: map[*stablehlo.Op]bool{},
		known: map[*hlo.Instruction]*literal.Literal{}}
	return l.module(f)
}

// entry finds the function to run.
func entry(m *stablehlo.Module, name string) (*stablehlo.Op, error) {
	if name != "" {
		if f := m.Func(name); f != nil {
			return f, nil
		}
		return nil, &hlo.Error{Pos: hlo.Pos{File: m.File}, Err: fmt.Errorf("expected a function @%s, got none", name)}
	}
	if f := m.Func("main"); f != nil {
		return f, nil
	}
	var only *stablehlo.Op
	n := 0
	for f := range m.Funcs() {
		if len(f.Regions) > 0 && len(f.Regions[0].Blocks) > 0 { // not a declaration
			only = f
			n++
		}
	}
	if n != 1 {
		return nil, &hlo.Error{Pos: hlo.Pos{File: m.File}, Err: fmt.Errorf(
			"expected a function @main, or one function, got %d functions", n)}
	}
	return only, nil
}

// lowerer is what the scopes of one module share.
type lowerer struct {
	opts   Options
	file   string
	source *stablehlo.Module
	rules  map[string]rule
	// calls are the computations made of functions, active the functions being lowered.
	calls  map[*stablehlo.Op]builder.Computation
	active map[*stablehlo.Op]bool
	// inline tells of each function whether its body goes to the place of its call.
	inline map[*stablehlo.Op]bool
	// dynamic tells whether the entry function has values of dynamic sizes.
	dynamic bool
	// known are the values of constant expressions, nil where an instruction is none.
	known map[*hlo.Instruction]*literal.Literal
	// places are shared by instructions of one operation.
	places places
}

// module lowers f as the entry computation.
func (l *lowerer) module(f *stablehlo.Op) (*hlo.Module, error) {
	b := builder.NewWith(l.name(f), builder.Options{
		Replicas: l.count("mhlo.num_replicas"), Partitions: l.count("mhlo.num_partitions")})
	s := &scope{l: l, b: b, values: map[*stablehlo.Value]builder.Op{}}
	if err := s.parameters(f); err != nil {
		return nil, err
	}
	l.active[f], l.dynamic = true, l.inlined(f)
	results, err := s.run(f.Regions[0].Blocks[0])
	if err != nil {
		return nil, err
	}
	places := l.resultPlaces(results)
	results = slices.DeleteFunc(results, func(x builder.Op) bool { return l.opts.Arguments != nil && x.Shape().IsToken() })
	root := pack(b, results)
	if err := l.shardResults(f, root, places, len(results)); err != nil {
		return nil, l.errorAt(f, err)
	}
	m, err := b.Build(root)
	if err != nil {
		return nil, err
	}
	m.File = l.file
	return m, l.share(m, f, places)
}

// resultPlaces returns the place of each result of the function among those of the module, -1 for a token
// that is left out.
func (l *lowerer) resultPlaces(results []builder.Op) []int {
	places, next := make([]int, len(results)), 0
	for i, x := range results {
		places[i] = -1
		if l.opts.Arguments == nil || !x.Shape().IsToken() {
			places[i] = next
			next++
		}
	}
	return places
}

// name returns the name of the HLO module.
func (l *lowerer) name(f *stablehlo.Op) string {
	if l.opts.Function == "" {
		if n := l.source.Op.SymbolName(); n != "" {
			return identifier(n)
		}
	}
	return identifier(f.SymbolName())
}

// count returns a number of devices that the module gives, 0 for none or one.
func (l *lowerer) count(attr string) int {
	n, _ := l.source.Op.Attr(attr).(stablehlo.IntegerAttr)
	if n.Value <= 1 {
		return 0
	}
	return int(n.Value)
}

// identifier makes a name of HLO text from name.
func identifier(name string) string {
	out := []byte(name)
	for i, c := range out {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '.' && c != '-' && (c < '0' || '9' < c)) {
			out[i] = '_'
		}
	}
	return string(out)
}
