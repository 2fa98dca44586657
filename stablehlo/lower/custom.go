package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// customCall: a target that means an operation becomes that, any other stays a custom
// call for a handler.
func customCall(c *call) []builder.Op {
	target := c.text("call_target_name")
	if target == "" {
		c.fail("call_target_name", "", "%w", errNoTarget)
		return nil
	}
	if f := targets()[target]; f != nil {
		return f(c)
	}
	if name, ok := strings.CutPrefix(target, "mhlo."); ok && c.s.l.rules["chlo."+name] != nil {
		return c.s.l.rules["chlo."+name](c)
	}
	return c.keepCustomCall(target)
}

// targets are the custom calls that JAX emits for what are operations here.
var targets = sync.OnceValue(func() map[string]rule {
	all := map[string]rule{
		"annotate_device_placement":  identity,
		"LayoutConstraint":           identity,
		"Sharding":                   shardingMark,
		"SPMDFullToShardShape":       reshard,
		"SPMDShardToFullShape":       reshard,
		"xla.sdy.FuncResultSharding": identity,
		"mhlo.topk":                  topKCall,
		"ragged_all_to_all":          raggedAllToAll,
		"shape_assertion":            shapeAssertion,
	}
	maps.Copy(all, dynamicTargets())
	for _, t := range []string{"s", "d", "c", "z"} {
		all["lapack_"+t+"potrf_ffi"] = potrf
		all["blas_"+t+"trsm_ffi"] = trsm
		all["lapack_"+t+"trsm_ffi"] = trsm
	}
	return all
})

// identity: the call says something about its operand and returns it.
func identity(c *call) []builder.Op { return one(c.arg(0)) }

// reshard is the boundary of a part of the program that is written for one device. It
// is nothing where the shapes on both sides are equal.
func reshard(c *call) []builder.Op {
	list, err := c.s.l.shardings(c.op.Attr)
	if err != nil {
		c.fail("", "", "%w", err)
	}
	want, x := c.result(0), c.arg(0)
	switch {
	case c.failed():
		return nil
	case len(list) == 1:
		return one(c.marked(c.text("call_target_name"), x, want, list[0]))
	case !fits(want, x.Shape()):
		return c.keepCustomCall(c.text("call_target_name"))
	}
	return one(x)
}

// keepCustomCall makes the custom call that it is.
func (c *call) keepCustomCall(target string) []builder.Op {
	sizes := c.shapeOperands()
	shapes := c.refined(sizes)
	o := builder.CustomCallOptions{BackendConfig: c.backendConfig(), Called: c.calledComputations()}
	o.Attrs.HasSideEffect = c.flag("has_side_effect")
	o.Attrs.APIVersion = apiVersions[c.intOr("api_version", 1)]
	if _, typed := c.op.Attr("mhlo.backend_config").(*stablehlo.DictAttr); typed {
		o.Attrs.APIVersion = apiVersions[4]
	}
	o.Attrs.Aliasing = c.aliases()
	if o.Attrs.OperandLayouts = c.layouts("operand_layouts", shapesOf(c.args)); o.Attrs.OperandLayouts != nil {
		o.Attrs.OperandLayouts.Shapes = without(o.Attrs.OperandLayouts.Shapes, sizes)
		c.layouts("result_layouts", shapes)
	}
	if c.failed() {
		return nil
	}
	result := shape.MakeTuple(shapes...)
	if len(shapes) == 1 {
		result = shapes[0]
	}
	return c.callResults(c.b.CustomCall(target, without(c.args, sizes), result, o))
}

// shapeOperands are the operands, one a result, that say the sizes of results; the target does not get them.
func (c *call) shapeOperands() []int {
	list := c.ints("indices_of_shape_operands")
	for i, k := range list {
		if k < 0 || k >= len(c.args) || len(list) != len(c.op.Results) {
			c.fail(fmt.Sprintf("indices_of_shape_operands[%d]", i), "",
				"expected one of %d operands for each of %d results, got %d", len(c.args), len(c.op.Results), k)
		}
	}
	return list
}

// refined returns the shapes of the results, of the sizes that operands say.
func (c *call) refined(operands []int) []shape.Shape {
	shapes := make([]shape.Shape, len(c.op.Results))
	for i := range shapes {
		shapes[i] = c.result(i)
		if len(operands) == 0 || c.failed() {
			continue
		}
		sizes := c.sizes("indices_of_shape_operands", c.args[operands[i]])
		known := shape.Make(shapes[i].Type, sizes...)
		if !shapes[i].IsArray() || !fits(shapes[i], known) {
			c.fail("indices_of_shape_operands", "", "expected sizes of a value of type %v, got %v", c.resultType(i), sizes)
		}
		shapes[i] = known
	}
	return shapes
}

// without returns the elements of list whose places are not among dropped.
func without[T any](list []T, dropped []int) []T {
	var rest []T
	for i, e := range list {
		if !slices.Contains(dropped, i) {
			rest = append(rest, e)
		}
	}
	return rest
}

// apiVersions are HLO's words for the versions; the first is the default.
var apiVersions = map[int]op.Word{
	2: "API_VERSION_STATUS_RETURNING", 3: "API_VERSION_STATUS_RETURNING_UNIFIED", 4: "API_VERSION_TYPED_FFI",
}

// backendConfig returns the configuration as text.
func (c *call) backendConfig() string {
	for _, name := range []string{"mhlo.backend_config", "backend_config"} {
		switch a := c.op.Attr(name).(type) {
		case stablehlo.StringAttr:
			if a.Value != "" {
				return a.Value
			}
		case *stablehlo.DictAttr:
			return a.String()
		}
	}
	return ""
}

// calledComputations returns the functions that the target may call.
func (c *call) calledComputations() []builder.Computation {
	list, _ := c.op.Attr("called_computations").(*stablehlo.ArrayAttr)
	if list == nil {
		return nil
	}
	var all []builder.Computation
	for _, e := range list.Elems {
		ref, _ := e.(*stablehlo.SymbolRef)
		if ref == nil || c.op.Resolve(ref) == nil {
			c.fail("called_computations", "", "expected functions of the module, got %v", e)
			return nil
		}
		all = append(all, c.function(c.op.Resolve(ref)))
	}
	return all
}

// aliases returns which results share memory with operands.
func (c *call) aliases() []op.OutputAliasing {
	list, _ := c.op.Attr("output_operand_aliases").(*stablehlo.ArrayAttr)
	if list == nil {
		return nil
	}
	var all []op.OutputAliasing
	for _, e := range list.Elems {
		a, ok := e.(*stablehlo.OutputOperandAlias)
		if !ok {
			c.fail("output_operand_aliases", "", "expected aliases, got %v", e)
			return nil
		}
		all = append(all, op.OutputAliasing{OutputIndex: c.toInts("output_operand_aliases", a.OutputTupleIndices),
			Operand: int(a.OperandIndex), OperandIndex: c.toInts("output_operand_aliases", a.OperandTupleIndices)})
	}
	return all
}

// layouts gives shapes the layouts that the target wants, by an attribute; nil where it says nothing.
func (c *call) layouts(attr string, shapes []shape.Shape) *op.OperandLayouts {
	list, _ := c.op.Attr(attr).(*stablehlo.ArrayAttr)
	if list == nil || len(list.Elems) != len(shapes) {
		return nil
	}
	for i, e := range list.Elems {
		order, ok := integers(e)
		if !ok || len(order) != shapes[i].Rank() {
			c.fail(attr, "", "expected an order of the dimensions of %v, got %v", shapes[i], e)
			return nil
		}
		if shapes[i].IsArray() {
			shapes[i] = shapes[i].WithLayout(shape.MakeLayout(c.toInts(attr, order)...))
		}
	}
	return &op.OperandLayouts{Shapes: shapes}
}
