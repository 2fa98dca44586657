package lower

import (
	"slices"
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
)

// chloBroadcastRules are the functions of two operands whose shapes are made equal
// first, by the rules of NumPy or as broadcast_dimensions say.
func chloBroadcastRules() map[string]rule {
	r := map[string]rule{"chlo.broadcast_compare": broadcastCompare, "chlo.broadcast_select": broadcastSelect,
		"chlo.minimum_broadcast_shapes": minimumBroadcastShapes}
	for name, f := range map[string]binaryFunc{
		"add": builder.Add, "and": builder.And, "atan2": builder.Atan2, "complex": builder.Complex, "divide": builder.Div,
		"maximum": builder.Max, "minimum": builder.Min, "multiply": builder.Mul, "next_after": nextAfter, "or": builder.Or,
		"polygamma": wide2(polygamma), "power": builder.Pow, "remainder": builder.Rem, "shift_left": builder.ShiftLeft,
		"shift_right_arithmetic": builder.ShiftRightArithmetic, "shift_right_logical": builder.ShiftRightLogical,
		"subtract": builder.Sub, "xor": builder.Xor, "zeta": wide2(zeta),
	} {
		r["chlo.broadcast_"+name] = func(c *call) []builder.Op {
			x := c.broadcasted(c.args)
			if c.failed() {
				return nil
			}
			return one(f(x[0], x[1]))
		}
	}
	return r
}

// broadcasted gives operands one shape: each size is the largest of those that meet.
func (c *call) broadcasted(args []builder.Op) []builder.Op {
	var sizes []int
	for _, x := range args {
		for len(sizes) < x.Rank() {
			sizes = append([]int{1}, sizes...)
		}
	}
	dims := make([][]int, len(args))
	explicit := c.ints("broadcast_dimensions")
	for i, x := range args {
		for k, n := range x.Shape().Dims {
			d := len(sizes) - x.Rank() + k
			if explicit != nil && len(explicit) == x.Rank() && x.Rank() < len(sizes) {
				d = explicit[k]
			}
			if d < 0 || d >= len(sizes) || sizes[d] != 1 && n != 1 && sizes[d] != n {
				c.fail("broadcast_dimensions", "", "expected operands that can be broadcast, got %v", shapesOf(args))
				return nil
			}
			if sizes[d] == 1 {
				sizes[d] = n
			}
			dims[i] = append(dims[i], d)
		}
	}
	all := make([]builder.Op, len(args))
	for i, x := range args {
		all[i] = c.stretch(x, sizes, dims[i])
	}
	return all
}

// stretch puts dimension k of x in the place dims[k] and repeats what has size 1.
func (c *call) stretch(x builder.Op, sizes, dims []int) builder.Op {
	if slices.Equal(x.Shape().Dims, sizes) {
		return x
	}
	return builder.BroadcastInDim(x, sizes, dims)
}

func broadcastCompare(c *call) []builder.Op {
	direction, ok := op.ParseDirection(strings.ToUpper(c.word("comparison_direction")))
	x := c.broadcasted(c.args)
	if !ok || c.failed() || len(x) != 2 {
		c.fail("comparison_direction", "", "expected a direction, got %v", c.op.Attr("comparison_direction"))
		return nil
	}
	return one(builder.Compare(x[0], x[1], direction, comparisonTypes[c.word("compare_type")]))
}

func broadcastSelect(c *call) []builder.Op {
	x := c.broadcasted(c.args)
	if c.failed() || len(x) != 3 {
		c.fail("", "", "expected three operands, got %d", len(c.args))
		return nil
	}
	return one(builder.Select(x[0], x[1], x[2]))
}

// minimumBroadcastShapes: shapes that broadcast alike may be returned as they are.
func minimumBroadcastShapes(c *call) []builder.Op { return c.args }
