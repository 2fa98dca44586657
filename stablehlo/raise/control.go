package raise

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func controlRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.AddDependency:   addDependency,
		op.AfterAll:        afterAll,
		op.Conditional:     conditional,
		op.GetTupleElement: getTupleElement,
		op.OptBarrier:      optBarrier,
		op.Tuple:           tuple,
		op.While:           while,
	}
}

// called returns called computation k.
func (c *call) called(k int) *hlo.Computation {
	if k < len(c.i.Called()) {
		return c.i.Called()[k]
	}
	c.fail("", "", "expected at least %d called computations, got %d", k+1, len(c.i.Called()))
	return hlo.NewModule("").AddComputation("missing")
}

// region gives o a region that does what f does: the arguments of its block are the
// leaves of f's parameters.
func (c *call) region(o *stablehlo.Op, f *hlo.Computation) {
	block := o.AddRegion().AddBlock()
	c.fill(block, f, func(s *scope) error {
		_, err := s.parameters(f)
		return err
	})
}

// branch gives o a region that does what f does with the given values for parameters.
func (c *call) branch(o *stablehlo.Op, f *hlo.Computation, given ...value) {
	c.fill(o.AddRegion().AddBlock(), f, func(s *scope) error {
		s.given = given
		return nil
	})
}

// fill makes the operations of f in block.
func (c *call) fill(block *stablehlo.Block, f *hlo.Computation, begin func(*scope) error) {
	if c.err != nil {
		return
	}
	s := c.s.r.scope(block, f, c.s.depth+1)
	results, err := []*stablehlo.Value(nil), begin(s)
	if err == nil {
		results, err = s.run(f)
	}
	if err != nil {
		c.err = err
		return
	}
	end := stablehlo.NewOp("stablehlo.return", results, nil)
	end.Loc = c.loc
	block.Append(end)
}

// regionResults is the value of an operation with regions, of which the last says the
// element types of the results.
func (c *call) regionResults(o *stablehlo.Op) value {
	if c.err != nil {
		return value{}
	}
	return c.whole(o.Results)
}

func tuple(c *call) value {
	v := value{tuple: true}
	for k := range c.i.Operands() {
		v.elems = append(v.elems, c.value(k))
	}
	return v
}

func getTupleElement(c *call) value {
	v, n := c.value(0), attrs[op.GetTupleElementAttrs](c).Index
	if !v.tuple || n < 0 || n >= len(v.elems) {
		c.lose(v)
		c.fail("index", "", "%d is not in [0, %d)", n, len(v.elems))
		return value{}
	}
	return v.elems[n]
}

// afterAll: StableHLO joins tokens only. A token that other values come before is one
// behind a barrier that they pass too.
func afterAll(c *call) value {
	var tokens, others []*stablehlo.Value
	for _, v := range c.leaves(0, len(c.i.Operands())) {
		if _, ok := v.Type.(stablehlo.TokenType); ok {
			tokens = append(tokens, v)
		} else {
			others = append(others, v)
		}
	}
	token := c.joined(tokens)
	if len(others) > 0 {
		all := append(others, token)
		token = c.emit("stablehlo.optimization_barrier", all, typesOf(all)).Results[len(all)-1]
	}
	return single(token)
}

// joined returns a token behind all the given.
func (c *call) joined(tokens []*stablehlo.Value) *stablehlo.Value {
	if len(tokens) == 0 {
		return c.make("stablehlo.create_token", stablehlo.TokenType{}, nil)
	}
	return c.make("stablehlo.after_all", stablehlo.TokenType{}, tokens)
}

// optBarrier of nothing is nothing.
func optBarrier(c *call) value { return c.barrier(c.leaves(0, 1)) }

func (c *call) barrier(leaves []*stablehlo.Value) value {
	if len(leaves) > 0 {
		leaves = c.emit("stablehlo.optimization_barrier", leaves, typesOf(leaves)).Results
	}
	v, _ := tree(c.i.Shape(), leaves[:countLeaves(c.i.Shape())])
	return v
}

// addDependency keeps the order by a barrier around the value and the token.
func addDependency(c *call) value {
	leaves := c.leaves(0, 2)
	if c.err != nil {
		return value{}
	}
	return c.barrier(leaves)
}

// while carries the leaves of its state.
func while(c *call) value {
	state := c.leaves(0, 1)
	o := c.emit("stablehlo.while", state, typesOf(state))
	c.region(o, c.called(0))
	c.region(o, c.called(1))
	return c.regionResults(o)
}

// conditional: branches take their operand from around them.
func conditional(c *call) value {
	name := "stablehlo.case"
	if c.i.Operand(0).Type() == shape.Pred {
		name = "stablehlo.if"
	}
	if len(c.i.Called()) != len(c.i.Operands())-1 {
		c.fail("branch_computations", "", "expected %d branches, got %d", len(c.i.Operands())-1, len(c.i.Called()))
		return value{}
	}
	o := c.emit(name, []*stablehlo.Value{c.arg(0)}, c.types(c.i.Shape()))
	for k, f := range c.i.Called() {
		c.branch(o, f, c.value(k+1))
	}
	return c.regionResults(o)
}
