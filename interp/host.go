package interp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Host is what a run asks of the program around it. A nil function means that there
// is nobody to ask: an instruction that needs it fails.
type Host struct {
	// CustomCall runs the custom-call n, whose target is in its attributes.
	CustomCall func(ctx context.Context, n *hlo.Instruction, args []literal.Literal) (literal.Literal, error)
	// Infeed returns the next value, of shape s, for the infeed queue of this device.
	Infeed func(ctx context.Context, s shape.Shape, config string) (literal.Literal, error)
	// Outfeed takes a value written by an outfeed.
	Outfeed func(ctx context.Context, v literal.Literal, config string) error
	// Send takes a value for the other end of a channel; it does not wait for it to be received.
	Send func(ctx context.Context, t Transfer, v literal.Literal) error
	// Recv waits for the next value of shape s from the other end of a channel.
	Recv func(ctx context.Context, t Transfer, s shape.Shape) (literal.Literal, error)
}

// Transfer names what goes over a channel.
type Transfer struct {
	Channel op.OptInt
	// IsHost: the other end is the host.
	IsHost bool
	// Peer is the device at the other end by flattened number; -1: the instruction does not tell.
	Peer int
	// Instruction is the send, or the recv-done that waits.
	Instruction *hlo.Instruction
}

// evalCustomCall asks the host, unless the target is one that XLA itself makes.
func evalCustomCall(c *call) (literal.Literal, error) {
	target := attrs[*op.CustomCallAttrs](c).Target
	if known := knownTargets[target]; known != nil {
		return known(c)
	}
	if c.in.opts.Host.CustomCall == nil {
		return literal.Literal{}, fmt.Errorf("expects a handler for target %q, got none", target)
	}
	v, err := c.in.opts.Host.CustomCall(c.in.ctx, c.n, c.args)
	if err != nil {
		return v, fmt.Errorf("target %q: %w", target, err)
	}
	return c.accept(v, c.n.Shape())
}

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
	if c.in.opts.Host.Infeed == nil {
		return literal.Literal{}, fmt.Errorf("expects an infeed, got none")
	}
	v, err := c.in.opts.Host.Infeed(c.in.ctx, s, attrs[*op.InfeedAttrs](c).Config)
	if err != nil {
		return literal.Literal{}, err
	}
	v, err = c.accept(v, s)
	return literal.MakeTuple(v, token), err
}

// evalOutfeed writes its operand.
func evalOutfeed(c *call) (literal.Literal, error) {
	if c.in.opts.Host.Outfeed == nil {
		return literal.Literal{}, fmt.Errorf("expects an outfeed, got none")
	}
	err := c.in.opts.Host.Outfeed(c.in.ctx, c.args[0], attrs[*op.OutfeedAttrs](c).Config)
	return literal.New(shape.MakeToken()), err
}

// evalSend hands its operand over at once; the value is (data, context, token).
func evalSend(c *call) (literal.Literal, error) {
	t, ok := c.transfer(c.n, 0)
	if ok {
		if err := c.in.send(t, c.args[0]); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.started(c.args[0]), nil
}

// evalSendDone waits for nothing.
func evalSendDone(*call) (literal.Literal, error) { return literal.New(shape.MakeToken()), nil }

// evalRecv only opens the channel: the data are read by recv-done.
func evalRecv(c *call) (literal.Literal, error) { return c.started(), nil }

// evalRecvDone waits for the data. A device that no pair sends to gets zeros.
func evalRecvDone(c *call) (literal.Literal, error) {
	s, token := c.n.Shape().Elems[0], literal.New(shape.MakeToken())
	t, ok := c.transfer(c.n.Operand(0), 1)
	if !ok {
		return literal.MakeTuple(literal.New(dropLayout(s.Static())), token), nil
	}
	v, err := c.in.receive(t, s)
	if err != nil {
		return literal.Literal{}, err
	}
	v, err = c.accept(v, s)
	return literal.MakeTuple(v, token), err
}

// send hands v to the host's channels or, without any, to this device's own.
func (in *Interp) send(t Transfer, v literal.Literal) error {
	if in.opts.Host.Send != nil {
		return in.opts.Host.Send(in.ctx, t, v)
	}
	if t.IsHost || t.Peer >= 0 && t.Peer != in.opts.Device.number() {
		return fmt.Errorf("expects a channel to send to, got none")
	}
	in.sent[t.Channel.Value] = append(in.sent[t.Channel.Value], v)
	return nil
}

// receive is the other end of send.
func (in *Interp) receive(t Transfer, s shape.Shape) (literal.Literal, error) {
	if in.opts.Host.Recv != nil {
		return in.opts.Host.Recv(in.ctx, t, s)
	}
	queue := in.sent[t.Channel.Value]
	if t.IsHost || len(queue) == 0 {
		return literal.Literal{}, fmt.Errorf("expects a value sent on channel %d, got none", t.Channel.Value)
	}
	in.sent[t.Channel.Value] = queue[1:]
	return queue[0], nil
}

// sourceTargetKey is the frontend attribute in which XLA keeps the pairs of a send or recv.
const sourceTargetKey = "_xla_send_recv_source_target_pairs"

// transfer describes the transfer of n, a send or recv. Where pairs are told the
// peer stands across from this device, which is at place self of a pair; ok is false
// if it is in none.
func (c *call) transfer(n *hlo.Instruction, self int) (t Transfer, ok bool) {
	a, _ := n.Attrs().(*op.ChannelAttrs)
	if a == nil {
		a = &op.ChannelAttrs{}
	}
	t = Transfer{Channel: a.ChannelID, IsHost: a.IsHostTransfer, Peer: -1, Instruction: c.n}
	for _, kv := range n.FrontendAttributes {
		if kv.Key != sourceTargetKey {
			continue
		}
		for _, pair := range parsePairs(kv.Value) {
			if pair[self] == c.in.opts.Device.number() {
				t.Peer = pair[1-self]
				return t, true
			}
		}
		return t, false
	}
	return t, true
}

// parsePairs reads {{0,1},{1,2}}. What is not a number is skipped.
func parsePairs(text string) [][2]int {
	var pairs [][2]int
	numbers := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	for i := 0; i+1 < len(numbers); i += 2 {
		source, err1 := strconv.Atoi(numbers[i])
		target, err2 := strconv.Atoi(numbers[i+1])
		if err1 == nil && err2 == nil {
			pairs = append(pairs, [2]int{source, target})
		}
	}
	return pairs
}
