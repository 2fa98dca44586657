package mlirtext

import (
	"slices"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// This file writes the forms of operations with regions; form_control.go and
// form_func.go show them.

func (p *printer) printRegions(op *stablehlo.Op, _ *element) bool {
	if len(op.Regions) > 0 {
		p.beginElement()
		p.printRegionList(op)
	}
	return true
}

func (p *printer) printReduce(op *stablehlo.Op, _ *element) bool {
	n := len(op.Operands) / 2
	dims, ok := op.Attr("dimensions").(*stablehlo.DenseArrayAttr)
	body := op.Regions[0]
	if !ok || n == 0 || len(body.Blocks) != 1 || len(body.Blocks[0].Args) != 2*n {
		return false
	}
	for i := range n {
		p.comma(i)
		p.write("(")
		p.printValue(op.Operands[i])
		p.write(" init: ")
		p.printValue(op.Operands[n+i])
		p.write(")")
	}
	inner := soleReducer(op, p.locs != nil)
	if inner != nil {
		p.write(" applies " + inner.Name)
	}
	p.write(" across dimensions = ")
	p.dst = dims.AppendList(p.dst)
	p.printDict(restOf(op, map[string]bool{"dimensions": true}))
	p.write(" : ")
	p.printSignature(op)
	if inner == nil {
		p.printReducer(body, n)
	}
	return true
}

// printReducer writes the region with its arguments in pairs.
func (p *printer) printReducer(body *stablehlo.Region, n int) {
	p.newline()
	p.write(" reducer")
	args := body.Blocks[0].Args
	for i := range n {
		p.write("(")
		p.printArg(args[i])
		p.write(", ")
		p.printArg(args[n+i])
		p.write(") ")
	}
	p.write(" ")
	p.printRegion(body, false)
}

// soleReducer returns the operation that the region of a reduce consists of, if the
// text "applies" can say all there is: a commutative operation of the same dialect on
// the two arguments, of the type that the operand has, whose result is returned and,
// where text tells locations, with one for all. Else nil.
func soleReducer(op *stablehlo.Op, locations bool) *stablehlo.Op {
	b := op.Regions[0].Blocks[0]
	if len(b.Ops) != 2 || len(b.Args) != 2 || len(op.Operands) != 2 {
		return nil
	}
	inner, ret := b.Ops[0], b.Ops[1]
	dialect, _, _ := strings.Cut(op.Name, ".")
	input, ok := op.Operands[0].Type.(*stablehlo.TensorType)
	if !ok || inner.Info == nil || !inner.Info.Has(stablehlo.Commutative) || ret.Name != dialect+".return" ||
		!strings.HasPrefix(inner.Name, dialect+".") {
		return nil
	}
	if len(inner.Props)+len(inner.Attrs)+len(ret.Props)+len(ret.Attrs) > 0 || len(inner.Results) != 1 {
		return nil
	}
	scalar := &stablehlo.TensorType{Elem: input.Elem}
	if !slices.Equal(inner.Operands, b.Args) || !slices.Equal(ret.Operands, inner.Results) ||
		!allSame(inner.Operands, scalar) || !allSame(inner.Results, scalar) {
		return nil
	}
	for _, l := range []stablehlo.Location{inner.Loc, ret.Loc, b.Args[0].Loc, b.Args[1].Loc} {
		if locations && !sameLocation(l, op.Loc) {
			return nil
		}
	}
	return inner
}

// sameLocation compares two locations; none is unknown.
func sameLocation(a, b stablehlo.Location) bool {
	if a == nil {
		a = stablehlo.UnknownLoc{}
	}
	if b == nil {
		b = stablehlo.UnknownLoc{}
	}
	return a == b || stablehlo.SameAttribute(a, b)
}

func (p *printer) printWhile(op *stablehlo.Op, _ *element) bool {
	if !isWhile(op, p.locs != nil) {
		return false
	}
	cond, body := op.Regions[0], op.Regions[1]
	p.write("(")
	for i, v := range body.Blocks[0].Args {
		p.comma(i)
		p.printValue(v)
		p.write(" = ")
		p.printValue(op.Operands[i])
	}
	p.write(")")
	if len(op.Operands) > 0 {
		p.write(" : ")
		p.printTypes(op.Operands)
	}
	if attrs := restOf(op, nil); len(attrs) > 0 {
		p.write(" attributes")
		p.printDict(attrs)
	}
	p.newline()
	p.write("cond ")
	p.printRegion(cond, false)
	p.write(" do ")
	p.printRegion(body, false)
	return true
}

// isWhile reports whether all values of a loop have the types of the operands, and the arguments of its
// regions no locations where text tells those: its form shows neither.
func isWhile(op *stablehlo.Op, locations bool) bool {
	if len(op.Regions) != 2 || !sameTypes(op.Results, op.Operands) {
		return false
	}
	for _, r := range op.Regions {
		if len(r.Blocks) != 1 || !sameTypes(r.Blocks[0].Args, op.Operands) {
			return false
		}
		for _, a := range r.Blocks[0].Args {
			if locations && !sameLocation(a.Loc, nil) {
				return false
			}
		}
	}
	return true
}

func sameTypes(a, b []*stablehlo.Value) bool {
	return slices.EqualFunc(a, b, func(x, y *stablehlo.Value) bool { return stablehlo.SameType(x.Type, y.Type) })
}

func (p *printer) printScan(op *stablehlo.Op, _ *element) bool {
	inputs, ok1 := op.Group(0)
	inits, ok2 := op.Group(1)
	carries, ok3 := op.ResultGroup(1)
	dim, ok4 := op.Attr("dimension").(stablehlo.IntegerAttr)
	if !ok1 || !ok2 || !ok3 || !ok4 || len(carries) != len(inits) {
		return false
	}
	p.write("(")
	p.printOperands(inputs)
	p.write(") inits(")
	p.printOperands(inits)
	p.write(") dimension=")
	p.dst = dim.AppendValue(p.dst)
	shown := map[string]bool{"dimension": true, stablehlo.OperandSegments: true, stablehlo.ResultSegments: true}
	if attrs := restOf(op, shown); len(attrs) > 0 {
		p.write(" attributes")
		p.printDict(attrs)
	}
	p.write(" ")
	p.printRegion(op.Regions[0], true)
	p.write(" : ")
	p.printSignature(op)
	return true
}

func (p *printer) printModuleForm(op *stablehlo.Op, _ *element) bool {
	if len(op.Regions[0].Blocks) != 1 || len(op.Regions[0].Blocks[0].Args) > 0 {
		return false
	}
	if name := op.Attr("sym_name"); name != nil {
		s, ok := name.(stablehlo.StringAttr)
		if !ok || s.Type != nil {
			return false
		}
		p.dst = stablehlo.AppendSymbol(append(p.dst, ' '), s.Value)
	}
	if attrs := restOf(op, map[string]bool{"sym_name": true}); len(attrs) > 0 {
		p.write(" attributes")
		p.printDict(attrs)
	}
	p.write(" ")
	p.printRegion(op.Regions[0], false)
	return true
}

// functionProps are the attributes that the form of a function shows.
var functionProps = map[string]bool{
	"sym_name": true, "function_type": true, "sym_visibility": true, "arg_attrs": true, "res_attrs": true,
}

func (p *printer) printFunction(op *stablehlo.Op, _ *element) bool {
	f := op.FuncType()
	name, ok := op.Attr("sym_name").(stablehlo.StringAttr)
	if f == nil || !ok || name.Type != nil || !functionFits(op, f) {
		return false
	}
	if v, ok := op.Attr("sym_visibility").(stablehlo.StringAttr); ok {
		p.write(" " + v.Value)
	}
	p.dst = stablehlo.AppendSymbol(append(p.dst, ' '), name.Value)
	p.write("(")
	body := op.Regions[0]
	for i, t := range f.Inputs {
		p.comma(i)
		if len(body.Blocks) > 0 {
			p.printValue(body.Blocks[0].Args[i])
			p.write(": ")
		}
		p.printParameter(t, op.ArgAttrs(i))
		if len(body.Blocks) > 0 {
			p.printLoc(body.Blocks[0].Args[i].Loc, false)
		}
	}
	p.write(")")
	p.printFuncResults(op, f)
	if attrs := restOf(op, functionProps); len(attrs) > 0 {
		p.write(" attributes")
		p.printDict(attrs)
	}
	if len(body.Blocks) > 0 {
		p.write(" ")
		p.printRegion(body, false)
	}
	return true
}

// functionFits reports whether the form of a function can show what the operation has.
func functionFits(op *stablehlo.Op, f *stablehlo.FunctionType) bool {
	if v := op.Attr("sym_visibility"); v != nil {
		s, ok := v.(stablehlo.StringAttr)
		if !ok || (s.Value != "public" && s.Value != "private" && s.Value != "nested") {
			return false
		}
	}
	if !listFits(op.Attr("arg_attrs"), len(f.Inputs)) || !listFits(op.Attr("res_attrs"), len(f.Results)) {
		return false
	}
	blocks := op.Regions[0].Blocks
	if len(blocks) == 0 {
		return true
	}
	if len(blocks[0].Args) != len(f.Inputs) || (len(blocks[0].Ops) == 0 && len(blocks) > 1) {
		return false
	}
	for i, a := range blocks[0].Args {
		if !stablehlo.SameType(a.Type, f.Inputs[i]) {
			return false
		}
	}
	return true
}

// listFits reports whether a list of dictionaries has n entries and one is not empty.
func listFits(a stablehlo.Attribute, n int) bool {
	if a == nil {
		return true
	}
	list, ok := a.(*stablehlo.ArrayAttr)
	return ok && len(list.Elems) == n && slices.ContainsFunc(list.Elems, isFilled)
}

// isFilled reports whether a is a dictionary with entries.
func isFilled(a stablehlo.Attribute) bool {
	d, ok := a.(*stablehlo.DictAttr)
	return ok && len(d.Entries) > 0
}

// printParameter writes type {...}.
func (p *printer) printParameter(t stablehlo.Type, d *stablehlo.DictAttr) {
	p.dst = t.AppendText(p.dst)
	if d != nil {
		p.printDict(d.Entries)
	}
}

// printFuncResults writes -> type, or -> (type {...}, ...).
func (p *printer) printFuncResults(op *stablehlo.Op, f *stablehlo.FunctionType) {
	if len(f.Results) == 0 {
		return
	}
	p.write(" -> ")
	_, function := f.Results[0].(*stablehlo.FunctionType)
	one := len(f.Results) == 1 && !function && op.Attr("res_attrs") == nil
	if !one {
		p.write("(")
	}
	for i, t := range f.Results {
		p.comma(i)
		p.printParameter(t, op.ResultAttrs(i))
	}
	if !one {
		p.write(")")
	}
}
