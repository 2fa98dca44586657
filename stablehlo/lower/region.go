package lower

import (
	"fmt"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// captured are the values from outside that regions use. A constant is made anew in
// each region, the others must come in as arguments.
type captured struct {
	constants map[*stablehlo.Value]constant
	values    []*stablehlo.Value // others, in the order of first use
	ops       []builder.Op       // what they are outside
}

// shapes returns those of the values that come in as arguments.
func (p *captured) shapes() []shape.Shape { return shapesOf(p.ops) }

func shapesOf(ops []builder.Op) []shape.Shape {
	shapes := make([]shape.Shape, len(ops))
	for i, x := range ops {
		shapes[i] = x.Shape()
	}
	return shapes
}

// capture finds what regions use from outside.
func (c *call) capture(regions ...*stablehlo.Region) *captured {
	p := &captured{constants: map[*stablehlo.Value]constant{}}
	for _, v := range free(regions) {
		x, err := c.s.get(v)
		if err != nil {
			c.fail("", "", "%w", err)
			return p
		}
		if k, ok := c.s.l.constant(x); ok {
			p.constants[v] = k
			continue
		}
		p.values, p.ops = append(p.values, v), append(p.ops, x)
	}
	return p
}

// free returns the values that operations of regions use and that are not made there,
// in the order of first use.
func free(regions []*stablehlo.Region) []*stablehlo.Value {
	made, seen := map[*stablehlo.Value]bool{}, map[*stablehlo.Value]bool{}
	var used []*stablehlo.Value
	for _, r := range regions {
		for o := range operations(r, made) {
			for _, v := range o.Operands {
				if !seen[v] {
					seen[v] = true
					used = append(used, v)
				}
			}
		}
	}
	var outside []*stablehlo.Value
	for _, v := range used {
		if !made[v] {
			outside = append(outside, v)
		}
	}
	return outside
}

// operations yields all operations in a region, and notes the values made there.
func operations(r *stablehlo.Region, made map[*stablehlo.Value]bool) func(yield func(*stablehlo.Op) bool) {
	return func(yield func(*stablehlo.Op) bool) {
		for _, b := range r.Blocks {
			note(made, b.Args)
			for _, top := range b.Ops {
				for o := range top.Walk() {
					note(made, o.Results)
					for _, inner := range o.Regions {
						for _, ib := range inner.Blocks {
							note(made, ib.Args)
						}
					}
					if !yield(o) {
						return
					}
				}
			}
		}
	}
}

func note(made map[*stablehlo.Value]bool, values []*stablehlo.Value) {
	for _, v := range values {
		made[v] = true
	}
}

// block returns the block of region i; a fault if it has not exactly one.
func (c *call) block(i int) *stablehlo.Block {
	if i >= len(c.op.Regions) || len(c.op.Regions[i].Blocks) != 1 {
		c.fail("", "", "expected region %d of one block, got another number", i)
		return &stablehlo.Block{}
	}
	return c.op.Regions[i].Blocks[0]
}

// region lowers a block into the computation of b: args are the block's arguments, the
// values that p captured are inside. at is called when all is done.
func (c *call) region(b *builder.Builder, block *stablehlo.Block, args []builder.Op, p *captured,
	inside []builder.Op) []builder.Op {
	if c.failed() {
		return nil
	}
	if len(args) != len(block.Args) {
		c.fail("", "", "expected a region of %d arguments, got %d", len(args), len(block.Args))
		return nil
	}
	s := c.s.nested(b)
	s.bind(block.Args, args)
	s.bind(p.values, inside)
	for _, v := range sortedConstants(p, block) {
		s.values[v] = p.constants[v].in(b)
	}
	for i, v := range block.Args {
		want, err := shapeOf(v.Type)
		if err == nil && !fits(want, args[i].Shape()) {
			err = fmt.Errorf("expected argument %d of a region to be of type %v, got %v", i, args[i].Shape(), v.Type)
		}
		if err != nil {
			c.err = err
			return nil
		}
	}
	results, err := s.run(block)
	if err != nil && c.err == nil {
		c.err = err
	}
	c.at()
	return results
}

// sortedConstants returns the captured constants that a block uses, in the order of use.
func sortedConstants(p *captured, block *stablehlo.Block) []*stablehlo.Value {
	var list []*stablehlo.Value
	for _, v := range free([]*stablehlo.Region{{Blocks: []*stablehlo.Block{block}}}) {
		if _, ok := p.constants[v]; ok {
			list = append(list, v)
		}
	}
	return list
}

// scalars turns region i into a computation of scalar parameters, of the types of the
// block's arguments, for operations that have no place for values from outside. It
// returns one result or a tuple of them.
func (c *call) scalars(i int, name string) builder.Computation {
	r := c.scalarRegion(i)
	if len(r.p.values) > 0 {
		c.fail("", "", "expected region %d to use constants and its arguments only, got another value of type %v",
			i, r.p.values[0].Type)
	}
	return c.computation(name, r.shapes, func(b *builder.Builder, args []builder.Op) builder.Op {
		return pack(b, r.lower(b, args, nil))
	})
}

// computation makes a computation of parameters of the given shapes.
func (c *call) computation(name string, shapes []shape.Shape,
	f func(b *builder.Builder, args []builder.Op) builder.Op) builder.Computation {
	if c.failed() {
		return builder.Computation{}
	}
	b := c.b.SubBuilder(name)
	args := make([]builder.Op, len(shapes))
	for i, s := range shapes {
		args[i] = b.Parameter(i, s, "")
	}
	root := f(b, args)
	if c.failed() {
		return builder.Computation{}
	}
	return b.Computation(root)
}

// pack returns the only one of values, or the tuple of them.
func pack(b *builder.Builder, values []builder.Op) builder.Op {
	if len(values) == 1 {
		return values[0]
	}
	return b.Tuple(values...)
}

// unpack is the inverse of pack for n values.
func unpack(x builder.Op, n int) []builder.Op {
	if n == 1 || !x.IsValid() {
		return one(x)
	}
	return elements(x, n)
}

// elements returns the elements of a tuple of n.
func elements(x builder.Op, n int) []builder.Op {
	ops := make([]builder.Op, n)
	for i := range ops {
		ops[i] = builder.GetTupleElement(x, i)
	}
	return ops
}
