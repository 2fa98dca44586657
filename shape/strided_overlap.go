package shape

import (
	"fmt"
	"slices"
)

// overlapBudget bounds the search for two elements with the same offset.
const overlapBudget = 1 << 16

// CheckResult returns an error if results cannot be written to a buffer described
// by d: the description is not valid, or two elements share an offset.
func (d Strided) CheckResult() error {
	if err := d.Check(); err != nil {
		return err
	}
	if slices.Contains(d.Sizes, 0) {
		return nil
	}
	if i := d.broadcastDim(); i >= 0 {
		return fmt.Errorf("%v: expected a result buffer without overlap, got stride 0 in dimension %d of size %d",
			d, i, d.Sizes[i])
	}
	if d.Overlaps() {
		return fmt.Errorf("%v: expected a result buffer without overlap, got elements that share an offset", d)
	}
	return nil
}

// Overlaps reports whether two elements of a valid description share an offset. In
// the rare case of strides so tangled that a bounded search finds no answer, it
// reports true.
func (d Strided) Overlaps() bool {
	if d.Strides == nil || slices.Contains(d.Sizes, 0) {
		return false
	}
	if d.IsBroadcast() {
		return true
	}
	o := overlap{}
	for i, size := range d.Sizes {
		if size > 1 {
			o.dims = append(o.dims, span{most: size - 1, stride: d.Strides[i]})
		}
	}
	slices.SortStableFunc(o.dims, func(a, b span) int { return a.stride - b.stride })
	if o.nested() {
		return false
	}
	// More elements than places: some must share.
	n, err := d.Elements()
	least, err2 := d.MinElements()
	if err != nil || err2 != nil || n > least {
		return true
	}
	return o.search(len(o.dims)-1, 0, false)
}

// span is a dimension of more than one element: the difference of two indices is
// in [-most, most].
type span struct{ most, stride int }

// overlap looks for two indices with the same offset: differences, not all zero,
// whose products with the strides add up to zero.
type overlap struct {
	dims  []span // by rising stride
	reach []int  // reach[i]: the largest offset within dims[:i]
	steps int
}

// nested fills reach and reports whether each stride is beyond all that the
// smaller ones reach, as in every usual layout.
func (o *overlap) nested() bool {
	reach, nested := 0, true
	for _, s := range o.dims {
		nested = nested && s.stride > reach
		o.reach = append(o.reach, reach)
		reach += s.most * s.stride
	}
	return nested
}

// search chooses the difference of dimension i, given the sum of the products of
// the dimensions above it, which the ones below must still be able to cancel. As
// negating all differences changes nothing, the first other than zero is positive.
func (o *overlap) search(i, sum int, chosen bool) bool {
	s := o.dims[i]
	if i == 0 {
		return chosen && sum%s.stride == 0 && max(sum, -sum)/s.stride <= s.most
	}
	low, high := 0, min(s.most, (o.reach[i]-sum)/s.stride)
	if chosen {
		low = max(-s.most, -((o.reach[i] + sum) / s.stride))
	}
	for difference := low; difference <= high; difference++ {
		if o.steps++; o.steps > overlapBudget {
			return true
		}
		if o.search(i-1, sum+difference*s.stride, chosen || difference != 0) {
			return true
		}
	}
	return false
}
