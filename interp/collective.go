package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the collective operations that divide the devices into groups.
// Spec: OPS.md section 8.

// tupleIfMany is the result of an operation that has one for each operand.
func tupleIfMany(results []literal.Literal) literal.Literal {
	if len(results) == 1 {
		return results[0]
	}
	return literal.MakeTuple(results...)
}

// zerosLike returns arrays of the shapes of those given.
func zerosLike(list []literal.Literal) []literal.Literal {
	zeros := make([]literal.Literal, len(list))
	for i, x := range list {
		zeros[i] = literal.New(x.Shape())
	}
	return zeros
}

// evalAllGather joins the operands of the group along a dimension.
func evalAllGather(c *call) (literal.Literal, error) {
	a := attrs[*op.AllGatherAttrs](c)
	g, err := c.meet(a.ChannelID, a.ReplicaGroups, triState(a.UseGlobalDeviceIDs))
	if err != nil {
		return literal.Literal{}, err
	}
	recv := make([][]literal.Literal, g.size())
	for k := range recv {
		recv[k] = zerosLike(c.args)
	}
	if err := g.comm.AllGather(c.in.ctx, g.Meeting, recv, c.args); err != nil {
		return literal.Literal{}, err
	}
	results := make([]literal.Literal, len(c.args))
	for i := range results {
		parts := make([]literal.Literal, g.size())
		for k := range parts {
			parts[k] = recv[k][i]
		}
		results[i] = join(parts, a.Dimensions[0])
	}
	return c.sized(g, tupleIfMany(results))
}

func triState(b bool) op.TriState {
	if b {
		return op.True
	}
	return op.False
}

// join concatenates parts along dimension d.
func join(parts []literal.Literal, d int) literal.Literal {
	dims := slices.Clone(parts[0].Dims())
	dims[d] = 0
	for _, p := range parts {
		dims[d] += p.Dims()[d]
	}
	dst := literal.New(shape.Make(parts[0].Type(), dims...))
	to := all(dst)
	for _, p := range parts {
		move(to, all(p), p.Dims())
		to.offset += p.Dims()[d] * to.strides[d]
	}
	return dst
}

// parts cuts x into count equal parts along dimension d.
func parts(x literal.Literal, d, count int) ([]literal.Literal, error) {
	start, limit := make([]int, len(x.Dims())), slices.Clone(x.Dims())
	size := limit[d] / count
	if limit[d]%count != 0 {
		return nil, fmt.Errorf("expects a size divisible by %d in dimension %d, got %d", count, d, limit[d])
	}
	list := make([]literal.Literal, count)
	for i := range list {
		start[d], limit[d] = i*size, (i+1)*size
		var err error
		if list[i], err = x.Slice(start, limit, nil); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// meetToReduce returns the group of this device, and how its operands are combined.
func (c *call) meetToReduce(channel op.OptInt, groups op.ReplicaGroups, global bool) (
	g group, r collective.Reducer, err error) {
	if g, err = c.meet(channel, groups, triState(global)); err != nil {
		return g, r, err
	}
	r, err = c.reducer()
	return g, r, err
}

// evalAllReduce combines the operands of the group, element by element, in the order of the group.
func evalAllReduce(c *call) (literal.Literal, error) {
	a := attrs[*op.AllReduceAttrs](c)
	g, r, err := c.meetToReduce(a.ChannelID, a.ReplicaGroups, a.UseGlobalDeviceIDs)
	if err != nil {
		return literal.Literal{}, err
	}
	results := zerosLike(c.args)
	if err := g.comm.AllReduce(c.in.ctx, g.Meeting, results, c.args, r); err != nil {
		return literal.Literal{}, err
	}
	return tupleIfMany(results), nil
}

// evalReduceScatter is all-reduce of which each device keeps its part.
func evalReduceScatter(c *call) (literal.Literal, error) {
	a := attrs[*op.ReduceScatterAttrs](c)
	g, r, err := c.meetToReduce(a.ChannelID, a.ReplicaGroups, a.UseGlobalDeviceIDs)
	if err != nil {
		return literal.Literal{}, err
	}
	send := make([][]literal.Literal, g.size())
	for _, x := range c.args {
		list, err := parts(x, a.Dimensions[0], g.size())
		if err != nil {
			return literal.Literal{}, err
		}
		for k, p := range list {
			send[k] = append(send[k], p)
		}
	}
	results := zerosLike(send[g.self])
	if err := g.comm.ReduceScatter(c.in.ctx, g.Meeting, results, send, r); err != nil {
		return literal.Literal{}, err
	}
	return c.sized(g, tupleIfMany(results))
}

// reduceKinds are the operations that a communicator may know.
var reduceKinds = map[op.Code]collective.ReduceKind{
	op.Add: collective.ReduceSum, op.Multiply: collective.ReduceProduct, op.Minimum: collective.ReduceMin,
	op.Maximum: collective.ReduceMax, op.And: collective.ReduceAnd, op.Or: collective.ReduceOr,
	op.Xor: collective.ReduceXor,
}

// reducer returns the called computation as it combines arrays.
func (c *call) reducer() (collective.Reducer, error) {
	f := c.n.Called()[0]
	if order, ok := kernelReducer(f); ok && f.Root().Type() == c.args[0].Type() {
		return collective.Reducer{Kind: reduceKinds[f.Root().Code()], Combine: func(acc, x literal.Literal) error {
			operands := [2]literal.Literal{acc, x}
			run, err := kernels[f.Root().Code()](f.Root(), acc, []literal.Literal{operands[order[0]], operands[order[1]]})
			if err == nil {
				run()
			}
			return err
		}}, nil
	}
	p, err := c.in.scalarProgram(f)
	return collective.Reducer{Combine: p.combine}, err
}

// kernelReducer returns which parameters the two operands of f's root are, if f is
// one element-wise operation on its parameters.
func kernelReducer(f *hlo.Computation) (order [2]int, ok bool) {
	root := f.Root()
	if kernels[root.Code()] == nil || len(root.Operands()) != 2 {
		return order, false
	}
	for k, o := range root.Operands() {
		p, isParameter := o.Attrs().(*op.ParameterAttrs)
		if !isParameter || o.Type() != root.Type() || p.Number < 0 || p.Number > 1 {
			return order, false
		}
		order[k] = p.Number
	}
	return order, true
}

// combine sets each element of acc to p of it and the element of x at the same place.
// The program may work in another floating-point precision than the arrays have.
func (p *scalarProgram) combine(acc, x literal.Literal) error {
	if len(p.params) != 2 || len(p.results) != 1 {
		return fmt.Errorf("to_apply: expects a computation of two parameters that returns one scalar")
	}
	a, err := literal.Convert(acc, p.params[0].Type())
	if err != nil {
		return err
	}
	b, err := literal.Convert(x, p.params[1].Type())
	if err != nil {
		return err
	}
	for i := range a.Len() {
		p.setParam(0, a, i)
		p.setParam(1, b, i)
		if err := p.run(); err != nil {
			return err
		}
		p.result(0, a, i)
	}
	if a, err = literal.Convert(a, acc.Type()); err != nil {
		return err
	}
	return literal.Copy(acc, a)
}

// evalAllToAll gives part i of the operand, or operand i, to member i; what comes
// back is in the order of the members.
func evalAllToAll(c *call) (literal.Literal, error) {
	a := attrs[*op.AllToAllAttrs](c)
	g, err := c.meet(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	given := c.args
	if a.Dimensions != nil {
		if given, err = parts(c.args[0], a.Dimensions[0], g.size()); err != nil {
			return literal.Literal{}, err
		}
	}
	if len(given) != g.size() {
		return literal.Literal{}, fmt.Errorf("expects %d operands, one a device, got %d", g.size(), len(given))
	}
	taken := zerosLike(given)
	if err := g.comm.AllToAll(c.in.ctx, g.Meeting, oneEach(taken), oneEach(given)); err != nil {
		return literal.Literal{}, err
	}
	if a.Dimensions == nil {
		return c.sized(g, literal.MakeTuple(taken...))
	}
	return c.sized(g, join(taken, a.Dimensions[0]))
}

// oneEach returns lists of one array each.
func oneEach(list []literal.Literal) [][]literal.Literal {
	lists := make([][]literal.Literal, len(list))
	for k := range list {
		lists[k] = list[k : k+1]
	}
	return lists
}

// evalCollectiveBroadcast takes the operands of the first member of the group, or of
// the one that the last operand names. A device in no group gets zeros.
func evalCollectiveBroadcast(c *call) (literal.Literal, error) {
	a := attrs[*op.CollectiveBroadcastAttrs](c)
	data, root := c.args, 0
	if a.HasDynamicRoot {
		data = c.args[:len(c.args)-1]
	}
	results := zerosLike(data)
	g, ok, err := c.meetIfMember(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil || !ok {
		return tupleIfMany(results), err
	}
	if a.HasDynamicRoot {
		root = clampIndex(c.args[len(data)], 0, g.size()-1)
	}
	if err := g.comm.Broadcast(c.in.ctx, g.Meeting, root, results, data); err != nil {
		return literal.Literal{}, err
	}
	return tupleIfMany(results), nil
}
