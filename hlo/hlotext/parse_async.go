package hlotext

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// An asynchronous operation is a chain: async-start runs a computation, async-update
// may come any number of times, async-done waits. The text has two forms. In the
// long one the computation stands in calls= of the start. In the short one, such as
// custom-call-start, it is made here: the operation with the attributes of the start.
//
// A start may bind fewer operands than the computation has parameters, and leave its
// output open as (); updates bind the rest.

// async is what the parser knows of a chain.
type async struct {
	body     *comp // what runs
	thread   string
	short    bool // body was made for the short form
	late     bool // operands or output were not bound at the start
	aliasing []op.OutputAliasing
}

// asyncAttributes are those that an asynchronous instruction has besides the common ones.
func asyncAttributes() (f fields[target]) {
	f.add("async_execution_thread", false, func(p *parser, t *target) {
		thread := threadName(p.quotedString())
		t.outer.thread = &thread
	})
	return f
}

func aliasingAttribute() (f fields[target]) {
	f.add("output_to_operand_aliasing", false, func(p *parser, t *target) {
		t.outer.ownAttrs().(*op.AsyncAttrs).Aliasing = p.outputAliasing()
	})
	return f
}

func callsAttribute(required bool) (f fields[target]) {
	f.add("calls", required, func(p *parser, t *target) { t.outer.setCalled(0, p.computationReference()) })
	return f
}

// asynchronous reads the operands and attributes of n: async-start, -update or -done.
func (p *parser) asynchronous(n *node, h *head) {
	open := p.tok.pos
	n.attrs = p.planOf(n.code).zero
	n.operands = p.operands()
	if p.ok() && n.code != op.AsyncDone && !isAsyncShape(n.shape) {
		p.fail("expects a shape ((operands), output, context...) for %v, got %v", n.code, n.shape)
	}
	switch {
	case !p.ok():
	case n.code == op.AsyncStart:
		p.asyncStart(n, h, open)
	default:
		p.asyncNext(n, h)
	}
}

func isAsyncShape(s shape.Shape) bool {
	return s.IsTuple() && len(s.Elems) >= 2 && s.Elems[0].IsTuple()
}

// isOpen reports whether s is (), which stands for an output that is not bound.
func isOpen(s shape.Shape) bool { return s.IsTuple() && len(s.Elems) == 0 }

func (p *parser) asyncStart(n *node, h *head, open int) {
	t := p.tables
	if n.wrapped != op.Invalid {
		p.shortStart(n, h, open)
	} else {
		p.attributeList(&target{outer: n, inner: n}, h.nested, &t.async, &t.aliasing, &t.calls)
	}
	if !p.ok() {
		return
	}
	body := n.called[0]
	n.chain = &async{body: body, short: n.wrapped != op.Invalid}
	n.chain.late = isOpen(n.shape.Elems[1]) || len(n.shape.Elems[0].Elems) < len(body.params)
	a := n.ownAttrs().(*op.AsyncAttrs)
	if n.thread != nil {
		a.ExecutionThread, n.chain.thread = *n.thread, *n.thread
	}
	n.chain.aliasing = a.Aliasing
	body.runOn(a.ExecutionThread)
}

// shortStart reads the attributes of custom-call-start and makes the computation.
func (p *parser) shortStart(n *node, h *head, open int) {
	info := n.wrapped.Info()
	if p.tables.forms[n.wrapped].arguments != nil || isAsync(n.wrapped) {
		p.failAt(n.pos, "expects an operation that can be asynchronous, got %v", n.wrapped)
		return
	}
	inner := &node{name: info.Name, pos: n.pos, at: n.at, code: n.wrapped, shape: n.shape.Elems[1],
		attrs: p.planOf(n.wrapped).zero}
	c := &comp{name: "async_wrapped", pos: n.pos, at: n.at, root: inner, nodes: []*node{inner}, params: map[int]*node{}}
	c.bind(boundShapes(n))
	for len(c.params) < info.Arity { // operands that an update will bind
		c.addParameter(shape.Make(shape.F32, 1))
	}
	p.ownAttributes(&target{outer: n, inner: inner}, h, open, &p.tables.async, &p.tables.aliasing)
	if !p.ok() {
		return
	}
	if f := p.tables.forms[n.wrapped]; f.result != nil {
		inner.shape = f.result(p, inner)
	}
	if (n.wrapped == op.Call || n.wrapped == op.Fusion) && len(inner.called) == 1 {
		callee := inner.called[0].signature()
		c.bind(callee.Params)
		c.bindResult(callee.Result)
	}
	c.calls = inner.called
	n.called = []*comp{c}
	p.comps = append(p.comps, c)
}

// boundShapes returns the shapes of the operands as n's shape has them, with the layouts of n's operands.
func boundShapes(n *node) []shape.Shape {
	shapes := slices.Clone(n.shape.Elems[0].Elems)
	for k, o := range n.operands[:min(len(n.operands), len(shapes))] {
		if o.shape.EqualIgnoringLayout(shapes[k]) {
			shapes[k] = o.shape
		}
	}
	return shapes
}

// bind gives the parameters of c, and the operands of its root, these shapes. It
// adds parameters that are missing.
func (c *comp) bind(shapes []shape.Shape) {
	for i, s := range shapes {
		if i == len(c.params) {
			c.addParameter(s)
		} else if n := c.params[i]; !n.shape.EqualIgnoringLayout(s) {
			n.shape = s
		}
	}
}

func (c *comp) bindResult(s shape.Shape) {
	if !c.root.shape.EqualIgnoringLayout(s) {
		c.root.shape = s
	}
}

// addParameter adds a parameter in front of the root, which is the last node of c, and passes it to the root.
func (c *comp) addParameter(s shape.Shape) {
	number := len(c.params)
	n := &node{name: "async_param", pos: c.pos, at: c.at, code: op.Parameter, shape: s,
		attrs: &op.ParameterAttrs{Number: number}, owned: true}
	c.params[number] = n
	c.nodes = append(c.nodes[:len(c.nodes)-1], n, c.root)
	c.root.operands = append(c.root.operands, n)
}

// runOn puts c and all that it calls on a thread.
func (c *comp) runOn(thread string) {
	if c.settled != nil && *c.settled == thread && c.thread == thread {
		return
	}
	c.settled, c.thread = &thread, thread
	for _, k := range c.calls {
		k.runOn(thread)
	}
}

// asyncNext reads the attributes of async-update and async-done, which may only
// repeat those of the start, and checks that they continue a chain.
func (p *parser) asyncNext(n *node, h *head) {
	start := p.tok.pos
	if n.code == op.AsyncDone && len(n.operands) != 1 || len(n.operands) == 0 || n.operands[0].code == op.AsyncDone {
		p.fail("expects an async-start or async-update as operand")
		return
	}
	n.chain = chainOf(n.operands[0])
	sets := []*fields[target]{&p.tables.async}
	switch {
	case n.wrapped == op.Invalid:
		sets = append(sets, &p.tables.maybeCalls)
	case n.chain == nil:
		p.fail("expects an async-start or async-update as operand of %v", n.code)
	case n.chain.body.root.code != n.wrapped:
		p.fail("expects %v, which was started, got %v", n.chain.body.root.code, n.wrapped)
	}
	if n.chain != nil && n.chain.short {
		sets = append(sets, &p.tables.aliasing)
	}
	p.checkUpdateShape(n)
	p.attributeList(&target{outer: n, inner: n}, h.nested, sets...)
	if p.ok() {
		p.continueChain(n, start)
	}
}

// continueChain checks n against the start of its chain.
func (p *parser) continueChain(n *node, start int) {
	if n.chain == nil {
		if len(n.called) == 0 {
			p.failAt(start, "expects an async-start or async-update as operand, or calls= where that is elsewhere")
			return
		}
		n.chain = &async{body: n.called[0]}
		if n.thread != nil {
			n.chain.thread = *n.thread
		}
	} else {
		if len(n.called) > 0 && n.called[0] != n.chain.body {
			p.fail("expects the computation of the start, %s, got %s", n.chain.body.name, n.called[0].name)
		}
		if n.thread != nil && *n.thread != n.chain.thread {
			p.fail("expects the thread of the start, %q, got %q", n.chain.thread, *n.thread)
		}
		n.called = nil
	}
	if n.chain.thread != "" {
		n.ownAttrs().(*op.AsyncAttrs).ExecutionThread = n.chain.thread
	}
	if n.chain.late || len(n.operands) > 1 {
		p.checkLate(n, start)
	}
}

// chainOf returns the chain that the value of n is part of, if it can be seen in the
// computation: n may have come through tuples and copies.
func chainOf(n *node) *async {
	var path []int
	for range maxDepth {
		switch {
		case n.chain != nil && len(path) == 0:
			return n.chain
		case n.code == op.GetTupleElement:
			path = append(path, n.attrs.(*op.GetTupleElementAttrs).Index)
			n = n.operands[0]
		case n.code == op.Tuple && len(path) > 0:
			k := path[len(path)-1]
			path = path[:len(path)-1]
			if k < 0 || k >= len(n.operands) {
				return nil
			}
			n = n.operands[k]
		case passesOn(n):
			n = n.operands[0]
		default:
			return nil
		}
	}
	return nil
}

// passesOn reports whether the value of n is that of its operand.
func passesOn(n *node) bool {
	a, isCall := n.attrs.(*op.CustomCallAttrs)
	return (n.code == op.OptBarrier || n.code == op.Copy || isCall && a.Target == "Sharding") && len(n.operands) == 1
}
