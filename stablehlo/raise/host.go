package raise

import (
	"strings"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func hostRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.Infeed:   infeed,
		op.Outfeed:  outfeed,
		op.Recv:     recv,
		op.RecvDone: recvDone,
		op.Send:     send,
		op.SendDone: func(c *call) value { return c.part(c.value(0), 2) },
	}
}

// infeed gives the arrays, then the token.
func infeed(c *call) value {
	if !c.i.IsStatic() {
		return c.refuse("sizes that are not known")
	}
	list := []stablehlo.NamedAttribute{
		attr("infeed_config", stablehlo.StringAttr{Value: attrs[op.InfeedAttrs](c).Config})}
	if s := c.i.Shape(); len(s.Elems) == 2 && !s.Elems[0].HasDefaultLayout() {
		orders := &stablehlo.ArrayAttr{}
		for _, x := range leafShapes(nil, s.Elems[0]) {
			order := &stablehlo.ArrayAttr{}
			for _, d := range x.MinorToMajor() {
				order.Elems = append(order.Elems, stablehlo.Int64(int64(d)))
			}
			orders.Elems = append(orders.Elems, order)
		}
		list = append(list, attr("layout", orders))
	}
	return c.results("stablehlo.infeed", c.args(), list...)
}

func outfeed(c *call) value {
	return c.result("stablehlo.outfeed", c.leaves(0, len(c.i.Operands())),
		attr("outfeed_config", stablehlo.StringAttr{Value: attrs[op.OutfeedAttrs](c).Config}))
}

// The types of channels: between devices, to the host, from the host.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

// transfer returns the attributes of a send or recv; host is the type of its channel if
// that leads to or from the host.
func (c *call) transfer(host int64) []stablehlo.NamedAttribute {
	a := attrs[op.ChannelAttrs](c)
	handle := &stablehlo.ChannelHandle{Handle: int64(a.ChannelID.Value), Type: deviceToDevice}
	if a.IsHostTransfer {
		handle.Type = host
	}
	list := []stablehlo.NamedAttribute{attr("channel_handle", handle), attr("is_host_transfer", flag(a.IsHostTransfer))}
	return list
}

// send ends where it begins: its value has the token that send-done takes.
func send(c *call) value {
	token := c.make("stablehlo.send", stablehlo.TokenType{}, c.leaves(0, 2), c.transfer(deviceToHost)...)
	return tupleOf(c.value(0), lostValue("the context of a send"), single(token))
}

func recv(c *call) value {
	s := c.i.Shape()
	if len(s.Elems) != 3 {
		c.fail("", "", "expected a result (data, u32[], token[]), got %v", s)
		return value{}
	}
	types := append(c.types(s.Elems[0]), stablehlo.TokenType{})
	results := c.emit("stablehlo.recv", c.args(), types, c.transfer(hostToDevice)...).Results
	v, _ := tree(shape.MakeTuple(s.Elems[0], s.Elems[2]), results)
	return tupleOf(v.elems[0], lostValue("the context of a recv"), v.elems[1])
}

func recvDone(c *call) value {
	v := c.value(0)
	return tupleOf(c.part(v, 0), c.part(v, 2))
}

// pairsKey is the frontend attribute that holds the pairs of devices of a send or recv,
// "{{0,1},{1,2}}".
const pairsKey = "_xla_send_recv_source_target_pairs"

// pairsAttr returns the pairs that text lists; ok is false if it is no such list.
func pairsAttr(text string) (stablehlo.Attribute, bool) {
	list, ok := parseAttribute(strings.NewReplacer("{", "[", "}", "]", `"`, "").Replace(text)).(*stablehlo.ArrayAttr)
	if !ok {
		return nil, false
	}
	var all [][]int
	for _, e := range list.Elems {
		row, ok := e.(*stablehlo.ArrayAttr)
		if !ok || len(row.Elems) != 2 {
			return nil, false
		}
		source, ok1 := row.Elems[0].(stablehlo.IntegerAttr)
		target, ok2 := row.Elems[1].(stablehlo.IntegerAttr)
		if !ok1 || !ok2 {
			return nil, false
		}
		all = append(all, []int{int(source.Value), int(target.Value)})
	}
	return pairs(all), true
}
