package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/stablehlo"
)

// raggedAllToAll is the custom call that JAX makes of a ragged all-to-all; its groups and
// its channel stand in the configuration.
func raggedAllToAll(c *call) []builder.Op {
	d, ok := c.op.Attr("backend_config").(*stablehlo.DictAttr)
	if !ok || len(c.args) != 6 {
		c.fail("backend_config", "", "expected a dictionary and 6 operands, got %v and %d", c.op.Attr("backend_config"),
			len(c.args))
		return nil
	}
	config := &call{s: c.s, b: c.b, op: &stablehlo.Op{Attrs: d.Entries}}
	o := builder.CollectiveOptions{Groups: config.groups(), Channel: config.int("channel_id")}
	if c.err == nil {
		c.err = config.err
	}
	if c.failed() {
		return nil
	}
	x := c.args
	return one(builder.RaggedAllToAll(x[0], x[2], x[3], x[1], x[4], x[5], o))
}
