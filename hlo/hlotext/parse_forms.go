package hlotext

import (
	"errors"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// form is what sets the reading of an opcode apart. Each part may be nil.
type form struct {
	// arguments reads what stands in parentheses, where that is not operands.
	arguments func(*parser, *node)
	// attributes adds attributes which depend on the operands.
	attributes func(*parser, *node) *fields[target]
	// check looks at the instruction after its attributes, before its shape is inferred. It
	// may complete the attributes. open is where the opening parenthesis stands.
	check func(p *parser, n *node, open int)
	// result returns the result shape, whatever the text says.
	result func(*parser, *node) shape.Shape
}

// formTable lists the opcodes that are not just operands and attributes.
func formTable() map[op.Code]form {
	forms := map[op.Code]form{
		op.Parameter:       {arguments: (*parser).parameterNumber, check: (*parser).checkParameter},
		op.Constant:        {arguments: (*parser).constantValue},
		op.GetTupleElement: {result: (*parser).inheritOrigin},
		op.Broadcast:       {attributes: (*parser).broadcastFields},
		op.Conditional:     {attributes: (*parser).branchFields, check: (*parser).checkBranches},
		op.CustomCall:      {check: (*parser).checkCustomCall},
		op.Infeed:          {check: (*parser).checkTupleResult, result: (*parser).withToken},
		op.Recv:            {check: (*parser).checkTupleResult, result: (*parser).recvResult},
		op.RecvDone:        {check: (*parser).checkDone, result: (*parser).recvDoneResult},
		op.SendDone:        {check: (*parser).checkDone, result: (*parser).token},
		op.Send:            {result: (*parser).sendResult},
		op.Outfeed:         {check: (*parser).completeOutfeed, result: (*parser).token},
		op.AfterAll:        {result: (*parser).token},
		op.AddDependency:   {result: (*parser).firstOperand},
		op.Reshape:         {check: (*parser).checkReshape},
		op.DynamicReshape:  {check: (*parser).checkDynamicReshape},
		op.DynamicSlice:    {check: (*parser).checkDynamicSlice},
		op.Map:             {result: (*parser).completeMap},
		op.Scan:            {check: (*parser).checkScan},
	}
	forms[op.DynamicUpdateSlice] = form{check: (*parser).checkDynamicUpdateSlice}
	for _, c := range [...]op.Code{op.AllReduce, op.AllReduceStart, op.ReduceScatter} {
		forms[c] = form{check: (*parser).checkGlobalIDs}
	}
	for _, c := range [...]op.Code{op.CollectivePermute, op.CollectivePermuteStart} {
		forms[c] = form{check: (*parser).checkPairs}
	}
	for _, c := range [...]op.Code{op.Reduce, op.ReduceWindow, op.Scatter} {
		forms[c] = form{check: (*parser).checkParity}
	}
	return forms
}

// extensionTable adds attributes that text may have besides those of the table of operations.
func extensionTable() map[op.Code]func(*fields[target]) {
	return map[op.Code]func(*fields[target]){
		op.CustomCall: func(own *fields[target]) {
			own.add("window", false, (*parser).customWindow)
			own.add("to_apply", false, func(p *parser, t *target) { t.inner.called = []*comp{p.computationReference()} })
		},
		// The branches are named in one of two ways, as the operands have it.
		op.Conditional: func(own *fields[target]) { *own = fields[target]{} },
	}
}

// arguments reads n from its opening parenthesis to its last attribute, and infers
// its shape where the text leaves it out.
func (p *parser) arguments(n *node, h *head) {
	if n.code == op.AsyncStart || n.code == op.AsyncUpdate || n.code == op.AsyncDone {
		p.asynchronous(n, h)
		return
	}
	open := p.tok.pos
	n.attrs = p.planOf(n.code).zero
	f := p.tables.forms[n.code]
	if f.arguments != nil {
		f.arguments(p, n)
	} else {
		n.operands = p.operands()
		p.checkCount(n, h, open)
	}
	p.ownAttributes(&target{outer: n, inner: n}, h, open)
	if !p.ok() {
		return
	}
	if !h.declared {
		p.inferShape(n)
	}
	if p.ok() && f.result != nil {
		n.shape = f.result(p, n)
	}
}

// ownAttributes reads the attributes of t, and more sets of them, and checks them.
func (p *parser) ownAttributes(t *target, h *head, open int, more ...*fields[target]) {
	n := t.inner
	f := p.tables.forms[n.code]
	sets := append([]*fields[target]{&p.planOf(n.code).own}, more...)
	if f.attributes != nil && p.ok() {
		sets = append(sets, f.attributes(p, n))
	}
	p.attributeList(t, h.nested, sets...)
	p.checkDimension(n)
	if p.ok() && f.check != nil {
		f.check(p, n, open)
	}
}

// checkCount checks the number of operands against the table. A tuple whose shape
// is given has as many as that.
func (p *parser) checkCount(n *node, h *head, open int) {
	want := n.code.Info().Arity
	if n.code == op.Tuple && h.declared {
		want = len(n.shape.Elems)
		if !n.shape.IsTuple() {
			p.failAt(open, "expects a tuple shape, got %v", n.shape)
		}
	}
	if want != op.Variadic && len(n.operands) != want {
		p.failAt(open, "expects %d operands, got %d", want, len(n.operands))
	}
}

// inferShape sets the result shape of n by the rule of its opcode.
func (p *parser) inferShape(n *node) {
	s, err := op.Infer(n.code, n.inputs())
	if err != nil {
		p.failWith(p.tok.pos, err)
		return
	}
	n.shape = s
	left := maxInferredShapes - p.counts.shapes
	if p.counts.shapes += shapeSize(s, left+1); p.counts.shapes > maxInferredShapes {
		p.fail("expects at most %d shapes where the text leaves them out", maxInferredShapes)
	}
}

// parameterNumber reads (number).
func (p *parser) parameterNumber(n *node) {
	p.expect(kindLeftParen, "in front of a parameter number")
	number := p.integer()
	if number < 0 {
		p.fail("expects a parameter number from 0 on, got %d", number)
	}
	if other := p.scope.params[number]; other != nil {
		p.fail("expects a parameter number that is free, got %d, which is that of %s", number, other.name)
	}
	p.expect(kindRightParen, "behind a parameter number")
	n.ownAttrs().(*op.ParameterAttrs).Number = number
}

func (p *parser) checkParameter(n *node, _ int) {
	p.scope.params[n.attrs.(*op.ParameterAttrs).Number] = n
}

// constantValue reads (literal). Host arrays are not packed, and so a constant has no
// element size in its layout.
func (p *parser) constantValue(n *node) {
	p.expect(kindLeftParen, "in front of a constant")
	n.shape = unpacked(n.shape)
	a := n.ownAttrs().(*op.ConstantAttrs)
	if n.shape.IsTuple() && p.tok.kind == kindLeftBrace {
		a.Value = p.elidedTuple(n.shape)
	} else {
		a.Value = p.literal(n.shape)
	}
	p.expect(kindRightParen, "behind a constant")
}

// unpacked returns s without element sizes in layouts.
func unpacked(s shape.Shape) shape.Shape {
	if s.Layout != nil && s.Layout.ElementBits != 0 {
		layout := s.Layout.Clone()
		layout.ElementBits = 0
		s.Layout = layout.Normalize()
	}
	if len(s.Elems) > 0 {
		s.Elems = slices.Clone(s.Elems)
		for i, e := range s.Elems {
			s.Elems[i] = unpacked(e)
		}
	}
	return s
}

// inheritOrigin gives an element of a tuple the origin of what was put in there.
func (p *parser) inheritOrigin(n *node) shape.Shape {
	tuple, index := n.operands[0], n.attrs.(*op.GetTupleElementAttrs).Index
	if n.common.origin == nil && tuple.code == op.Tuple && index >= 0 && index < len(tuple.operands) {
		n.common.origin = tuple.operands[index].common.origin
	}
	return n.shape
}

// elidedTuple reads {...} for a tuple, which XLA prints but does not read.
func (p *parser) elidedTuple(s shape.Shape) literal.Literal {
	start := p.tok.pos
	p.advance()
	if p.tok.kind != kindDots || p.peek().kind != kindRightBrace {
		p.failAt(start, "expects '(' in front of tuple elements, got '{'")
		return literal.Literal{}
	}
	if err := literal.CheckSize(s); err != nil {
		p.failWith(start, err)
		return literal.Literal{}
	}
	p.advance()
	p.advance()
	l := literal.Elided(s, p.elided)
	p.elided += uint64(l.ElidedCount())
	return l
}

// literal reads a literal of shape s.
func (p *parser) literal(s shape.Shape) literal.Literal {
	if !p.ok() {
		return literal.Literal{}
	}
	start := p.tok.pos
	l, length, err := literal.ParseText(s, p.text[start:], &p.elided)
	if err == nil {
		err = literal.CheckSize(s) // what is left out takes no memory yet
	}
	if err != nil {
		p.failLiteral(start, err)
		return literal.Literal{}
	}
	p.off = start + length
	p.advance()
	return l
}

func (p *parser) failLiteral(start int, err error) {
	if e, ok := errors.AsType[*literal.TextError](err); ok {
		p.failAt(start+e.Offset, "%s", e.Msg)
		return
	}
	p.failWith(start, err)
}

// broadcastFields makes dimensions necessary unless the operand is a scalar.
func (p *parser) broadcastFields(n *node) *fields[target] {
	if n.operands[0].shape.IsScalar() {
		return &fields[target]{}
	}
	return &fields[target]{required: []string{"dimensions"}}
}

// branchFields returns the names for the branches of a conditional: two of their own
// for a pred, a list for an s32.
func (p *parser) branchFields(n *node) *fields[target] {
	f := &fields[target]{}
	if len(n.operands) == 0 {
		p.fail("expects a scalar as first operand, got no operand")
		return f
	}
	switch s := n.operands[0].shape; {
	case !s.IsScalar() || s.Type != shape.Pred && s.Type != shape.S32:
		p.fail("expects a scalar of pred or s32 as first operand, got %v", s)
	case s.Type == shape.S32:
		addCalled(f, op.Conditional.Info().Calls)
	default:
		addCalled(f, &op.Calls{Names: []string{"true_computation", "false_computation"}})
	}
	return f
}

func (p *parser) checkBranches(n *node, _ int) {
	if len(n.called) == 0 || len(n.operands) != len(n.called)+1 {
		p.fail("expects one operand behind the first for each of %d branches, got %d", len(n.called), len(n.operands)-1)
	}
}

// checkDimension checks the attribute dimensions of operations for which it is one
// number, and cuts what XLA ignores.
func (p *parser) checkDimension(n *node) {
	if !p.ok() || !n.owned {
		return
	}
	list, exact := oneDimension(n)
	switch {
	case list == nil:
	case len(*list) == 0 || exact && len(*list) > 1:
		p.fail("expects one dimension, got %d", len(*list))
	default:
		*list = (*list)[:1]
	}
}

// oneDimension returns the attribute dimensions where it must have an entry, and
// whether more are an error; nil for other operations.
func oneDimension(n *node) (list *[]int, exact bool) {
	switch a := n.attrs.(type) {
	case *op.AllGatherAttrs:
		return &a.Dimensions, false
	case *op.ReduceScatterAttrs:
		return &a.Dimensions, false
	case *op.DimensionAttrs:
		return &a.Dimensions, false
	case *op.ConcatenateAttrs:
		return &a.Dimensions, true
	case *op.SortAttrs:
		return &a.Dimensions, true
	case *op.ScanAttrs:
		return &a.Dimensions, true
	case *op.AllToAllAttrs:
		if a.Dimensions != nil {
			return &a.Dimensions, true
		}
	case *op.RaggedAllToAllAttrs:
		if a.Dimensions != nil {
			return &a.Dimensions, true
		}
	}
	return nil, false
}

// completeMap sets the dimensions of a map to all, which is what XLA does whatever the text says.
func (p *parser) completeMap(n *node) shape.Shape {
	dims := make([]int, n.shape.Rank())
	for i := range dims {
		dims[i] = i
	}
	if a, ok := n.attrs.(*op.MapAttrs); !ok || !slices.Equal(a.Dimensions, dims) {
		n.attrs, n.owned = &op.MapAttrs{Dimensions: dims}, true
	}
	return n.shape
}
