package verify

import "github.com/goxla/xla/stablehlo"

// The kinds of channels, as a channel_handle gives them.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

// channelType checks that the kind of the channel fits is_host_transfer.
func (c *check) channelType(host int64, label string) error {
	h, _ := c.op.Attr("channel_handle").(*stablehlo.ChannelHandle)
	want := int64(deviceToDevice)
	if c.flag("is_host_transfer") {
		want = host
	}
	if h != nil && h.Type != want {
		return c.errorf("channel_handle", label, "expected type %d with is_host_transfer = %t, got %d",
			want, c.flag("is_host_transfer"), h.Type)
	}
	return nil
}

// checkSend: send_c1, send_c2.
func checkSend(c *check) error {
	if err := c.channelType(deviceToHost, "c1"); err != nil {
		return err
	}
	return c.sourceTargets("", "", "", "")
}

// checkRecv: recv_c1 to recv_c4.
func checkRecv(c *check) error {
	if err := c.channelType(hostToDevice, "c1"); err != nil {
		return err
	}
	if err := c.sourceTargets("", "", "", ""); err != nil {
		return err
	}
	return c.received("c2", "c3", "c4")
}

// received checks that the results are tensors and then a token.
func (c *check) received(some, tensors, token string) error {
	types := valueTypes(c.op.Results)
	if len(types) == 0 {
		return c.errorf("", some, "expected at least one result, got none")
	}
	last := len(types) - 1
	for _, t := range types[:last] {
		if _, ok := t.(*stablehlo.TensorType); !ok {
			return c.errorf("", tensors, "expected tensors before the last result, got %v", t)
		}
		if want := deviceValue.fault(t); want != "" {
			return c.errorf("", tensors, "expected %s, got %v", want, t)
		}
	}
	if _, ok := types[last].(stablehlo.TokenType); !ok {
		return c.errorf("", token, "expected a token as the last result, got %v", types[last])
	}
	return nil
}

// deviceValue is what a device gets from another or from the host.
var deviceValue = parseTypeRule("A!")

// checkInfeed: infeed_c1 to infeed_c3, and the layouts.
func checkInfeed(c *check) error {
	if err := c.received("c1", "c2", "c3"); err != nil {
		return err
	}
	layout, ok := c.op.Attr("layout").(*stablehlo.ArrayAttr)
	if !ok {
		return nil
	}
	if n := len(c.op.Results) - 1; len(layout.Elems) != n {
		return c.errorf("layout", "", "expected %d layouts, one for each result but the token, got %d", n, len(layout.Elems))
	}
	for _, e := range layout.Elems {
		numbers, ok := e.(*stablehlo.ArrayAttr)
		if !ok {
			return c.errorf("layout", "", "expected lists of integers, got %v", e)
		}
		for _, n := range numbers.Elems {
			if _, ok := n.(stablehlo.IntegerAttr); !ok {
				return c.errorf("layout", "", "expected integers, got %v", n)
			}
		}
	}
	return nil
}

// asynchronous are the operations that async_start may start.
var asynchronous = map[string]bool{
	"stablehlo.all_gather": true, "stablehlo.all_reduce": true, "stablehlo.all_to_all": true,
	"stablehlo.collective_broadcast": true, "stablehlo.collective_permute": true, "stablehlo.collective_reduce": true,
	"stablehlo.reduce_scatter": true, "stablehlo.slice": true, "stablehlo.dynamic_slice": true,
	"stablehlo.dynamic_update_slice": true,
}

// inferAsyncStart: the region takes the operands and holds one collective operation or
// slice; its results are those of the future.
func inferAsyncStart(c *check) ([]stablehlo.Type, error) {
	ops := c.op.Regions[0].Blocks[0].Ops
	if len(ops) != 2 {
		return nil, c.errorf("collective", "", "expected one operation and stablehlo.return in the region, got %d operations",
			len(ops))
	}
	if !asynchronous[ops[0].Name] {
		return nil, c.errorf("collective", "", "expected a collective operation or slice in the region, got %s", ops[0].Name)
	}
	if got, want := c.arguments(0), valueTypes(c.op.Operands); !sameTypes(got, want) {
		return nil, c.errorf("collective", "", "expected arguments of types %s, got %s", list(want), list(got))
	}
	if got, want := c.returned(0), valueTypes(ops[0].Results); !sameTypes(got, want) {
		return nil, c.errorf("collective", "", "expected a region that returns %s, got %s", list(want), list(got))
	}
	return one(&stablehlo.FutureType{Types: c.returned(0)})
}

// inferAsyncDone: the results are those of the future.
func inferAsyncDone(c *check) ([]stablehlo.Type, error) {
	f, ok := c.op.Operands[0].Type.(*stablehlo.FutureType)
	if !ok {
		return nil, c.errorf("operand", "", "expected a future, got %v", c.op.Operands[0].Type)
	}
	return f.Types, nil
}
