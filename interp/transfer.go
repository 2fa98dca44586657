package interp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds send and recv. A send hands its data over at once and nothing waits
// for the other end; a recv only opens the channel, and the data are awaited by
// recv-done. Which devices are at the ends is told by pairs in a frontend attribute. Without
// them a computation that both sends and receives on a channel sends to itself, and
// otherwise the data go to whichever device receives on the channel. Spec: OPS.md section 8.

// evalSend returns (data, context, token).
func evalSend(c *call) (literal.Literal, error) {
	a := attrs[*op.ChannelAttrs](c)
	if a.IsHostTransfer {
		device, channel, err := c.hostTransfer(a)
		if err == nil {
			err = c.in.opts.Host.ToHost(device, channel).Put(c.args[0])
		}
		return c.started(c.args[0]), err
	}
	comm, err := c.in.communicator()
	if err != nil {
		return literal.Literal{}, err
	}
	ways, err := c.ways(c.n, comm.Device())
	if err != nil {
		return literal.Literal{}, err
	}
	data := leavesOf(nil, c.args[0])
	for _, t := range ways {
		if t.Source != comm.Device() && t.Source != collective.AnyDevice {
			continue
		}
		if err := comm.Send(c.in.ctx, t, data); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.started(c.args[0]), nil
}

// evalSendDone waits for nothing.
func evalSendDone(*call) (literal.Literal, error) { return literal.New(shape.MakeToken()), nil }

// evalRecv returns (room for the data, context, token).
func evalRecv(c *call) (literal.Literal, error) { return c.started(), nil }

// evalRecvDone waits for the data and returns (data, token). A device that no pair
// sends to gets zeros.
func evalRecvDone(c *call) (literal.Literal, error) {
	a, s := attrs[*op.ChannelAttrs](c), c.n.Shape().Elems[0]
	var v literal.Literal
	var err error
	if a.IsHostTransfer {
		v, err = c.recvFromHost(a, s)
	} else {
		v, err = c.recv(s)
	}
	return literal.MakeTuple(v, literal.New(shape.MakeToken())), err
}

func (c *call) recvFromHost(a *op.ChannelAttrs, s shape.Shape) (literal.Literal, error) {
	device, channel, err := c.hostTransfer(a)
	if err != nil {
		return literal.Literal{}, err
	}
	v, err := c.in.opts.Host.FromHost(device, channel).Take(c.in.ctx)
	if err != nil {
		return v, fmt.Errorf("channel %d from the host: %w", channel, err)
	}
	return c.accept(v, s)
}

// recv waits for data of shape s.
func (c *call) recv(s shape.Shape) (literal.Literal, error) {
	comm, err := c.in.communicator()
	if err != nil {
		return literal.Literal{}, err
	}
	ways, err := c.ways(c.opening(), comm.Device())
	if err != nil {
		return literal.Literal{}, err
	}
	v := literal.New(dropLayout(s.Static()))
	for _, t := range ways {
		if t.Target != comm.Device() && t.Target != collective.AnyDevice {
			continue
		}
		t.Name = c.n.Name()
		return v, comm.Recv(c.in.ctx, t, leavesOf(nil, v))
	}
	return v, nil
}

// opening returns the recv that c, a recv-done, waits for. Where the context comes
// around a loop it is another one of the channel, which has the same ends.
func (c *call) opening() *hlo.Instruction {
	if o := c.n.Operand(0); o.Code() == op.Recv {
		return o
	}
	channel, _ := c.n.Channel()
	for _, f := range c.n.Computation().Module().Computations() {
		for _, n := range f.Instructions() {
			if k, _ := n.Channel(); n.Code() == op.Recv && k == channel {
				return n
			}
		}
	}
	return c.n
}

// pairsKey is the frontend attribute with the pairs of a send or recv: partitions, or
// replicas where there is one partition.
const pairsKey = "_xla_send_recv_source_target_pairs"

// ways returns the transfers that n, a send or recv, stands for.
func (c *call) ways(n *hlo.Instruction, self int) ([]collective.Transfer, error) {
	channel, _ := n.Channel()
	t := collective.Transfer{Channel: channel, Source: collective.AnyDevice, Target: collective.AnyDevice, Name: n.Name()}
	for _, kv := range n.FrontendAttributes {
		if kv.Key == pairsKey {
			return c.pairWays(t, kv.Value)
		}
	}
	if hasOtherEnd(n, channel) {
		t.Source, t.Target = self, self
	}
	return []collective.Transfer{t}, nil
}

// pairWays returns t between the devices of each pair in text, {{0,1},{1,2}}.
func (c *call) pairWays(t collective.Transfer, text string) ([]collective.Transfer, error) {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("{}, ", r) })
	devices := make([]int, len(numbers))
	for i, s := range numbers {
		n, err := strconv.Atoi(s)
		if err != nil || len(numbers)%2 != 0 {
			return nil, fmt.Errorf("%s: expects pairs of devices {{0,1},{1,2}}, got %s", pairsKey, text)
		}
		devices[i] = c.flattened(n)
	}
	var list []collective.Transfer
	for i := 0; i < len(devices); i += 2 {
		t.Source, t.Target = devices[i], devices[i+1]
		list = append(list, t)
	}
	return list, nil
}

// flattened returns the device that n in a pair means.
func (c *call) flattened(n int) int {
	d := &c.in.opts.Device
	if d.Partitions > 1 {
		return d.Replica*d.Partitions + n
	}
	return n
}

// hasOtherEnd reports whether the computation of n, a send or recv, has both ends of the channel.
func hasOtherEnd(n *hlo.Instruction, channel int) bool {
	want := op.Send
	if n.Code() != op.Recv {
		want = op.Recv
	} else if n.Computation() == nil {
		return false
	}
	for _, o := range n.Computation().Instructions() {
		if k, _ := o.Channel(); o.Code() == want && k == channel {
			return true
		}
	}
	return false
}
