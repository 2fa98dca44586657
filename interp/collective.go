package interp

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the collective operations that divide the devices into groups.
// Each is an exchange of whole operands, of which every device then takes what it
// needs. Spec: OPS.md section 8.

// tupleIfMany is the result of an operation that has one for each operand.
func tupleIfMany(results []literal.Literal) literal.Literal {
	if len(results) == 1 {
		return results[0]
	}
	return literal.MakeTuple(results...)
}

// evalAllGather joins the operands of the group along a dimension.
func evalAllGather(c *call) (literal.Literal, error) {
	a := attrs[*op.AllGatherAttrs](c)
	m, err := c.meet(a.ChannelID, a.ReplicaGroups, triState(a.UseGlobalDeviceIDs))
	if err != nil {
		return literal.Literal{}, err
	}
	given, err := c.exchange(m, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	results := make([]literal.Literal, len(c.args))
	for k := range results {
		parts := make([]literal.Literal, len(given))
		for i := range given {
			parts[i] = given[i][k]
		}
		results[k] = join(parts, a.Dimensions[0])
	}
	return tupleIfMany(results), nil
}

func triState(b bool) op.TriState {
	if b {
		return op.True
	}
	return op.False
}

// join concatenates parts along dimension d.
func join(parts []literal.Literal, d int) literal.Literal {
	s := parts[0].Shape()
	dims := append([]int(nil), s.Dims...)
	dims[d] = 0
	for _, p := range parts {
		dims[d] += p.Dims()[d]
	}
	dst := literal.New(shape.Make(s.Type, dims...))
	to := all(dst)
	for _, p := range parts {
		move(to, all(p), p.Dims())
		to.offset += p.Dims()[d] * to.strides[d]
	}
	return dst
}

// part returns part i of x cut into count equal ones along dimension d.
func part(x literal.Literal, d, i, count int) (literal.Literal, error) {
	start, limit := make([]int, len(x.Dims())), append([]int(nil), x.Dims()...)
	size := limit[d] / count
	if limit[d]%count != 0 {
		return x, fmt.Errorf("expects a size divisible by %d in dimension %d, got %d", count, d, limit[d])
	}
	start[d], limit[d] = i*size, (i+1)*size
	return x.Slice(start, limit, nil)
}

// evalAllReduce combines the operands of the group, element by element, in the order of the group.
func evalAllReduce(c *call) (literal.Literal, error) {
	a := attrs[*op.AllReduceAttrs](c)
	results, _, err := c.reduceGroup(a.ChannelID, a.ReplicaGroups, a.UseGlobalDeviceIDs)
	if err != nil {
		return literal.Literal{}, err
	}
	return tupleIfMany(results), nil
}

// evalReduceScatter is all-reduce of which each device keeps its part.
func evalReduceScatter(c *call) (literal.Literal, error) {
	a := attrs[*op.ReduceScatterAttrs](c)
	results, m, err := c.reduceGroup(a.ChannelID, a.ReplicaGroups, a.UseGlobalDeviceIDs)
	if err != nil {
		return literal.Literal{}, err
	}
	for k, x := range results {
		if results[k], err = part(x, a.Dimensions[0], m.Self, len(m.Members)); err != nil {
			return literal.Literal{}, err
		}
	}
	return tupleIfMany(results), nil
}

// reduceGroup returns the operands of the group combined by the computation.
func (c *call) reduceGroup(channel op.OptInt, groups op.ReplicaGroups, global bool) (
	[]literal.Literal, Meeting, error) {
	m, err := c.meet(channel, groups, triState(global))
	if err != nil {
		return nil, m, err
	}
	given, err := c.exchange(m, c.args)
	if err != nil {
		return nil, m, err
	}
	p, err := c.in.scalarProgram(c.n.Called()[0])
	if err != nil {
		return nil, m, err
	}
	results := make([]literal.Literal, len(c.args))
	for k := range results {
		results[k] = given[0][k].Clone()
		for _, other := range given[1:] {
			if err := p.combine(results[k], other[k]); err != nil {
				return nil, m, err
			}
		}
	}
	return results, m, nil
}

// combine sets each element of x to p of it and the element of y at the same place.
func (p *scalarProgram) combine(x, y literal.Literal) error {
	if x.Type() != y.Type() || x.Len() != y.Len() {
		return fmt.Errorf("expects %v of every device, got %v", x.Shape(), y.Shape())
	}
	for i := range x.Len() {
		p.setParam(0, x, i)
		p.setParam(1, y, i)
		if err := p.run(); err != nil {
			return err
		}
		p.result(0, x, i)
	}
	return nil
}

// evalAllToAll gives part i of the operand, or operand i, to member i; what comes
// back is in the order of the members.
func evalAllToAll(c *call) (literal.Literal, error) {
	a := attrs[*op.AllToAllAttrs](c)
	m, err := c.meet(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	given, err := c.exchange(m, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	parts := make([]literal.Literal, len(given))
	for i, operands := range given {
		if a.Dimensions == nil {
			if m.Self >= len(operands) {
				return literal.Literal{}, fmt.Errorf("expects %d operands, one a device, got %d",
					len(given), len(operands))
			}
			parts[i] = operands[m.Self]
			continue
		}
		if parts[i], err = part(operands[0], a.Dimensions[0], m.Self, len(given)); err != nil {
			return literal.Literal{}, err
		}
	}
	if a.Dimensions == nil {
		return literal.MakeTuple(parts...), nil
	}
	return join(parts, a.Dimensions[0]), nil
}

// evalCollectiveBroadcast takes the operands of the first member of the group, or of
// the one that the last operand names. A device in no group gets zeros.
func evalCollectiveBroadcast(c *call) (literal.Literal, error) {
	a := attrs[*op.CollectiveBroadcastAttrs](c)
	m, err := c.meet(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	data, root := c.args, 0
	if a.HasDynamicRoot {
		data = c.args[:len(c.args)-1]
		root = clampIndex(c.args[len(data)], 0, max(0, len(m.Members)-1))
	}
	if len(m.Members) == 0 {
		return tupleIfMany(zerosLike(data)), nil
	}
	given, err := c.exchange(m, data)
	if err != nil {
		return literal.Literal{}, err
	}
	return tupleIfMany(given[root]), nil
}

func zerosLike(list []literal.Literal) []literal.Literal {
	zeros := make([]literal.Literal, len(list))
	for i, x := range list {
		zeros[i] = literal.New(x.Shape())
	}
	return zeros
}

// evalRaggedAllToAll copies rows of each member's input to where that member says in
// the outputs of the others. Operands: input, output, input offsets, send sizes,
// output offsets, receive sizes; the last are what the others send and not needed.
func evalRaggedAllToAll(c *call) (literal.Literal, error) {
	a := attrs[*op.RaggedAllToAllAttrs](c)
	m, err := c.meet(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	given, err := c.exchange(m, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	dst := c.args[1].Clone()
	for _, from := range given {
		pieces := from[2].Len() / len(m.Members) // for each device
		for i := m.Self * pieces; i < (m.Self+1)*pieces; i++ {
			if err := copyRows(dst, from[4].IntAt(i), from[0], from[2].IntAt(i), from[3].IntAt(i)); err != nil {
				return literal.Literal{}, err
			}
		}
	}
	return dst, nil
}

// copyRows copies count rows of src from row j on to dst from row i on.
func copyRows(dst literal.Literal, i int64, src literal.Literal, j, count int64) error {
	rows := func(l literal.Literal, first int64) error {
		if n := int64(l.Dims()[0]); first < 0 || count < 0 || first > n-count {
			return fmt.Errorf("expects rows in [0, %d), got %d from %d on", n, count, first)
		}
		return nil
	}
	if err := rows(src, j); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if err := rows(dst, i); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	size := append([]int{int(count)}, src.Dims()[1:]...)
	to, from := all(dst), all(src)
	to.offset += int(i) * to.strides[0]
	from.offset += int(j) * from.strides[0]
	move(to, from, size)
	return nil
}
