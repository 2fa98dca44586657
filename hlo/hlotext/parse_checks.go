package hlotext

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// The checks of this file are those that XLA makes while it reads an instruction;
// the rest is left to the verifier. They fail at the token behind the instruction,
// as XLA does, unless a place is known.

func (p *parser) checkGlobalIDs(n *node, open int) {
	var channel op.OptInt
	var global bool
	var mode op.Word
	switch a := n.attrs.(type) {
	case *op.AllReduceAttrs:
		channel, global, mode = a.ChannelID, a.UseGlobalDeviceIDs, a.Mode
	case *op.ReduceScatterAttrs:
		channel, global = a.ChannelID, a.UseGlobalDeviceIDs
	}
	if global && !channel.Present && mode == "" {
		p.failAt(open, "expects a channel_id with use_global_device_ids=true")
	}
}

func (p *parser) checkPairs(n *node, _ int) {
	a := n.attrs.(*op.CollectivePermuteAttrs)
	for _, pair := range a.SourceTargetPairs {
		if len(pair) != 2 {
			p.fail("expects pairs in source_target_pairs, got %v", pair)
		}
	}
	if a.SliceSizes != nil && len(n.operands) != 4 {
		p.fail("expects 4 operands with slice_sizes, got %d", len(n.operands))
	}
}

// checkParity checks that inputs come with as many initial values; those of scatter
// with as many updates, and the indices between them.
func (p *parser) checkParity(n *node, _ int) {
	count, odd := len(n.operands), n.code == op.Scatter
	switch {
	case odd && count%2 == 0:
		p.fail("expects an odd number of operands, got %d", count)
	case !odd && (count%2 != 0 || count == 0):
		p.fail("expects an even number of operands, got %d", count)
	}
}

// checkTupleResult checks that the result is a tuple with something in it.
func (p *parser) checkTupleResult(n *node, _ int) {
	if !n.shape.IsTuple() || len(n.shape.Elems) == 0 {
		p.fail("expects a tuple that is not empty as the result of %v, got %v", n.code, n.shape)
	}
}

// checkDone checks that send-done and recv-done have the channel of their send or recv.
func (p *parser) checkDone(n *node, _ int) {
	if n.code == op.RecvDone {
		if s := n.operands[0].shape; !s.IsTuple() || len(s.Elems) == 0 {
			p.fail("expects a tuple as operand, got %v", s)
			return
		}
	}
	of, ok := n.operands[0].attrs.(*op.ChannelAttrs)
	if !ok {
		return
	}
	if own := n.attrs.(*op.ChannelAttrs).ChannelID; own != of.ChannelID {
		p.fail("expects the channel_id of %s, %v, got %v", n.operands[0].name, of.ChannelID, own)
	}
}

func (p *parser) withToken(n *node) shape.Shape {
	return shape.MakeTuple(n.shape.Elems[0], shape.MakeToken())
}

func (p *parser) recvResult(n *node) shape.Shape { return transfer(n.shape.Elems[0]) }

func (p *parser) sendResult(n *node) shape.Shape { return transfer(n.operands[0].shape) }

// transfer is the result of send and recv of data.
func transfer(data shape.Shape) shape.Shape {
	return shape.MakeTuple(data, shape.Make(shape.U32), shape.MakeToken())
}

func (p *parser) recvDoneResult(n *node) shape.Shape {
	return shape.MakeTuple(n.operands[0].shape.Elems[0], shape.MakeToken())
}

func (p *parser) token(*node) shape.Shape { return shape.MakeToken() }

func (p *parser) firstOperand(n *node) shape.Shape { return n.operands[0].shape }

// completeOutfeed sets the shape of what is fed, if the text does not, to that of the operand.
func (p *parser) completeOutfeed(n *node, _ int) {
	if a := n.attrs.(*op.OutfeedAttrs); a.Shape.Type == shape.Invalid {
		n.ownAttrs().(*op.OutfeedAttrs).Shape = n.operands[0].shape
	}
}

// checkReshape checks that a reshape keeps the number of elements.
func (p *parser) checkReshape(n *node, _ int) {
	p.sameElements(n.operands[0].shape, n.shape)
	if a := n.attrs.(*op.ReshapeAttrs); a.InferredDimension == op.Some(-1) {
		n.ownAttrs().(*op.ReshapeAttrs).InferredDimension = op.OptInt{}
	}
}

func (p *parser) checkDynamicReshape(n *node, _ int) {
	if len(n.operands) == 0 {
		p.fail("expects at least 1 operand, got 0")
		return
	}
	if sizes := len(n.operands) - 1; sizes != n.shape.Rank() {
		p.fail("expects a size operand for each dimension of %v, got %d", n.shape, sizes)
	}
	p.sameElements(n.operands[0].shape, n.shape)
}

// sameElements checks that two arrays have the same number of elements, bounds
// taken for dynamic dimensions. Unbounded ones are not counted.
func (p *parser) sameElements(from, to shape.Shape) {
	if !from.IsArray() || !to.IsArray() {
		p.fail("expects an array as operand and result, got %v and %v", from, to)
		return
	}
	a, err := from.Elements()
	b, err2 := to.Elements()
	if err == nil && err2 == nil && a != b {
		p.fail("expects as many elements in the result as in %v, got %v", from, to)
	}
}

// checkDynamicSlice and checkDynamicUpdateSlice count the start indices: one a
// dimension, or one vector.
func (p *parser) checkDynamicSlice(n *node, _ int) { p.checkStarts(n, 1) }

func (p *parser) checkDynamicUpdateSlice(n *node, _ int) { p.checkStarts(n, 2) }

func (p *parser) checkStarts(n *node, first int) {
	if len(n.operands) < first {
		p.fail("expects at least %d operands, got %d", first, len(n.operands))
		return
	}
	starts := n.operands[first:]
	if len(starts) == 1 && starts[0].shape.Rank() == 1 {
		return
	}
	if rank := n.operands[0].shape.Rank(); len(starts) != rank {
		p.fail("expects %d start indices, one a dimension, got %d", rank, len(starts))
	}
}

func (p *parser) checkScan(n *node, _ int) {
	a := n.ownAttrs().(*op.ScanAttrs)
	if a.IsAssociative == op.Unset {
		a.IsAssociative = op.False
	}
	if params := len(n.called[0].params); params != len(n.operands) {
		p.fail("expects as many operands as to_apply has parameters, %d, got %d", params, len(n.operands))
	}
	if a.NumCarries < 0 || a.NumCarries > len(n.operands) {
		p.fail("expects num_carries in [0, %d], got %d", len(n.operands), a.NumCarries)
	}
}

// checkCustomCall checks the layouts of operands, with which XLA drops called computations.
func (p *parser) checkCustomCall(n *node, _ int) {
	a := n.attrs.(*op.CustomCallAttrs)
	if a.APIVersion == "API_VERSION_UNSPECIFIED" {
		p.fail("expects an API version other than API_VERSION_UNSPECIFIED")
	}
	if a.OperandLayouts == nil {
		return
	}
	n.called = nil
	layouts := a.OperandLayouts.Shapes
	if len(layouts) != len(n.operands) {
		p.fail("expects %d operand layout constraints, got %d", len(n.operands), len(layouts))
		return
	}
	for i, s := range layouts {
		if want := n.operands[i].shape; !s.EqualIgnoringLayout(want) {
			p.fail("expects the shape %v in the layout constraint of operand %d, got %v", want, i, s)
			return
		}
	}
}
