package stablehlo

import "iter"

// Walk yields the operation and all operations in its regions, an operation before
// those in its regions, in the order of the text. The regions of the yielded operation
// may be edited.
func (o *Op) Walk() iter.Seq[*Op] {
	return func(yield func(*Op) bool) { o.walk(yield) }
}

func (o *Op) walk(yield func(*Op) bool) bool {
	if !yield(o) {
		return false
	}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, child := range b.Ops {
				if !child.walk(yield) {
					return false
				}
			}
		}
	}
	return true
}

// Terminator returns the last operation of the region's last block, nil if it is empty.
func (r *Region) Terminator() *Op {
	if len(r.Blocks) == 0 {
		return nil
	}
	ops := r.Blocks[len(r.Blocks)-1].Ops
	if len(ops) == 0 {
		return nil
	}
	return ops[len(ops)-1]
}
