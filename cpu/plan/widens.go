package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A loop with 64-bit values has half as many lanes. Where all that there is of them is what a reduction of many
// narrower numbers is converted to, as the indices of an argmax, that is a kernel of its own: the reduction has all
// lanes.

// leastNarrow is of how many numbers on that is so: a kernel takes some time too.
const leastNarrow = 4096

// widensLast reports whether i makes 64-bit numbers of what c, which has no others, reduces many numbers to.
func widensLast(i *hlo.Instruction, c *cluster) bool {
	if i.Code() != op.Convert || i.Type().ByteSize() != 8 {
		return false
	}
	r := i.Operand(0)
	if r.Code() == op.GetTupleElement {
		r = r.Operand(0)
	}
	wide := func(m *hlo.Instruction) bool { return m.IsArray() && m.Type().ByteSize() > wordBytes }
	return r.Code() == op.Reduce && r.Operand(0).Size() >= leastNarrow &&
		!slices.ContainsFunc(c.members, wide) && !slices.ContainsFunc(r.Operands(), wide)
}
