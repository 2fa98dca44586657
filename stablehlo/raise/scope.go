package raise

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// scope is a computation that is being turned into the operations of a block.
type scope struct {
	r      *raiser
	block  *stablehlo.Block
	depth  int     // of regions around the block
	values []value // by the number of the instruction
	given  []value // of the parameters
}

func (r *raiser) scope(block *stablehlo.Block, c *hlo.Computation, depth int) *scope {
	return &scope{r: r, block: block, depth: depth, values: make([]value, c.NumIDs())}
}

// parameters gives the block an argument for each leaf of c's parameters, and returns
// their types.
func (s *scope) parameters(c *hlo.Computation) ([]stablehlo.Type, error) {
	var types []stablehlo.Type
	for _, p := range c.Params() {
		if p == nil {
			return nil, s.r.errorIn(c, "expected parameters numbered without gaps, got one missing")
		}
		list, err := leafTypes(p.Shape())
		if err != nil {
			return nil, p.Errorf("", "", "%w", err)
		}
		types = append(types, list...)
	}
	s.block.AddArgs(types...)
	rest := s.block.Args
	for _, p := range c.Params() {
		var v value
		v, rest = tree(p.Shape(), rest)
		s.given = append(s.given, v)
	}
	return types, nil
}

// errorIn returns an error about a computation as a whole.
func (r *raiser) errorIn(c *hlo.Computation, format string, args ...any) error {
	if root := c.Root(); root != nil {
		return root.Errorf("", "", format, args...)
	}
	return &hlo.Error{Pos: c.Pos, Err: errorf(format, args...)}
}

// run makes the operations of c's instructions and returns the leaves of the root.
func (s *scope) run(c *hlo.Computation) ([]*stablehlo.Value, error) {
	v, err := s.value(c)
	if err != nil {
		return nil, err
	}
	leaves, err := v.leaves(nil)
	if err != nil {
		return nil, c.Root().Errorf("", "", "%w", err)
	}
	return leaves, nil
}

// value is run for the root as a whole.
func (s *scope) value(c *hlo.Computation) (value, error) {
	if c.Root() == nil {
		return value{}, s.r.errorIn(c, "expected a root, got an empty computation")
	}
	if s.depth > maxNesting {
		return value{}, s.r.errorIn(c, "expected calls nested at most %d deep, got more", maxNesting)
	}
	for _, i := range c.PostOrder() {
		v, err := s.instruction(i)
		if err != nil {
			return value{}, err
		}
		s.values[i.ID()] = v
	}
	return s.values[c.Root().ID()], nil
}

// instruction makes the operations of one instruction.
func (s *scope) instruction(i *hlo.Instruction) (value, error) {
	f := s.r.rules[i.Code()]
	if f == nil {
		return value{}, noForm(i, "")
	}
	c := &call{s: s, i: i, loc: location(i), first: len(s.block.Ops)}
	v := f(c)
	if c.err == nil && v.isSource(i) && i.Sharding != nil && i.Code() != op.Tuple {
		v = c.constrain(v)
	}
	if c.err == nil {
		c.decorate()
	}
	if s.r.ops > maxOps {
		c.fail("", "", "expected a program of at most %d operations, got more", maxOps)
	}
	return v, c.err
}

// isSource reports whether i is an instruction that gives its operand on.
func (v value) isSource(i *hlo.Instruction) bool {
	return v.v != nil && i.Code() == op.Copy
}

// noForm is the error of an instruction that has no StableHLO form; what tells which
// part of it has none.
func noForm(i *hlo.Instruction, what string) error {
	if what != "" {
		what = " with " + what
	}
	return i.Errorf("", "", "there is no StableHLO form of %s%s", i.Code(), what)
}

// leafTypes returns the types of the leaves of s.
func leafTypes(s shape.Shape) ([]stablehlo.Type, error) {
	if !s.IsTuple() {
		t, err := typeOf(s)
		return []stablehlo.Type{t}, err
	}
	var types []stablehlo.Type
	for _, e := range s.Elems {
		list, err := leafTypes(e)
		if err != nil {
			return nil, err
		}
		types = append(types, list...)
	}
	return types, nil
}
