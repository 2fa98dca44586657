package interp

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the feeds between host and device. Spec: OPS.md section 8.

// accept returns v, which comes from outside, in default layout after checking its shape.
func (c *call) accept(v literal.Literal, want shape.Shape) (literal.Literal, error) {
	if !v.IsValid() {
		return v, fmt.Errorf("expects a value of shape %v, got none", want)
	}
	if !want.Accepts(v.Shape()) {
		return v, fmt.Errorf("expects a value of shape %v, got %v", want, v.Shape())
	}
	return v.RowMajor(), nil
}

// evalInfeed reads the next value; the empty tuple reads nothing.
func evalInfeed(c *call) (literal.Literal, error) {
	s, token := c.n.Shape().Elems[0], literal.New(shape.MakeToken())
	if s.IsTuple() && len(s.Elems) == 0 {
		return literal.MakeTuple(literal.MakeTuple(), token), nil
	}
	if c.in.opts.Host == nil {
		return literal.Literal{}, fmt.Errorf("expects a host to read from, got none")
	}
	v, err := c.in.opts.Host.Infeed(c.in.opts.Device.number()).Take(c.in.ctx)
	if err != nil {
		return literal.Literal{}, fmt.Errorf("infeed of device %d: %w", c.in.opts.Device.number(), err)
	}
	v, err = c.accept(v, s)
	return literal.MakeTuple(v, token), err
}

// evalOutfeed writes its operand.
func evalOutfeed(c *call) (literal.Literal, error) {
	if c.in.opts.Host == nil {
		return literal.Literal{}, fmt.Errorf("expects a host to write to, got none")
	}
	err := c.in.opts.Host.Outfeed(c.in.opts.Device.number()).Put(c.args[0])
	return literal.New(shape.MakeToken()), err
}

// leavesOf appends the arrays in l, at any depth.
func leavesOf(list []literal.Literal, l literal.Literal) []literal.Literal {
	switch s := l.Shape(); {
	case s.IsArray():
		return append(list, l)
	case s.IsTuple():
		for _, e := range l.Elems() {
			list = leavesOf(list, e)
		}
	}
	return list
}

// packLeaves returns the value of shape s made of the arrays at the start of list,
// and the rest of them.
func packLeaves(s shape.Shape, list []literal.Literal) (literal.Literal, []literal.Literal) {
	switch {
	case s.IsArray():
		return list[0], list[1:]
	case !s.IsTuple():
		return literal.New(s), list
	}
	elems := make([]literal.Literal, len(s.Elems))
	for i, e := range s.Elems {
		elems[i], list = packLeaves(e, list)
	}
	return literal.MakeTuple(elems...), list
}

// hostTransfer returns the port of a transfer to or from the host, if there is one.
func (c *call) hostTransfer(a *op.ChannelAttrs) (device, channel int, err error) {
	if c.in.opts.Host == nil {
		return 0, 0, fmt.Errorf("expects a host at the other end of channel %d, got none", a.ChannelID.Value)
	}
	return c.in.opts.Device.number(), a.ChannelID.Value, nil
}
