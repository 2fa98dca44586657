package lower

import (
	"slices"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
)

// Regions of scalars may use scalars from outside. HLO's computations see their parameters only, so such a
// value becomes another operand of the operation, as large as the others.

// scalarRegion is a region of scalars and what it uses from outside.
type scalarRegion struct {
	c      *call
	number int
	shapes []shape.Shape // of its arguments
	p      *captured
}

// scalarRegion looks at region i; a fault if it uses arrays from outside.
func (c *call) scalarRegion(i int) scalarRegion {
	block := c.block(i)
	r := scalarRegion{c: c, number: i, p: &captured{}}
	if c.failed() {
		return r
	}
	r.p = c.capture(c.op.Regions[i])
	for _, x := range r.p.ops {
		if !x.Shape().IsScalar() {
			c.fail("", "", "expected region %d to use arguments, constants and scalars, got a value of shape %v", i, x.Shape())
		}
	}
	for _, v := range block.Args {
		s, err := shapeOf(v.Type)
		if err != nil {
			c.fail("", "", "%w", err)
		}
		r.shapes = append(r.shapes, s)
	}
	return r
}

// lower lowers the region for the given arguments and values from outside.
func (r scalarRegion) lower(b *builder.Builder, args, outside []builder.Op) []builder.Op {
	return r.c.region(b, r.c.block(r.number), args, r.p, outside)
}

// fold makes the computation of a folding operation on n operands: it takes n values, then n
// elements. Each value from outside is one more operand, whose initial value it is and whose
// elements are not looked at.
func (c *call) fold(i int, name string) (f builder.Computation, more []builder.Op) {
	r := c.scalarRegion(i)
	n, k := len(r.shapes)/2, len(r.p.ops)
	if c.failed() || len(r.shapes)%2 != 0 {
		c.fail("", "", "expected a region of two arguments an operand, got %d", len(r.shapes))
		return f, nil
	}
	outside := r.p.shapes()
	shapes := slices.Concat(r.shapes[:n], outside, r.shapes[n:], outside)
	f = c.computation(name, shapes, func(b *builder.Builder, args []builder.Op) builder.Op {
		values := args[n : n+k]
		return pack(b, append(r.lower(b, slices.Concat(args[:n], args[n+k:n+k+n]), values), values...))
	})
	return f, r.p.ops
}

// comparator makes the computation of sort: a value from outside is one more operand of
// which both elements are equal.
func (c *call) comparator(i int) (f builder.Computation, more []builder.Op) {
	r := c.scalarRegion(i)
	if c.failed() {
		return f, nil
	}
	shapes := slices.Clone(r.shapes)
	for _, s := range r.p.shapes() {
		shapes = append(shapes, s, s)
	}
	f = c.computation("comparator", shapes, func(b *builder.Builder, args []builder.Op) builder.Op {
		var values []builder.Op
		for k := len(r.shapes); k < len(args); k += 2 {
			values = append(values, args[k])
		}
		return c.single(r.lower(b, args[:len(r.shapes)], values))
	})
	return f, r.p.ops
}

// element makes the computation of map, whose last parameters are the values from outside.
func (c *call) element(i int) (f builder.Computation, more []builder.Op) {
	r := c.scalarRegion(i)
	if c.failed() {
		return f, nil
	}
	n := len(r.shapes)
	f = c.computation("map", append(r.shapes, r.p.shapes()...), func(b *builder.Builder, args []builder.Op) builder.Op {
		return c.single(r.lower(b, args[:n], args[n:]))
	})
	return f, r.p.ops
}

// spread makes each scalar as large as x.
func spread(scalars []builder.Op, x builder.Op) []builder.Op {
	all := make([]builder.Op, len(scalars))
	for i, s := range scalars {
		all[i] = builder.BroadcastInDim(s, x.Shape().Dims, nil)
	}
	return all
}
