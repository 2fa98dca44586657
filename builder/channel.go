package builder

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Channel names the two ends of a transfer: only sends and receives with the same ID talk to
// each other.
type Channel struct {
	// ID is positive.
	ID int
	// Pairs are the (source, target) devices between which data go; nil: not told.
	Pairs [][2]int
}

// pairsAttribute is the frontend attribute that carries Channel.Pairs.
const pairsAttribute = "_xla_send_recv_source_target_pairs"

// on says in the instruction of x which devices take part.
func (c Channel) on(x Op) Op {
	if len(c.Pairs) == 0 {
		return x
	}
	var texts []string
	for _, p := range c.Pairs {
		texts = append(texts, fmt.Sprintf("{%d,%d}", p[0], p[1]))
	}
	return x.WithFrontendAttribute(pairsAttribute, "{"+strings.Join(texts, ",")+"}")
}

// attrs returns the attributes of an operation on c, nil after an error.
func (c Channel) attrs(b *Builder, code op.Code, host bool) *op.ChannelAttrs {
	if c.ID < 1 {
		b.errorf(code, "channel_id", "", "expected a positive channel id, got %d", c.ID)
		return nil
	}
	return &op.ChannelAttrs{ChannelID: op.Some(c.ID), IsHostTransfer: host}
}

// Send sends x by a channel, and returns a token that is there when it has gone. It is a send
// and its send-done after a token of its own. It fails if the channel id is not positive.
// Spec: OPS.md section 8.
func Send(x Op, c Channel) Op { return SendWithTokens(x, nil, c) }

// SendWithTokens is Send after all of tokens. Spec: OPS.md section 8.
func SendWithTokens(x Op, tokens []Op, c Channel) Op { return SendDone(sendStart(x, tokens, c, false)) }

// SendStart is the first half of Send: a send after token, whose result (x, u32[] context,
// token) is for SendDone only. Spec: OPS.md section 8.
func SendStart(x, token Op, c Channel) Op { return sendStart(x, []Op{token}, c, false) }

// SendDone waits until what x, of SendStart or SendToHostStart, sends has gone, and returns a
// token. Spec: OPS.md section 8.
func SendDone(x Op) Op { return channelDone(op.SendDone, op.Send, x) }

// SendToHost sends x after token to the host, with the layout of s, and returns a token that is
// there when it has gone. It fails if the shape of x is not s. Spec: OPS.md section 8.
func SendToHost(x, token Op, s shape.Shape, c Channel) Op {
	b, ok := enter(op.Send, x, token)
	if !ok {
		return b.invalid()
	}
	if !x.Shape().EqualIgnoringLayout(s) {
		b.errorf(op.Send, "shape_with_layout", "", "expected %v as the operand, got %v", x.Shape(), s)
		return b.invalid()
	}
	return SendDone(sendStart(x, []Op{token}, c, true))
}

func sendStart(x Op, tokens []Op, c Channel, host bool) Op {
	const code = op.Send
	b, ok := enter(code, append([]Op{x}, tokens...)...)
	if !ok {
		return b.invalid()
	}
	a := c.attrs(b, code, host)
	if a == nil {
		return b.invalid()
	}
	token := b.token(tokens)
	if !token.IsValid() {
		return b.invalid()
	}
	return c.on(b.add(code, []Op{x, token}, a, shape.Shape{}))
}

// token returns the only one of tokens, or one after all of them.
func (b *Builder) token(tokens []Op) Op {
	if len(tokens) == 1 {
		return tokens[0]
	}
	return b.AfterAll(tokens...)
}

// channelDone adds the operation that waits for its start x.
func channelDone(code, start op.Code, x Op) Op {
	b, ok := enter(code, x)
	if !ok {
		return b.invalid()
	}
	a := &op.ChannelAttrs{}
	switch from, isChannel := x.instr.Attrs().(*op.ChannelAttrs); {
	case x.code() == start && isChannel:
		*a = *from
	case x.code() != op.GetTupleElement && x.code() != op.Parameter:
		b.errorf(code, "operand 0", "", "expected the result of a %v, got %%%s, a %v", start, x.instr.Name(), x.code())
		return b.invalid()
	}
	return b.add(code, []Op{x}, a, shape.Shape{})
}

// Recv returns the value of shape s that is sent by a channel. It is a recv and its recv-done
// after a token of its own. It fails if the channel id is not positive. Spec: OPS.md section 8.
func (b *Builder) Recv(s shape.Shape, c Channel) Op {
	data, _ := b.RecvWithTokens(nil, s, c)
	return data
}

// RecvWithTokens is Recv after all of tokens; it also returns a token that is there when the
// value is. Spec: OPS.md section 8.
func (b *Builder) RecvWithTokens(tokens []Op, s shape.Shape, c Channel) (data, token Op) {
	if !b.open(op.Recv) {
		return b.invalid(), b.invalid()
	}
	return RecvDone(recvStart(b, b.token(tokens), s, c, false))
}

// RecvStart is the first half of Recv: a recv after token, whose result (data, u32[] context,
// token) is for RecvDone only. Spec: OPS.md section 8.
func RecvStart(token Op, s shape.Shape, c Channel) Op { return recvStart(token.b, token, s, c, false) }

// RecvDone waits for what x, of RecvStart, receives, and returns it and a token.
// Spec: OPS.md section 8.
func RecvDone(x Op) (data, token Op) {
	r := elements(channelDone(op.RecvDone, op.Recv, x), 2)
	return r[0], r[1]
}

// RecvFromHost returns, after token, the value of shape s that the host sends, and a token that
// is there when the value is. Spec: OPS.md section 8.
func RecvFromHost(token Op, s shape.Shape, c Channel) (data, after Op) {
	return RecvDone(recvStart(token.b, token, s, c, true))
}

func recvStart(b *Builder, token Op, s shape.Shape, c Channel, host bool) Op {
	const code = op.Recv
	if _, ok := enter(code, token); !ok {
		return b.invalid()
	}
	a := c.attrs(b, code, host)
	if a == nil {
		return b.invalid()
	}
	if err := s.Check(); err != nil {
		b.errorf(code, "", "recv_o1", "expected a valid shape: %w", err)
		return b.invalid()
	}
	return c.on(b.add(code, []Op{token}, a, shape.MakeTuple(s, shape.Make(shape.U32), shape.MakeToken())))
}
