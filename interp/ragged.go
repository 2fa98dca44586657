package interp

import (
	"fmt"
	"math"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// raggedOperands are the operands of ragged-all-to-all. Offsets and sizes are in rows,
// and have as many entries for each member, one behind the other.
type raggedOperands struct {
	input, output                                     literal.Literal
	inputOffsets, sendSizes, outputOffsets, recvSizes literal.Literal
	each                                              int // entries for a member
}

// evalRaggedAllToAll copies rows of each member's input to where that member says in
// the outputs of the others. Spec: OPS.md section 8.
func evalRaggedAllToAll(c *call) (literal.Literal, error) {
	a := attrs[*op.RaggedAllToAllAttrs](c)
	g, err := c.meet(a.ChannelID, a.ReplicaGroups, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	r := raggedOperands{c.args[0], c.args[1], c.args[2], c.args[3], c.args[4], c.args[5], c.args[2].Len() / g.size()}
	if r.each*g.size() != c.args[2].Len() {
		return literal.Literal{}, fmt.Errorf("expects offsets for %d devices, got %v", g.size(), c.args[2].Shape())
	}
	send, recv := make([][]literal.Literal, g.size()), make([][]literal.Literal, g.size())
	for k := range send {
		if send[k], err = r.given(k); err != nil {
			return literal.Literal{}, err
		}
		if recv[k], err = r.taken(k); err != nil {
			return literal.Literal{}, err
		}
	}
	if err := g.comm.AllToAll(c.in.ctx, g.Meeting, recv, send); err != nil {
		return literal.Literal{}, err
	}
	dst := r.output.Clone()
	for _, list := range recv {
		for i, rows := range list[1:] {
			if err := putRows(dst, list[0].IntAt(i), rows); err != nil {
				return literal.Literal{}, err
			}
		}
	}
	return dst, nil
}

// given returns what goes to member k: where its pieces come in the output there, and the pieces.
func (r *raggedOperands) given(k int) ([]literal.Literal, error) {
	places := literal.New(shape.Make(shape.S64, r.each))
	list := []literal.Literal{places}
	for i := range r.each {
		at := k*r.each + i
		places.SetInt(i, r.outputOffsets.IntAt(at))
		first, count := r.inputOffsets.IntAt(at), r.sendSizes.IntAt(at)
		if err := checkRows(r.input, first, count); err != nil {
			return nil, fmt.Errorf("input, for member %d: %w", k, err)
		}
		start, limit := make([]int, r.input.Shape().Rank()), append([]int(nil), r.input.Dims()...)
		start[0], limit[0] = int(first), int(first+count)
		piece, err := r.input.Slice(start, limit, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, piece)
	}
	return list, nil
}

// taken returns room for what comes from member k.
func (r *raggedOperands) taken(k int) ([]literal.Literal, error) {
	list := []literal.Literal{literal.New(shape.Make(shape.S64, r.each))}
	for i := range r.each {
		count := r.recvSizes.IntAt(k*r.each + i)
		if err := checkRows(r.output, 0, count); err != nil {
			return nil, fmt.Errorf("recv_sizes of member %d: %w", k, err)
		}
		dims := append([]int{int(count)}, r.output.Dims()[1:]...)
		list = append(list, literal.New(shape.Make(r.output.Type(), dims...)))
	}
	return list, nil
}

// checkRows checks that an array has count rows from row first on.
func checkRows(l literal.Literal, first, count int64) error {
	if n := int64(l.Dims()[0]); first < 0 || count < 0 || first > math.MaxInt64-count || first+count > n {
		return fmt.Errorf("expects rows in [0, %d), got %d from %d on", n, count, first)
	}
	return nil
}

// putRows sets the rows of dst from row first on.
func putRows(dst literal.Literal, first int64, rows literal.Literal) error {
	if err := checkRows(dst, first, int64(rows.Dims()[0])); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	to := all(dst)
	to.offset += int(first) * to.strides[0]
	move(to, all(rows), rows.Dims())
	return nil
}
