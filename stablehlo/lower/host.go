package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
)

func hostRules() map[string]rule {
	return map[string]rule{
		"stablehlo.infeed":  infeed,
		"stablehlo.outfeed": outfeed,
		"stablehlo.recv":    recv,
		"stablehlo.send":    send,
	}
}

// dataResult returns the shape of all results but the last, which is a token: one, or
// a tuple of them.
func (c *call) dataResult() (s shape.Shape, n int) {
	n = len(c.op.Results) - 1
	if n < 0 {
		c.fail("", "", "expected a token as the last result, got no results")
		return s, 0
	}
	shapes := make([]shape.Shape, n)
	for i := range shapes {
		shapes[i] = c.result(i)
	}
	if n == 1 {
		return shapes[0], n
	}
	return shape.MakeTuple(shapes...), n
}

func infeed(c *call) []builder.Op {
	s, n := c.dataResult()
	if c.failed() {
		return nil
	}
	data, token := builder.InfeedWithToken(c.arg(0), s, c.text("infeed_config"))
	if c.failed() {
		return nil
	}
	return append(unpack(data, n), token)
}

// data returns the operands but the last, which is a token, as one value.
func (c *call) data() (x, token builder.Op) {
	n := len(c.args) - 1
	if n < 0 {
		c.arg(0)
		return
	}
	return pack(c.b, c.args[:n]), c.args[n]
}

func outfeed(c *call) []builder.Op {
	x, token := c.data()
	return one(builder.OutfeedWithToken(x, token, x.Shape(), c.text("outfeed_config")))
}

// transfer returns the channel of a send or recv.
func (c *call) transfer() builder.Channel {
	return builder.Channel{ID: c.channel(), Pairs: c.pairs("source_target_pairs")}
}

func send(c *call) []builder.Op {
	x, token := c.data()
	if c.flag("is_host_transfer") {
		return one(builder.SendToHost(x, token, x.Shape(), c.transfer()))
	}
	return one(builder.SendWithTokens(x, []builder.Op{token}, c.transfer()))
}

func recv(c *call) []builder.Op {
	s, n := c.dataResult()
	if c.failed() {
		return nil
	}
	var data, token builder.Op
	if c.flag("is_host_transfer") {
		data, token = builder.RecvFromHost(c.arg(0), s, c.transfer())
	} else {
		data, token = c.b.RecvWithTokens(c.args, s, c.transfer())
	}
	if c.failed() {
		return nil
	}
	return append(unpack(data, n), token)
}
