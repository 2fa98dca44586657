package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// groupRules says what replica groups must be.
type groupRules struct {
	label               string // each id once
	even                bool   // all groups have one size: no -1 for an id that is missing
	size                int64  // of the groups, 0 for any
	global              bool   // ids are of devices: there is at least one group
	covered             bool   // the ids are 0, 1, ... without gaps
	sizeLabel, missings string // labels of size and of covered
}

// meshAxes checks groups along the axes of a mesh: the axes are of the mesh, each once.
// A mesh that is only named may be anywhere.
func (c *check) meshAxes(a *stablehlo.ReplicaGroupMeshAxes) error {
	var names []string
	mesh, known := a.Mesh.(*stablehlo.Mesh)
	if known && mesh.Axes != nil {
		for _, e := range mesh.Axes.Elems {
			if axis, ok := e.(*stablehlo.MeshAxis); ok {
				names = append(names, axis.Name)
			}
		}
	}
	seen := map[string]bool{}
	for _, e := range a.Axes.Elems {
		axis, ok := e.(*stablehlo.AxisRef)
		if !ok {
			continue
		}
		if known && !slices.Contains(names, axis.Name) {
			return c.errorf("replica_groups", "", "expected an axis of the mesh, %v, got %q", names, axis.Name)
		}
		if axis.SubAxis == nil && seen[axis.Name] {
			return c.errorf("replica_groups", "", "expected each axis once, got %q again", axis.Name)
		}
		seen[axis.Name] = true
	}
	return nil
}

// checkCrossReplicaSum checks the groups.
func checkCrossReplicaSum(c *check) error {
	return c.groups(groupRules{even: true, covered: true})
}

// groups checks replica groups.
func (c *check) groups(r groupRules) error {
	if a, ok := c.op.Attr("replica_groups").(*stablehlo.ReplicaGroupMeshAxes); ok && a.Axes != nil {
		return c.meshAxes(a)
	}
	dims, ids, ok, err := c.table("replica_groups")
	if !ok || err != nil {
		return err
	}
	if len(dims) != 2 {
		return c.errorf("replica_groups", "", "expected a table of rank 2, got shape %s", sizes(dims))
	}
	if r.global && len(ids) == 0 {
		return c.errorf("replica_groups", "", "expected at least one group with use_global_device_ids, got none")
	}
	var seen []int64
	for _, id := range ids {
		if id == -1 && !r.even {
			continue
		}
		if id < 0 {
			return c.errorf("replica_groups", r.label, "expected ids of at least 0, got %d", id)
		}
		seen = append(seen, id)
	}
	slices.Sort(seen)
	for i, id := range seen {
		if i > 0 && seen[i-1] == id {
			return c.errorf("replica_groups", r.label, "expected each id once, got %d again", id)
		}
	}
	for i, id := range seen {
		if r.covered && id != int64(i) {
			return c.errorf("replica_groups", r.missings, "expected id %d in one of the groups, got none", i)
		}
	}
	if r.size > 0 && len(ids) > 0 && dims[1] != r.size {
		return c.errorf("replica_groups", r.sizeLabel, "expected groups of %d ids, got %d", r.size, dims[1])
	}
	return nil
}

// channel checks that ids of devices come with a channel.
func (c *check) channel(label string, least int64) error {
	h, _ := c.op.Attr("channel_handle").(*stablehlo.ChannelHandle)
	id := int64(0)
	if h != nil {
		id = h.Handle
	}
	if c.has("use_global_device_ids") && id < least {
		return c.errorf("channel_handle", label, "expected a channel of at least %d with use_global_device_ids, got %d",
			least, id)
	}
	return nil
}

// sameNumber checks that there are as many results as operands.
func (c *check) sameNumber() error {
	if n, m := len(c.op.Operands), len(c.op.Results); n != m {
		return c.errorf("", "", "expected as many results as operands, %d, got %d", n, m)
	}
	return nil
}

// checkAllGather: all_gather_c1 to all_gather_c6.
func checkAllGather(c *check) error {
	if err := c.sameNumber(); err != nil {
		return err
	}
	dim := int(c.integer("all_gather_dim"))
	for i := range c.op.Operands {
		t := c.operand(i)
		if dim >= t.Rank() {
			return c.errorf("all_gather_dim", "c1", "expected a dimension in [0, %d), got %d", t.Rank(), dim)
		}
		if t.Dims[dim] == 0 {
			return c.errorf("operands", "c6", "expected a size of at least 1 in dimension %d, got %v", dim, t)
		}
	}
	if err := c.groups(groupRules{label: "c2", even: true, covered: true, missings: "c4",
		global: c.has("use_global_device_ids")}); err != nil {
		return err
	}
	if err := c.channel("c5", 0); err != nil {
		return err
	}
	for i := range c.op.Operands {
		if err := c.scaled(c.operand(i), c.result(i), dim, "c6"); err != nil {
			return err
		}
	}
	return nil
}

// scaled checks that large has the shape of small, but for dimension dim, where its
// size is a multiple.
func (c *check) scaled(small, large *stablehlo.TensorType, dim int, label string) error {
	if small.Rank() != large.Rank() {
		return c.errorf("", label, "expected a result of rank %d, got %v", small.Rank(), large)
	}
	if !sameElem(false, small, large) && c.op.Name == "stablehlo.all_gather" {
		return c.errorf("", label, "expected a result of element type %v, got %v", small.Elem, large)
	}
	for i, n := range small.Dims {
		if i != dim && !compatibleDim(n, large.Dims[i]) {
			return c.errorf("", label, "expected size %d in dimension %d of operand and result, got %d", n, i, large.Dims[i])
		}
	}
	n, m := small.Dims[dim], large.Dims[dim]
	if n != stablehlo.Dynamic && m != stablehlo.Dynamic && (n == 0 || m%n != 0) {
		return c.errorf("", label, "expected a multiple of %d in dimension %d, got %d", n, dim, m)
	}
	return nil
}

// scalars returns scalars of the element types.
func scalars(types []*stablehlo.TensorType) []*stablehlo.TensorType {
	list := make([]*stablehlo.TensorType, len(types))
	for i, t := range types {
		list[i] = tensor(nil, t.Elem, nil)
	}
	return list
}

// inferAllReduce: all_reduce_c6, all_reduce_c7.
func inferAllReduce(c *check) ([]stablehlo.Type, error) {
	returned := c.returned(0)
	if len(returned) == 0 || elementOf(returned[0]) == nil {
		return nil, c.errorf("computation", "c5", "expected a region that returns a tensor, got %s", list(returned))
	}
	var types []stablehlo.Type
	for _, t := range c.tensors(0) {
		types = append(types, like(t, elementOf(returned[0])))
	}
	return types, nil
}

// checkAllReduce: all_reduce_c1 to all_reduce_c5.
func checkAllReduce(c *check) error {
	if err := c.groups(groupRules{label: "c1", covered: true, missings: "c3",
		global: c.has("use_global_device_ids")}); err != nil {
		return err
	}
	if err := c.channel("c4", 1); err != nil {
		return err
	}
	for _, t := range c.tensors(0) {
		list := []*stablehlo.TensorType{t}
		if err := c.reducer(0, "c5", list, scalars(list), nil); err != nil {
			return err
		}
	}
	return nil
}

// inferAllToAll: all_to_all_c1 to all_to_all_c9.
func inferAllToAll(c *check) ([]stablehlo.Type, error) {
	split, concat := c.integer("split_dimension"), c.integer("concat_dimension")
	count := c.integer("split_count")
	if err := c.groups(groupRules{label: "c5", even: true, covered: true, missings: "c7",
		size: count, sizeLabel: "c8"}); err != nil {
		return nil, err
	}
	if a, ok := c.op.Attr("replica_groups").(*stablehlo.DenseElements); ok && a.NumElements() == 0 {
		return nil, c.errorf("replica_groups", "c8", "expected groups of %d ids, got none", count)
	}
	var types []stablehlo.Type
	for _, t := range c.tensors(0) {
		for i, d := range []int64{split, concat} {
			if d >= int64(t.Rank()) {
				return nil, c.errorf([]string{"split_dimension", "concat_dimension"}[i], []string{"c1", "c3"}[i],
					"expected a dimension in [0, %d), got %d", t.Rank(), d)
			}
		}
		list := extents(t)
		if n := list[split].size; n != stablehlo.Dynamic && n%count != 0 {
			return nil, c.errorf("split_count", "c2", "expected a divisor of size %d of dimension %d, got %d", n, split, count)
		}
		list[split] = scale(list[split], func(n int64) int64 { return n / count })
		list[concat] = scale(list[concat], func(n int64) int64 { return n * count })
		types = append(types, ofExtents(list, t.Elem))
	}
	return types, nil
}

// scale applies f to what is known.
func scale(e extent, f func(int64) int64) extent {
	if e.size != stablehlo.Dynamic {
		e.size = f(e.size)
	}
	if e.bound != stablehlo.Dynamic {
		e.bound = f(e.bound)
	}
	return e
}

// checkReduceScatter: reduce_scatter_c1 to reduce_scatter_c9.
func checkReduceScatter(c *check) error {
	t, to := c.operand(0), c.result(0)
	if err := c.groups(groupRules{label: "c3", even: true, covered: true, missings: "c5",
		global: c.has("use_global_device_ids")}); err != nil {
		return err
	}
	list := []*stablehlo.TensorType{t}
	if err := c.reducer(0, "c7", list, scalars(list), nil); err != nil {
		return err
	}
	dim := int(c.integer("scatter_dimension"))
	if dim >= t.Rank() {
		return c.errorf("scatter_dimension", "c2", "expected a dimension in [0, %d), got %d", t.Rank(), dim)
	}
	if err := c.channel("c6", 1); err != nil {
		return err
	}
	if t.Rank() == to.Rank() && (t.Dims[dim] == 0 || to.Dims[dim] == 0) {
		return c.errorf("scatter_dimension", "c8", "expected sizes of at least 1, got %v and %v", t, to)
	}
	if err := c.scaled(to, t, dim, "c8"); err != nil {
		return err
	}
	if want := elementOf(c.returned(0)[0]); !stablehlo.SameType(to.Elem, want) {
		return c.errorf("", "c9", "expected a result of element type %v, got %v", want, to)
	}
	return nil
}

// inferFirst: the results are those of the operands; with a dynamic root the last
// operand is the root and has no result.
func inferFirst(c *check) ([]stablehlo.Type, error) {
	operands := valueTypes(c.group(0))
	if len(operands) == 0 {
		return nil, c.errorf("operands", "c3", "expected at least one operand, got none")
	}
	if c.has("has_dynamic_root") {
		if len(operands) < 2 {
			return nil, c.errorf("operands", "c4", "expected an operand and the root, got %d operands", len(operands))
		}
		root := tensorOf(operands[len(operands)-1])
		if n := int64(len(operands) - 1); !isInteger(root.Elem, stablehlo.Signless, stablehlo.Unsigned) ||
			!compatibleDims(root.Dims, []int64{n}) {
			return nil, c.errorf("operands", "c4", "expected %d integers as the root, got %v", n, root)
		}
		operands = operands[:len(operands)-1]
	}
	if c.op.Name != "stablehlo.collective_reduce" {
		return operands, nil
	}
	return c.reduced(operands)
}

// checkCollectiveBroadcast: collective_broadcast_c1, collective_broadcast_c2.
func checkCollectiveBroadcast(c *check) error { return c.groups(groupRules{label: "c1", even: true}) }

// checkCollectiveReduce checks groups, channel and computation as those of all_reduce.
func checkCollectiveReduce(c *check) error {
	if err := c.groups(groupRules{label: "c1", global: c.has("use_global_device_ids")}); err != nil {
		return err
	}
	if err := c.channel("c4", 1); err != nil {
		return err
	}
	data := c.tensors(0)
	if c.has("has_dynamic_root") {
		data = data[:len(data)-1]
	}
	for _, t := range data {
		list := []*stablehlo.TensorType{t}
		if err := c.reducer(0, "c5", list, scalars(list), nil); err != nil {
			return err
		}
	}
	return nil
}

// checkCollectivePermute: collective_permute_c1 to collective_permute_c4.
func checkCollectivePermute(c *check) error { return c.sourceTargets("c1", "c2", "c3", "c4") }

// sourceTargets checks pairs of ids: each is a source and a target once at most.
func (c *check) sourceTargets(shape, sources, targets, ids string) error {
	dims, values, ok, err := c.table("source_target_pairs")
	if !ok || err != nil {
		return err
	}
	if len(dims) != 2 || dims[1] != 2 {
		return c.errorf("source_target_pairs", shape, "expected a table of shape [N, 2], got shape %s", sizes(dims))
	}
	var ends [2][]int64
	for i, id := range values {
		if id < 0 {
			return c.errorf("source_target_pairs", ids, "expected ids of at least 0, got %d", id)
		}
		ends[i%2] = append(ends[i%2], id)
	}
	if err := c.unique("source_target_pairs", sources, ends[0]); err != nil {
		return err
	}
	return c.unique("source_target_pairs", targets, ends[1])
}
