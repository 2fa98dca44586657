package raise

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func callRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.Call:       invoke,
		op.CustomCall: customCall,
		op.Fusion:     func(c *call) value { return c.function(c.called(0)) },
	}
}

// function calls the function that f becomes.
func (c *call) function(f *hlo.Computation) value {
	if c.err != nil {
		return value{}
	}
	n := min(len(f.Params()), len(c.i.Operands())) // a fusion may have more operands
	return c.results("func.call", c.leaves(0, n), attr("callee", stablehlo.Symbol(c.s.r.name(f))))
}

// invoke is a call, or a composite: a call with a name, attributes and a version.
func invoke(c *call) value {
	if !attrs[op.CallAttrs](c).IsComposite {
		return c.function(c.called(0))
	}
	name, _ := c.frontend("composite.name")
	if name == "" {
		return c.refuse("is_composite and no composite.name")
	}
	list := []stablehlo.NamedAttribute{attr("name", stablehlo.StringAttr{Value: name})}
	if text, _ := c.frontend("composite.attributes"); text != "" {
		d, ok := parseAttribute(text).(*stablehlo.DictAttr)
		if !ok {
			c.fail("composite.attributes", "", "expected a dictionary of MLIR, got %q", text)
			return value{}
		}
		list = append(list, attr("composite_attributes", d))
	}
	if text, _ := c.frontend("composite.version"); text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			c.fail("composite.version", "", "expected a number, got %q", text)
		}
		list = append(list, attr("version", stablehlo.Int32(int32(n))))
	}
	f := c.called(0)
	if c.err != nil {
		return value{}
	}
	list = append(list, attr("decomposition", stablehlo.Symbol(c.s.r.name(f))))
	return c.results("stablehlo.composite", c.leaves(0, len(c.i.Operands())), list...)
}

// frontend returns a frontend attribute of the instruction, without quotes.
func (c *call) frontend(key string) (text string, ok bool) {
	for _, a := range c.i.FrontendAttributes {
		if a.Key == key {
			return a.Value, true
		}
	}
	return "", false
}

// apiVersions are the versions of the interface of custom calls by HLO's words.
var apiVersions = map[op.Word]int32{
	"": 1, "API_VERSION_UNSPECIFIED": 0, "API_VERSION_ORIGINAL": 1, "API_VERSION_STATUS_RETURNING": 2,
	"API_VERSION_STATUS_RETURNING_UNIFIED": 3, "API_VERSION_TYPED_FFI": typedFFI,
}

// typedFFI is the version whose configuration is a dictionary.
const typedFFI = 4

func customCall(c *call) value {
	a := attrs[op.CustomCallAttrs](c)
	version, ok := apiVersions[a.APIVersion]
	if !ok {
		return c.refuse("api_version " + string(a.APIVersion))
	}
	list := []stablehlo.NamedAttribute{
		attr("call_target_name", stablehlo.StringAttr{Value: a.Target}),
		attr("has_side_effect", flag(a.HasSideEffect)),
		attr("called_computations", c.callees()),
		attr("output_operand_aliases", c.aliases(a.Aliasing)),
	}
	if version != 1 {
		list = append(list, attr("api_version", stablehlo.Int32(version)))
	}
	list = append(list, config(version, c.i.BackendConfig), attr("mhlo.literal", c.literal(a)))
	list = append(list, c.opaque(a)...)
	operands := make([]*stablehlo.Value, len(c.i.Operands()))
	for k := range operands {
		operands[k] = c.packed(c.value(k))
	}
	if a.OperandLayouts != nil {
		list = append(list, c.layouts(a.OperandLayouts.Shapes)...)
	}
	o := c.emit("stablehlo.custom_call", operands, c.resultTypes(), list...)
	return c.unpacked(o.Results)
}

// callees names the functions of the called computations, nil for none.
func (c *call) callees() stablehlo.Attribute {
	if len(c.i.Called()) == 0 {
		return nil
	}
	list := &stablehlo.ArrayAttr{}
	for _, f := range c.i.Called() {
		list.Elems = append(list.Elems, stablehlo.Symbol(c.s.r.name(f)))
	}
	return list
}

// aliases returns which results share memory with operands, nil for none. That a buffer
// shares it with the array that it is made of goes without saying.
func (c *call) aliases(list []op.OutputAliasing) stablehlo.Attribute {
	all := &stablehlo.ArrayAttr{}
	for _, a := range list {
		if a.Operand < 0 || a.Operand >= len(c.i.Operands()) ||
			isBuffer(c.i.Shape(), a.OutputIndex) != isBuffer(c.i.Operand(a.Operand).Shape(), a.OperandIndex) {
			continue
		}
		all.Elems = append(all.Elems, &stablehlo.OutputOperandAlias{OutputTupleIndices: int64s(a.OutputIndex),
			OperandIndex: int64(a.Operand), OperandTupleIndices: int64s(a.OperandIndex)})
	}
	if len(all.Elems) == 0 {
		return nil
	}
	return all
}

// isBuffer reports whether the part of s at index is a buffer.
func isBuffer(s shape.Shape, index []int) bool {
	for _, i := range index {
		if i < 0 || i >= len(s.Elems) {
			return false
		}
		s = s.Elems[i]
	}
	return s.Type == shape.Buffer
}

// config returns the configuration: text or, for the typed interface, a dictionary. Text
// that is none stays text, in an attribute of its own.
func config(version int32, text string) stablehlo.NamedAttribute {
	if version != typedFFI {
		return attr("backend_config", stablehlo.StringAttr{Value: text})
	}
	if text == "" {
		text = "{}"
	}
	if d, ok := parseAttribute(text).(*stablehlo.DictAttr); ok {
		return attr("backend_config", d)
	}
	return attr("mhlo.backend_config", stablehlo.StringAttr{Value: text})
}

// literal returns the constant that a custom call carries, nil for none.
func (c *call) literal(a *op.CustomCallAttrs) stablehlo.Attribute {
	if !a.Literal.IsValid() {
		return nil
	}
	if !a.Literal.Shape().IsArray() {
		c.refuse("a literal that is no array")
		return nil
	}
	d, err := dense(a.Literal)
	if err != nil {
		c.fail("literal", "", "%w", err)
		return nil
	}
	return d
}

// opaque keeps, as text, the attributes of a custom call that StableHLO has no words for.
func (c *call) opaque(a *op.CustomCallAttrs) []stablehlo.NamedAttribute {
	rest := &op.CustomCallAttrs{Window: a.Window, DimLabels: a.DimLabels, FeatureGroupCount: a.FeatureGroupCount,
		BatchGroupCount: a.BatchGroupCount, OperandPrecision: a.OperandPrecision, Algorithm: a.Algorithm,
		PaddingType: a.PaddingType, Schedule: a.Schedule}
	var list []stablehlo.NamedAttribute
	for _, f := range op.Plan(rest) {
		if f.Name == "custom_call_target" || f.IsZero(rest) {
			continue
		}
		text := string(f.AppendValue(nil, rest))
		list = append(list, attr("mhlo."+f.Name, stablehlo.StringAttr{Value: text}))
	}
	return list
}

// layouts returns the layouts that the target wants of operands and results.
func (c *call) layouts(operands []shape.Shape) []stablehlo.NamedAttribute {
	results := []shape.Shape{c.i.Shape()}
	if c.i.IsTuple() && len(c.resultTypes()) != 1 {
		results = c.i.Shape().Elems
	}
	return []stablehlo.NamedAttribute{
		attr("operand_layouts", c.orders(operands)), attr("result_layouts", c.orders(results))}
}

// orders returns the order of dimensions of each shape, the fastest-varying first.
func (c *call) orders(shapes []shape.Shape) stablehlo.Attribute {
	all := &stablehlo.ArrayAttr{}
	for _, s := range shapes {
		if s.IsTuple() {
			c.refuse("layouts of tuples")
			return nil
		}
		order := s.MinorToMajor()
		data := stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(order))}, int64s(order))
		all.Elems = append(all.Elems, &stablehlo.DenseElements{Data: data.Data, Splat: data.Splat,
			Type: staticType(stablehlo.IndexType{}, int64(len(order)))})
	}
	return all
}

// packed returns v as one value: a tuple is made.
func (c *call) packed(v value) *stablehlo.Value {
	if !v.tuple {
		if v.v == nil {
			c.lose(v)
			return &stablehlo.Value{Type: stablehlo.NoneType{}}
		}
		return v.v
	}
	elems := make([]*stablehlo.Value, len(v.elems))
	for i, e := range v.elems {
		elems[i] = c.packed(e)
	}
	return c.make("stablehlo.tuple", &stablehlo.TupleType{Types: typesOf(elems)}, elems)
}

// resultTypes returns the types of a custom call's results: one for each element of a
// tuple of no or several arrays, a tuple type for a tuple of another kind.
func (c *call) resultTypes() []stablehlo.Type {
	s := c.i.Shape()
	if s.IsTuple() && len(s.Elems) != 1 && !slices.ContainsFunc(s.Elems, shape.Shape.IsTuple) {
		return c.types(s)
	}
	return []stablehlo.Type{c.typ(s)}
}

// unpacked returns the results of a custom call in the form of the instruction.
func (c *call) unpacked(results []*stablehlo.Value) value {
	if c.err != nil {
		return value{}
	}
	if s := c.i.Shape(); s.IsTuple() && len(s.Elems) == len(results) && len(results) != 1 {
		return c.whole(results)
	}
	return c.opened(results[0])
}

// opened takes a value apart if it is a tuple.
func (c *call) opened(v *stablehlo.Value) value {
	t, ok := v.Type.(*stablehlo.TupleType)
	if !ok {
		return single(v)
	}
	all := value{tuple: true}
	for k, e := range t.Types {
		x := c.make("stablehlo.get_tuple_element", e, []*stablehlo.Value{v}, attr("index", stablehlo.Int32(int32(k))))
		all.elems = append(all.elems, c.opened(x))
	}
	return all
}
