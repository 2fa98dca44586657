package hlotext

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// checkUpdateShape checks the shape of an async-update against its operand: it is the
// same but for what the update binds, operands and output.
func (p *parser) checkUpdateShape(n *node) {
	if !p.ok() || n.code != op.AsyncUpdate {
		return
	}
	was, is := n.operands[0].shape, n.shape
	switch {
	case !isAsyncShape(was):
		p.fail("expects an operand of shape ((operands), output, context...), got %v", was)
		return
	case len(n.operands) == 1 && was.Equal(is):
		return
	}
	before, after := was.Elems[0].Elems, is.Elems[0].Elems
	if want := len(before) + len(n.operands) - 1; len(after) != want {
		p.fail("expects %d operand shapes in the shape of %v, got %d", want, n.code, len(after))
		return
	}
	for i, s := range after {
		want := shape.Shape{}
		if i < len(before) {
			want = before[i]
		} else {
			want = n.operands[1+i-len(before)].shape
		}
		if !s.EqualIgnoringLayout(want) {
			p.fail("expects the shape of operand %d, %v, got %v", i, want, s)
			return
		}
	}
	if len(n.operands) == 1 && !sameContext(was, is) {
		p.fail("expects the context of an update that binds nothing to stay %v, got %v", was, is)
	}
}

// sameContext compares what stands behind operands and output.
func sameContext(was, is shape.Shape) bool {
	return shape.MakeTuple(was.Elems[2:]...).EqualIgnoringLayout(shape.MakeTuple(is.Elems[2:]...))
}

// checkLate checks a chain whose operands or output are bound behind its start. The
// computation of the short form takes the shapes that are bound.
func (p *parser) checkLate(n *node, start int) {
	body := n.chain.body
	n.chain.late = true
	if n.code == op.AsyncDone {
		p.checkLateDone(n, start)
		return
	}
	bound, output := n.shape.Elems[0].Elems, n.shape.Elems[1]
	p.checkLateAliasing(n, start)
	if n.chain.short {
		body.bind(bound)
		if !isOpen(output) {
			body.bindResult(output)
		}
		return
	}
	switch want := body.root.shape; {
	case len(bound) > len(body.params):
		p.failAt(start, "expects at most %d operands of %s, got %d", len(body.params), body.name, len(bound))
	case isOpen(output):
	case output.IsTuple() != want.IsTuple(), !want.IsTuple() && !output.EqualIgnoringLayout(want):
		p.failAt(start, "expects the output of %s, %v, got %v", body.name, want, output)
	}
}

func (p *parser) checkLateDone(n *node, start int) {
	body, was := n.chain.body, n.operands[0].shape
	if !isAsyncShape(was) {
		p.failAt(start, "expects an operand of shape ((operands), output, context...), got %v", was)
		return
	}
	if n.chain.short {
		body.bind(was.Elems[0].Elems)
		body.bindResult(n.shape)
		return
	}
	if want := body.root.shape; !n.shape.EqualIgnoringLayout(want) {
		p.failAt(start, "expects the result of %s, %v, got %v", body.name, want, n.shape)
	}
	if output := was.Elems[1]; !isOpen(output) && !n.shape.EqualIgnoringLayout(output) {
		p.failAt(start, "expects the output of the operand, %v, got %v", output, n.shape)
	}
}

// checkLateAliasing checks that operands which n binds have the shape of the output
// that the start says shares their buffer.
func (p *parser) checkLateAliasing(n *node, start int) {
	first := len(n.shape.Elems[0].Elems) - (len(n.operands) - 1)
	for _, a := range n.chain.aliasing {
		if a.Operand < first || a.Operand-first >= len(n.operands)-1 {
			continue
		}
		from, ok := part(n.operands[1+a.Operand-first].shape, a.OperandIndex)
		to, ok2 := part(n.shape, a.OutputIndex)
		if ok && ok2 && from.IsArray() && to.IsArray() && !from.EqualIgnoringLayout(to) {
			p.failAt(start, "expects operand %d of the shape of the output that it shares a buffer with, %v, got %v",
				a.Operand, to, from)
		}
	}
}

// part returns the element of s at index.
func part(s shape.Shape, index []int) (shape.Shape, bool) {
	for _, k := range index {
		if !s.IsTuple() || k < 0 || k >= len(s.Elems) {
			return shape.Shape{}, false
		}
		s = s.Elems[k]
	}
	return s, true
}

// shareWithBody gives the operation that an asynchronous instruction runs what the text
// says of the instruction.
func (n *node) shareWithBody() {
	if n.chain == nil || n.chain.body.root == nil {
		return
	}
	to := &n.chain.body.root.common
	if n.common.metadata != nil {
		to.metadata = n.common.metadata
	}
	if n.common.origin != nil {
		to.origin = n.common.origin
	}
	if n.common.backendConfig != "" {
		to.backendConfig = n.common.backendConfig
	}
	if n.common.frontend != nil {
		to.frontend = n.common.frontend
	}
	if n.common.statistics != nil {
		to.statistics = n.common.statistics
	}
}
