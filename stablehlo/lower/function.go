package lower

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func callRules() map[string]rule {
	return map[string]rule{
		"func.call":             funcCall,
		"stablehlo.composite":   composite,
		"stablehlo.custom_call": customCall,
	}
}

func funcCall(c *call) []builder.Op {
	f := c.callee("callee")
	if f == nil {
		return nil
	}
	if c.s.l.inlined(f) || c.foldable() {
		return c.inlineCall(f)
	}
	return c.callResults(c.b.Call(c.function(f), c.args...))
}

// composite calls the decomposition and keeps name, attributes and version.
func composite(c *call) []builder.Op {
	f := c.callee("decomposition")
	if f == nil {
		return nil
	}
	if c.s.l.inlined(f) {
		return c.inlineCall(f)
	}
	attributes := ""
	if a, ok := c.op.Attr("composite_attributes").(*stablehlo.DictAttr); ok {
		attributes = a.String()
	}
	return c.callResults(c.b.CompositeCall(c.function(f), c.args, c.text("name"), attributes, c.int("version")))
}

// callResults takes the result of a call apart.
func (c *call) callResults(r builder.Op) []builder.Op {
	if c.failed() {
		return nil
	}
	return unpack(r, len(c.op.Results))
}

// callee returns the function that an attribute names; a fault if there is none.
func (c *call) callee(attr string) *stablehlo.Op {
	ref, _ := c.op.Attr(attr).(*stablehlo.SymbolRef)
	if ref == nil {
		c.fail(attr, "", "expected the name of a function, got %v", c.op.Attr(attr))
		return nil
	}
	f := c.op.Resolve(ref)
	if f == nil || f.Name != "func.func" {
		c.fail(attr, "", "expected a function of the module, got %v", ref)
		return nil
	}
	return f
}

// function returns the computation of f, which is made once.
func (c *call) function(f *stablehlo.Op) builder.Computation {
	l := c.s.l
	if done, ok := l.calls[f]; ok {
		return done
	}
	block, ok := c.enter(f)
	if !ok {
		return builder.Computation{}
	}
	defer delete(l.active, f)
	shapes := make([]shape.Shape, len(block.Args))
	for i, v := range block.Args {
		var err error
		if shapes[i], err = shapeOf(v.Type); err != nil {
			c.err = l.errorAt(f, err)
			return builder.Computation{}
		}
	}
	made := c.computation(identifier(f.SymbolName()), shapes, func(b *builder.Builder, args []builder.Op) builder.Op {
		return pack(b, c.region(b, block, args, &captured{}, nil))
	})
	l.calls[f] = made
	return made
}

// enter begins the lowering of the body of f, unless that is under way: functions may
// not call themselves.
func (c *call) enter(f *stablehlo.Op) (*stablehlo.Block, bool) {
	block, err := body(f)
	if err != nil {
		c.fail("", "", "%w", err)
		return nil, false
	}
	if c.s.l.active[f] {
		c.fail("callee", "", "expected a function that is not being called, got @%s, which calls itself", f.SymbolName())
		return nil, false
	}
	c.s.l.active[f] = true
	return block, true
}

// inlineCall lowers the body of f at the place of the call.
func (c *call) inlineCall(f *stablehlo.Op) []builder.Op {
	block, ok := c.enter(f)
	if !ok {
		return nil
	}
	defer delete(c.s.l.active, f)
	return c.region(c.b, block, c.args, &captured{}, nil)
}

// foldable reports whether a call computes sizes: integers from known values, in a program of dynamic
// sizes. At the place of the call its results are known values as well.
func (c *call) foldable() bool {
	if !c.s.l.dynamic {
		return false
	}
	for i := range c.op.Results {
		if s := c.result(i); !s.IsArray() || !s.IsStatic() || !s.Type.IsInteger() && s.Type != shape.Pred {
			return false
		}
	}
	for _, x := range c.args {
		if c.s.l.value(x.Instruction()) == nil {
			return false
		}
	}
	return true
}

// inlined reports whether f goes to the place of its calls: it, or a function that it
// calls, has values of dynamic sizes, which each call may set otherwise.
func (l *lowerer) inlined(f *stablehlo.Op) bool {
	if known, ok := l.inline[f]; ok {
		return known
	}
	l.inline[f] = false // while its callees are looked at
	for o := range f.Walk() {
		if l.dynamicOp(o) {
			l.inline[f] = true
			return true
		}
	}
	return false
}

// dynamicOp reports whether o has results or arguments of dynamic sizes, or calls a
// function that does.
func (l *lowerer) dynamicOp(o *stablehlo.Op) bool {
	for _, v := range o.Results {
		if hasDynamic(v.Type) {
			return true
		}
	}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, v := range b.Args {
				if hasDynamic(v.Type) {
					return true
				}
			}
		}
	}
	for _, name := range []string{"callee", "decomposition"} {
		if ref, ok := o.Attr(name).(*stablehlo.SymbolRef); ok {
			if f := o.Resolve(ref); f != nil && f.Name == "func.func" && l.inlined(f) {
				return true
			}
		}
	}
	target, _ := o.Attr("call_target_name").(stablehlo.StringAttr)
	return needsSizes[o.Name] || target.Value == "shape_assertion" || strings.HasPrefix(target.Value, "stablehlo.dynamic_")
}

// needsSizes are operations with operands that must be known when they are lowered.
var needsSizes = map[string]bool{
	"stablehlo.dynamic_reshape": true, "stablehlo.dynamic_iota": true, "stablehlo.dynamic_broadcast_in_dim": true,
	"stablehlo.dynamic_pad": true, "stablehlo.dynamic_gather": true, "stablehlo.dynamic_conv": true,
	"stablehlo.real_dynamic_slice": true, "stablehlo.rng": true,
}

// errNoTarget is what a custom call without a target gets.
var errNoTarget = fmt.Errorf("expected the name of a target, got none")
