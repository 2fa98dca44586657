package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ScanOptions are what a scan has besides its operands and its computation.
type ScanOptions struct {
	// Reverse goes from the last place to the first; outputs stay in their places.
	Reverse bool
	// Associative says whether places may be combined in any grouping; Unset if it is not known.
	Associative op.TriState
}

// Scan goes along dimension dim of the inputs, of one size there. At each place f gets the
// inputs without that dimension, and the carries, which begin as inits; it returns outputs for
// the place and the next carries. Scan returns the outputs stacked along dim, and the last
// carries. It fails if sizes differ or the carries change in shape. Spec: OPS.md section 4.
func Scan(inputs, inits []Op, f func(elems, carries []Op) (outs, nextCarries []Op), dim int,
	options ...ScanOptions) (outs, carries []Op) {
	m, k, n := len(inputs), len(inits), 0
	wrapped := func(x []Op) Op {
		y, next := f(x[:m], x[m:])
		n = len(y)
		return builderOf(x).Tuple(append(y[:n:n], next...)...)
	}
	b := builderOf(append(inputs[:m:m], inits...))
	if f == nil {
		b.errorf(op.Scan, "to_apply", "", "expected a function, got nil")
		return nil, b.invalids(k)
	}
	t := scan(inputs, inits, wrapped, dim, options)
	if !t.IsValid() { // f tells how many outputs there would be
		outs, _ = f(b.invalids(m), b.invalids(k))
		return b.invalids(len(outs)), b.invalids(k)
	}
	all := elements(t, n+k)
	return all[:n], all[n:]
}

// ScanWith is Scan with a computation of the elements and then the carries, which returns the
// tuple of outputs and next carries; so does ScanWith.
func ScanWith(inputs, inits []Op, f Computation, dim int, options ...ScanOptions) Op {
	return scan(inputs, inits, f, dim, options)
}

func scan(inputs, inits []Op, f any, dim int, options []ScanOptions) Op {
	const code = op.Scan
	operands := append(inputs[:len(inputs):len(inputs)], inits...)
	b, ok := enter(code, operands...)
	if !ok || !b.wantSome(code, operands) {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalid()
	}
	var params []shape.Shape
	for i, x := range inputs {
		if !b.wantArray(code, i, x) || !b.wantDim(code, "scan_dimension", dim, x.Rank()) {
			return b.invalid()
		}
		keep := sequence(x.Rank())
		params = append(params, pickDims(x.Shape(), append(keep[:dim:dim], keep[dim+1:]...)))
	}
	c, ok := b.callee(code, "scan_body", f, append(params, shapesOf(inits)...)...)
	if !ok {
		return b.invalid()
	}
	return b.add(code, operands, &op.ScanAttrs{Dimensions: []int{dim}, NumCarries: len(inits),
		IsReverse: o.Reverse, IsAssociative: o.Associative}, shape.Shape{}, c)
}
