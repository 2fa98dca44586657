package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A kernel that sums columns and computes something of each element has a lane for each column. Where these are few, a
// quarter of a vector or more is empty, and elements wait for one another. Apart, what is computed fills vectors, and
// so do sums, which go along columns.

// leastInColumn is how many elements columns have at least for that, leastInMany those of arrays of leastMany elements,
// beside which more kernels take little.
const (
	leastInColumn = 64
	leastInMany   = 16
	leastMany     = 4096
)

// hasFewLanes reports whether that is so of i and c in space.
func (g *clustering) hasFewLanes(i *hlo.Instruction, c *cluster, space fuse.Space) bool {
	first := len(space.Inner) // of the columns
	for first > 0 && !space.Inner[first-1] {
		first--
	}
	if first == 0 {
		return false
	}
	all, columns := sizeOf(space.Dims), sizeOf(space.Dims[first:])
	least := leastInColumn
	if all >= leastMany {
		least = leastInMany
	}
	if columns < 2 || 4*columns*max(i.Type().ByteSize(), wordBytes) > 3*g.vector ||
		all < least*sizeOf(space.Kept()) {
		return false
	}
	reduces := func(m *hlo.Instruction) bool { return m.Code() == op.Reduce }
	full := func(m *hlo.Instruction) bool { return !reduces(m) && m.IsArray() && m.Size() == all }
	return reduces(i) && slices.ContainsFunc(c.members, full) || full(i) && slices.ContainsFunc(c.members, reduces)
}
