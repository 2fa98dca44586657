package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// This file holds the asynchronous pairs. Nothing runs beside anything here: the
// start does the work, and the done takes the result out of the start's value.
// Spec: OPS.md sections 4 and 8.

// evalCopyStart returns (copy, operand, context).
func evalCopyStart(c *call) (literal.Literal, error) { return c.started(c.args[0], c.args[0]), nil }

// evalCopyDone returns the copy.
func evalCopyDone(c *call) (literal.Literal, error) { return elem(c.args[0], 0) }

// started returns the tuple of the given elements; contexts, which come behind them, are zero.
func (c *call) started(elems ...literal.Literal) literal.Literal {
	for _, s := range c.n.Shape().Elems[min(len(elems), len(c.n.Shape().Elems)):] {
		elems = append(elems, literal.New(dropLayout(s.Static())))
	}
	return literal.MakeTuple(elems...)
}

func elem(l literal.Literal, i int) (literal.Literal, error) {
	if elems := l.Elems(); i < len(elems) {
		return elems[i], nil
	}
	return literal.Literal{}, fmt.Errorf("expects a tuple with an element %d, got %v", i, l.Shape())
}

// startOf returns the evaluator of the start of a collective, whose value is
// (operands, result, contexts...).
func startOf(eval evalFunc) evalFunc {
	return func(c *call) (literal.Literal, error) {
		result, err := eval(c)
		if err != nil {
			return literal.Literal{}, err
		}
		operands := c.args
		if a, ok := c.n.Attrs().(*op.CollectivePermuteAttrs); ok && len(a.SliceSizes) > 0 {
			operands = c.args[:1]
		}
		return c.started(tupleIfMany(operands), result), nil
	}
}

// evalSecond returns the result that a start holds.
func evalSecond(c *call) (literal.Literal, error) { return elem(c.args[0], 1) }

// evalAsyncStart gives the first arguments to the computation, and runs it if they are all.
func evalAsyncStart(c *call) (literal.Literal, error) {
	return c.link(c.args, literal.MakeTuple())
}

// evalAsyncUpdate adds further arguments.
func evalAsyncUpdate(c *call) (literal.Literal, error) {
	last := c.args[0].Elems()
	if len(c.args) == 1 {
		return c.args[0], nil
	}
	return c.link(slices.Concat(last[0].Elems(), c.args[1:]), last[1])
}

// link returns the value ((arguments...), result, contexts...) of a link of a chain;
// the result stays as it is until the arguments are complete.
func (c *call) link(arguments []literal.Literal, result literal.Literal) (literal.Literal, error) {
	f, err := wrapped(c.n)
	if err != nil {
		return literal.Literal{}, err
	}
	if len(arguments) == len(f.Params()) {
		if result, err = c.in.applyBorrowed(f, arguments); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.started(literal.MakeTuple(arguments...), result), nil
}

// wrapped returns the computation that the chain of n runs.
func wrapped(n *hlo.Instruction) (*hlo.Computation, error) {
	for n.Code() == op.AsyncUpdate {
		n = n.Operand(0)
	}
	if n.Code() != op.AsyncStart {
		return nil, fmt.Errorf("expects a chain that begins with async-start, got %v", n.Code())
	}
	return n.Called()[0], nil
}

// evalAsyncDone returns the result.
func evalAsyncDone(c *call) (literal.Literal, error) {
	f, err := wrapped(c.n.Operand(0))
	if err != nil {
		return literal.Literal{}, err
	}
	if got, want := len(c.args[0].Elems()[0].Elems()), len(f.Params()); got != want {
		return literal.Literal{}, fmt.Errorf("expects %d arguments in the chain, got %d", want, got)
	}
	return elem(c.args[0], 1)
}
