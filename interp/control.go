package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds tuples, tokens and the operations that call computations.
// Spec: OPS.md section 4.

func evalTuple(c *call) (literal.Literal, error) { return literal.MakeTuple(c.args...), nil }

func evalGetTupleElement(c *call) (literal.Literal, error) {
	elems, i := c.args[0].Elems(), attrs[*op.GetTupleElementAttrs](c).Index
	if i < 0 || i >= len(elems) {
		return literal.Literal{}, fmt.Errorf("index: %d is not in [0, %d)", i, len(elems))
	}
	return elems[i], nil
}

// evalToken gives a token: after-all orders side effects, of which only the order of evaluation is left.
func evalToken(*call) (literal.Literal, error) { return literal.New(shape.MakeToken()), nil }

// evalCall evaluates the called computation: call, fusion, async-start's wrapped computation.
func evalCall(c *call) (literal.Literal, error) {
	return c.in.apply(c.n.Called()[0], c.args)
}

// evalConditional runs one branch: the first for true; an index out of range runs the last.
func evalConditional(c *call) (literal.Literal, error) {
	branches := c.n.Called()
	k := len(branches) - 1
	if which := c.args[0]; which.Type() == shape.Pred {
		if k = 1; which.BoolAt(0) {
			k = 0
		}
	} else if i := which.IntAt(0); i >= 0 && i < int64(k) {
		k = int(i)
	}
	chosen := c.args[1+k : 2+k]
	c.in.holdAll(chosen)
	c.in.releaseAll(c.args)
	return c.in.apply(branches[k], chosen)
}

// evalWhile repeats the body while the condition holds.
func evalWhile(c *call) (literal.Literal, error) {
	if loop, err := c.in.scalarLoop(c.n); loop != nil || err != nil {
		if err != nil {
			return literal.Literal{}, err
		}
		c.in.releaseAll(c.args)
		return loop.run(c.in, c.args[0])
	}
	condition, body := c.n.Called()[0], c.n.Called()[1]
	state := c.args
	for {
		c.in.holdAll(state) // the condition gets one hold, the body the other
		more, err := c.in.invoke(condition, state)
		if err != nil {
			return literal.Literal{}, err
		}
		if c.in.memory.release(more); !more.BoolAt(0) {
			return c.in.owe(state[0]), nil
		}
		next, err := c.in.invoke(body, state)
		if err != nil {
			return literal.Literal{}, err
		}
		state = []literal.Literal{next}
	}
}

// evalMap applies the computation to the elements at each index.
func evalMap(c *call) (literal.Literal, error) {
	p, err := c.in.scalarProgram(c.n.Called()[0])
	if err != nil {
		return literal.Literal{}, err
	}
	dst := c.new()
	args := slices.Clone(c.args)
	for k, x := range c.n.Called()[0].Params() {
		fill, same := likeType(args[k], x.Type())
		fill()
		args[k] = same
	}
	for i := range dst.Len() {
		for k, x := range args {
			p.setParam(k, x, i)
		}
		err := c.in.poll(i)
		if err == nil {
			err = p.run()
		}
		if err != nil {
			return literal.Literal{}, err
		}
		p.result(0, dst, i)
	}
	return dst, nil
}
