package perturb

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Products of many numbers come in any order, as sums do; but no rounding of factors tells what becomes of that: some
// of them may be larger than any number, and then a zero that comes later makes a NaN. So the factors change places.

// shuffleProducts puts the operands of which i, a reduce, takes products in another order.
func shuffleProducts(i *hlo.Instruction) {
	a, ok := i.Attrs().(*op.ReduceAttrs)
	if !ok || i.Code() != op.Reduce {
		return
	}
	var dims []string
	for _, d := range a.Dimensions {
		dims = append(dims, strconv.Itoa(d))
	}
	n := len(i.Operands()) / 2
	for k := range n {
		if o := i.Operand(k); multiplies(i.Called()[0], k, n) && isReal(o) {
			i.SetOperand(k, call(o, "shuffled", strings.Join(dims, ","), o))
		}
	}
}

// multiplies reports whether result k of reducer, which folds n arrays, is the product of both numbers of array k.
func multiplies(reducer *hlo.Computation, k, n int) bool {
	r := reducer.Root()
	if r.Code() == op.Tuple {
		r = r.Operand(k)
	}
	if r.Code() != op.Multiply {
		return false
	}
	x, y := reducer.Params()[k], reducer.Params()[n+k]
	return r.Operand(0) == x && r.Operand(1) == y || r.Operand(0) == y && r.Operand(1) == x
}

// shuffled puts the elements of the operand in another order along the dimensions that are listed.
func (p *perturber) shuffled(_ context.Context, c *ffi.Call) error {
	var listed []int
	for s := range strings.SplitSeq(c.Config, ",") {
		if d, err := strconv.Atoi(s); err == nil {
			listed = append(listed, d)
		}
	}
	x := c.Operands[0].RowMajor().Clone()
	c.Results[0] = x
	rows, places := []int{0}, []int{0}
	for d, stride := range shape.RowMajorStrides(x.Dims()) {
		if slices.Contains(listed, d) {
			places = spread(places, x.Dims()[d], stride)
		} else {
			rows = spread(rows, x.Dims()[d], stride)
		}
	}
	for _, row := range rows {
		p.rng.Shuffle(len(places), func(i, j int) { swap(x, row+places[i], row+places[j]) })
	}
	return nil
}

// spread returns the offsets of n times as many elements: each of from, and those n strides on.
func spread(from []int, n, stride int) []int {
	var all []int
	for _, o := range from {
		for k := range n {
			all = append(all, o+k*stride)
		}
	}
	return all
}

func swap(x literal.Literal, i, j int) {
	a, b := x.BitsAt(i), x.BitsAt(j)
	x.SetBits(i, b)
	x.SetBits(j, a)
}
