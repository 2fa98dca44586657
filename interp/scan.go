package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalScan calls the computation for each index along the scan dimension, from the
// last one down if it is in reverse, with the inputs at that index and the carries
// so far. The outputs are stacked at the same index. Spec: OPS.md section 4, Scan.
func evalScan(c *call) (literal.Literal, error) {
	a := attrs[*op.ScanAttrs](c)
	d, n := a.Dimensions[0], len(c.args)-a.NumCarries
	inputs, carries := c.args[:n], c.args[n:]
	results := leaves(c.new())
	outputs := results[:len(results)-a.NumCarries]
	c.in.holdAll(carries)
	length := 0
	if stacked := slices.Concat(inputs, outputs); len(stacked) > 0 {
		length = stacked[0].Dims()[d]
	}
	for step := range length {
		i := step
		if a.IsReverse {
			i = length - 1 - step
		}
		args := make([]literal.Literal, 0, len(c.args))
		for _, x := range inputs {
			args = append(args, row(x, d, i))
		}
		c.in.holdAll(args)
		value, err := c.in.invoke(c.n.Called()[0], append(args, carries...))
		if err != nil {
			return literal.Literal{}, err
		}
		parts := leaves(value)
		for k, y := range outputs {
			to := all(y)
			to.offset += i * to.strides[d]
			to.strides = slices.Delete(to.strides, d, d+1)
			move(to, all(parts[k]), parts[k].Dims())
		}
		carries = parts[len(outputs):]
		c.in.holdAll(carries)
		c.in.memory.release(value)
	}
	for _, x := range carries {
		c.in.owe(x)
	}
	return c.pack(slices.Concat(outputs, carries)), nil
}

// row returns the elements of x at index i of dimension d, without that dimension.
func row(x literal.Literal, d, i int) literal.Literal {
	from, dims := all(x), slices.Delete(slices.Clone(x.Dims()), d, d+1)
	from.offset += i * from.strides[d]
	from.strides = slices.Delete(from.strides, d, d+1)
	dst := literal.New(shape.Make(x.Type(), dims...))
	move(all(dst), from, dims)
	return dst
}
