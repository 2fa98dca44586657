package raise

import (
	"fmt"
	"strconv"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// Options say how a module is raised.
type Options struct {
	// Portable leaves the dialect chlo out, which portable artifacts cannot hold: its
	// operations become the custom calls that JAX writes in their place.
	Portable bool
}

// Limits on what a module becomes: a computation that many operations call is in the
// region of each.
const (
	maxOps     = 1 << 20
	maxNesting = 256
)

// Module returns m, which must be what hlo.Verify accepts, as a StableHLO program.
// Constants share memory with those of m. Errors are of type *hlo.Error at the
// instruction that has no StableHLO form.
func Module(m *hlo.Module, o Options) (*stablehlo.Module, error) {
	if m.Entry() == nil {
		return nil, &hlo.Error{Pos: hlo.Pos{File: m.File}, Err: fmt.Errorf("expected an entry computation, got none")}
	}
	r := &raiser{opts: o, module: m, out: stablehlo.NewModule(), rules: rules(),
		names: map[*hlo.Computation]string{m.Entry(): mainName}, taken: map[string]bool{mainName: true}}
	r.out.File = m.File
	if err := r.header(); err != nil {
		return nil, err
	}
	if err := r.function(m.Entry()); err != nil {
		return nil, err
	}
	for len(r.queue) > 0 {
		c := r.queue[0]
		r.queue = r.queue[1:]
		if err := r.function(c); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// mainName is the name of the function that the entry computation becomes.
const mainName = "main"

// raiser is what the functions of one module share.
type raiser struct {
	opts   Options
	module *hlo.Module
	out    *stablehlo.Module
	rules  *[op.NumCodes]rule
	names  map[*hlo.Computation]string
	taken  map[string]bool
	queue  []*hlo.Computation // functions that are called and not made yet
	ops    int                // operations made so far
}

// name returns the name of the function that c becomes, which is made later.
func (r *raiser) name(c *hlo.Computation) string {
	if name, ok := r.names[c]; ok {
		return name
	}
	name := c.Name()
	for n := 1; r.taken[name]; n++ {
		name = c.Name() + "_" + strconv.Itoa(n)
	}
	r.names[c], r.taken[name] = name, true
	r.queue = append(r.queue, c)
	return name
}

// function makes the function of c.
func (r *raiser) function(c *hlo.Computation) error {
	f := stablehlo.NewOp("func.func", nil, nil)
	block := f.AddRegion().AddBlock()
	s := r.scope(block, c, 0)
	ins, err := s.parameters(c)
	if err != nil {
		return err
	}
	results, err := s.run(c)
	if err != nil {
		return err
	}
	block.Append(stablehlo.NewOp("func.return", results, nil))
	f.SetAttr("sym_name", stablehlo.StringAttr{Value: r.names[c]})
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: &stablehlo.FunctionType{Inputs: ins, Results: typesOf(results)}})
	if c == r.module.Entry() {
		nameArguments(block.Args, c)
	} else {
		f.SetAttr("sym_visibility", stablehlo.StringAttr{Value: "private"})
	}
	if err := r.annotate(f, c); err != nil {
		return err
	}
	r.out.Body().Append(f)
	return nil
}

// nameArguments gives arguments the names of the parameters that they are leaves of, by
// their locations: that is where JAX has the names of arguments.
func nameArguments(args []*stablehlo.Value, c *hlo.Computation) {
	for _, p := range c.Params() {
		n := countLeaves(p.Shape())
		for i, v := range args[:n] {
			name := p.Name()
			if p.IsTuple() {
				name += "." + strconv.Itoa(i)
			}
			v.Loc = &stablehlo.NameLoc{Name: name, Child: location(p)}
		}
		args = args[n:]
	}
}

// typesOf returns the types of values.
func typesOf(values []*stablehlo.Value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}
