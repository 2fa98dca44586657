package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// dynamicTargets are custom calls by which JAX writes operations whose attributes are
// computed: they become operands, and must be known when the call is lowered.
func dynamicTargets() map[string]rule {
	return map[string]rule{
		"ApproxTopK":                          approxTopK,
		"stablehlo.dynamic_approx_top_k":      dynamicApproxTopK,
		"stablehlo.dynamic_reduce_window":     dynamicReduceWindow,
		"stablehlo.dynamic_rng_bit_generator": dynamicRngBitGenerator,
		"stablehlo.dynamic_top_k":             dynamicTopK,
	}
}

// config returns an entry of the backend configuration, nil if there is none.
func (c *call) config(name string) stablehlo.Attribute {
	for _, attr := range []string{"mhlo.backend_config", "backend_config"} {
		if d, ok := c.op.Attr(attr).(*stablehlo.DictAttr); ok {
			return d.Get(name)
		}
	}
	return nil
}

// configInt returns an integer of the configuration.
func (c *call) configInt(name string) int {
	v, ok := c.config(name).(stablehlo.IntegerAttr)
	if !ok {
		c.fail("backend_config", "", "expected an integer %s, got %v", name, c.config(name))
	}
	return int(v.Value)
}

// oneSize returns the only integer of operand i.
func (c *call) oneSize(name string, i int) int {
	v := c.sizes(name, c.arg(i))
	if len(v) != 1 {
		c.fail(name, "", "expected one integer, got %d", len(v))
		return 0
	}
	return v[0]
}

func dynamicTopK(c *call) []builder.Op {
	values, indices := builder.TopK(c.arg(0), c.oneSize("k", 1), true)
	return []builder.Op{values, indices}
}

func dynamicRngBitGenerator(c *call) []builder.Op {
	algorithm, ok := rngAlgorithms[c.word("rng_algorithm")]
	if !ok {
		c.fail("rng_algorithm", "", "expected an algorithm, got %v", c.op.Attr("rng_algorithm"))
		return nil
	}
	return randomBits(c, algorithm, shape.Make(c.result(1).Type, c.sizes("shape", c.arg(1))...))
}

// dynamicReduceWindow: inputs, initial values, and five lists for the window.
func dynamicReduceWindow(c *call) []builder.Op {
	n := (len(c.args) - 5) / 2
	called := c.calledComputations()
	if c.failed() || n < 1 || len(c.args) != 2*n+5 || len(called) != 1 {
		c.fail("", "", "expected inputs, initial values and five lists, and a reducer, got %d operands and %d functions",
			len(c.args), len(called))
		return nil
	}
	lists := make([][]int, 5)
	for i, name := range []string{"window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding"} {
		lists[i] = c.sizes(name, c.args[2*n+i])
	}
	w := builder.Window{Sizes: lists[0], Strides: lists[1], BaseDilations: lists[2], WindowDilations: lists[3]}
	for i := 0; i+1 < len(lists[4]); i += 2 {
		w.Edges = append(w.Edges, [2]int{lists[4][i], lists[4][i+1]})
	}
	if c.failed() {
		return nil
	}
	return builder.ReduceWindowMany(c.args[:n], c.args[n:2*n], called[0], w)
}

// approxTopK takes the first elements in the order of a comparator. All are looked at,
// so that the result is exact whatever recall is asked for.
func approxTopK(c *call) []builder.Op {
	return c.firstInOrder(len(c.op.Results), c.configInt("top_k"))
}

func dynamicApproxTopK(c *call) []builder.Op {
	n := len(c.op.Results)
	return c.firstInOrder(n, c.oneSize("k", 2*n))
}

// firstInOrder sorts the first n operands and takes k elements, or as many as the result has where
// that is known: more than k where they are not to be gathered in the end.
func (c *call) firstInOrder(n, k int) []builder.Op {
	d, called := c.configInt("reduction_dim"), c.calledComputations()
	if c.failed() || n == 0 || n > len(c.args) || len(called) != 1 || d < 0 || d >= c.args[0].Rank() {
		c.fail("", "", "expected operands, a comparator and a dimension of theirs, got %d, %d and %d",
			len(c.args), len(called), d)
		return nil
	}
	if s := c.result(0); d < s.Rank() && s.Dims[d] != shape.Unbounded {
		k = s.Dims[d]
	}
	sorted := builder.SortMany(c.args[:n:n], called[0], d, true)
	for i, x := range sorted {
		sorted[i] = builder.SliceInDim(x, 0, k, 1, d)
	}
	return sorted
}
