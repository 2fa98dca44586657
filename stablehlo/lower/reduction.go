package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/stablehlo"
)

func reductionRules() map[string]rule {
	return map[string]rule{
		"stablehlo.batch_norm_grad":      batchNormGrad,
		"stablehlo.batch_norm_inference": batchNormInference,
		"stablehlo.batch_norm_training":  batchNormTraining,
		"stablehlo.reduce":               reduce,
		"stablehlo.reduce_window":        reduceWindow,
		"stablehlo.select_and_scatter":   selectAndScatter,
		"stablehlo.sort":                 sorted,
	}
}

// reduce: the region may work in wider types than those of the operands.
func reduce(c *call) []builder.Op {
	inputs, inits := c.promote(0, c.group(0), c.group(1))
	f, more := c.fold(0, "reducer")
	if c.failed() {
		return nil
	}
	all := append(inputs, spread(more, inputs[0])...)
	return builder.ReduceMany(all, append(inits, more...), c.ints("dimensions"), f)[:len(inputs)]
}

func reduceWindow(c *call) []builder.Op {
	inputs, inits := c.promote(0, c.group(0), c.group(1))
	f, more := c.fold(0, "reducer")
	w := c.window()
	w.Edges = c.edges("padding", len(w.Sizes))
	if c.failed() {
		return nil
	}
	all := append(inputs, spread(more, inputs[0])...)
	return builder.ReduceWindowMany(all, append(inits, more...), f, w)[:len(inputs)]
}

// window returns the window of the operation without its padding.
func (c *call) window() builder.Window {
	return builder.Window{Sizes: c.ints("window_dimensions"), Strides: c.ints("window_strides"),
		BaseDilations: c.ints("base_dilations"), WindowDilations: c.ints("window_dilations")}
}

// edges returns the padding of n dimensions, a tensor<nx2xi64>; zeros where it is absent.
func (c *call) edges(name string, n int) [][2]int {
	edges := make([][2]int, n)
	flat := c.ints(name)
	if flat == nil {
		return edges
	}
	if a, ok := c.op.Attr(name).(*stablehlo.DenseElements); !ok || len(a.Dims()) != 2 || len(flat) != 2*n {
		c.fail(name, "", "expected %d pairs of integers, got %v", n, c.op.Attr(name))
		return edges
	}
	for i := range edges {
		edges[i] = [2]int{flat[2*i], flat[2*i+1]}
	}
	return edges
}

// promote converts operands of a folding operation, two lists of equal types, to the
// types that region i works in, which may be wider.
func (c *call) promote(i int, a, b []builder.Op) (x, y []builder.Op) {
	block := c.block(i)
	if c.failed() || len(block.Args) != 2*len(a) || len(a) != len(b) || len(a) == 0 {
		c.fail("", "", "expected a region of %d arguments for %d and %d operands, got %d",
			2*len(a), len(a), len(b), len(block.Args))
		return a, b
	}
	for k := range a {
		t := c.scalarType(block, k)
		x = append(x, convertTo(a[k], t))
		y = append(y, convertTo(b[k], t))
	}
	return x, y
}

func selectAndScatter(c *call) []builder.Op {
	x, source, init := c.arg(0), c.arg(1), c.arg(2)
	choose := c.scalars(0, "select")
	both, inits := c.promote(1, []builder.Op{source}, []builder.Op{init})
	f := c.scalars(1, "scatter")
	w := c.window()
	if c.failed() {
		return nil
	}
	if w.Sizes == nil {
		w.Sizes = ones(x.Rank())
	}
	edges := c.edges("padding", len(w.Sizes))
	x = convertTo(x, both[0].Type())
	return one(builder.SelectAndScatterWithGeneralPadding(x, choose, w, edges, both[0], inits[0], f))
}

func ones(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

func sorted(c *call) []builder.Op {
	f, more := c.comparator(0)
	if c.failed() || len(c.args) == 0 {
		c.fail("", "sort_i1", "expected operands, got %d", len(c.args))
		return nil
	}
	all := append(c.args[:len(c.args):len(c.args)], spread(more, c.args[0])...)
	return builder.SortMany(all, f, c.intOr("dimension", -1), c.flag("is_stable"))[:len(c.args)]
}

func batchNormTraining(c *call) []builder.Op {
	y, mean, variance := builder.BatchNormTraining(c.arg(0), c.arg(1), c.arg(2), c.float32("epsilon"),
		c.int("feature_index"))
	return []builder.Op{y, mean, variance}
}

func batchNormInference(c *call) []builder.Op {
	return one(builder.BatchNormInference(c.arg(0), c.arg(1), c.arg(2), c.arg(3), c.arg(4), c.float32("epsilon"),
		c.int("feature_index")))
}

func batchNormGrad(c *call) []builder.Op {
	x, scale, offset := builder.BatchNormGrad(c.arg(0), c.arg(1), c.arg(2), c.arg(3), c.arg(4), c.float32("epsilon"),
		c.int("feature_index"))
	return []builder.Op{x, scale, offset}
}
