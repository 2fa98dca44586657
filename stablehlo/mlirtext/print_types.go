package mlirtext

import "github.com/goxla/xla/stablehlo"

// This file writes the forms of types and attributes; form_types.go and form_attrs.go
// show them.

// allSame reports whether all values have type t.
func allSame(values []*stablehlo.Value, t stablehlo.Type) bool {
	for _, v := range values {
		if !stablehlo.SameType(v.Type, t) {
			return false
		}
	}
	return true
}

func (p *printer) printSameType(op *stablehlo.Op, _ *element) bool {
	if len(op.Results) != 1 {
		return false
	}
	p.beginElement()
	if allSame(op.Operands, op.Result(0)) {
		p.printTypes(op.Results)
	} else {
		p.printSignature(op)
	}
	return true
}

func (p *printer) printAllType(op *stablehlo.Op, _ *element) bool {
	values := op.Operands
	if len(op.Results) > 0 {
		values = op.Results
	}
	if len(values) == 0 || !allSame(op.Operands, values[0].Type) || !allSame(op.Results, values[0].Type) {
		return false
	}
	p.beginElement()
	p.printTypes(values[:1])
	return true
}

func (p *printer) printComplexType(op *stablehlo.Op, _ *element) bool {
	p.beginElement()
	if part := partType(op.Result(0)); part != nil && allSame(op.Operands, part) {
		p.printTypes(op.Results)
	} else {
		p.printSignature(op)
	}
	return true
}

func (p *printer) printSelectType(op *stablehlo.Op, _ *element) bool {
	p.beginElement()
	if _, function := op.Operands[0].Type.(*stablehlo.FunctionType); function || !allSame(op.Operands[1:], op.Result(0)) {
		p.printSignature(op)
		return true
	}
	p.printTypes(op.Operands[:1])
	p.write(", ")
	p.printTypes(op.Results)
	return true
}

func (p *printer) printTupleType(op *stablehlo.Op, _ *element) bool {
	t, ok := op.Result(0).(*stablehlo.TupleType)
	if !ok || len(t.Types) != len(op.Operands) {
		return false
	}
	for i, v := range op.Operands {
		if !stablehlo.SameType(v.Type, t.Types[i]) {
			return false
		}
	}
	p.beginElement()
	p.printTypes(op.Results)
	return true
}

func (p *printer) printBarrier(op *stablehlo.Op, _ *element) bool {
	if len(op.Operands) != len(op.Results) {
		return false
	}
	for i, v := range op.Operands {
		if !stablehlo.SameType(v.Type, op.Result(i)) {
			return false
		}
	}
	if len(op.Operands) == 0 {
		p.write("()")
		return true
	}
	p.beginElement()
	p.printOperands(op.Operands)
	p.write(" : ")
	p.printTypes(op.Operands)
	return true
}

func (p *printer) printCommaList(op *stablehlo.Op, e *element) bool {
	values, ok := op.Group(e.slot)
	if !ok {
		return false
	}
	if len(values) == 0 {
		return true
	}
	p.beginElement()
	p.printOperands(values)
	p.write(",")
	return true
}

func (p *printer) printCallTarget(op *stablehlo.Op, e *element) bool {
	name, ok := op.Attr(e.attr.Name).(stablehlo.StringAttr)
	if !ok || name.Type != nil {
		return false
	}
	p.beginElement()
	p.dst = stablehlo.AppendSymbol(p.dst, name.Value)
	return true
}

func (p *printer) printTypedValue(op *stablehlo.Op, e *element) bool {
	value := op.Attr("value")
	values := op.Results
	if e.slot >= 0 {
		values = op.Operands
	}
	t := typeOf(value)
	if t == nil || len(values) != 1 || !stablehlo.SameType(t, values[0].Type) {
		return false
	}
	p.beginElement()
	p.dst = value.AppendText(p.dst)
	if t == stablehlo.I1 {
		return e.slot < 0 // true and false stand without a type
	}
	return true
}

func (p *printer) printConstant(op *stablehlo.Op, _ *element) bool {
	if len(op.Results) != 1 {
		return false
	}
	value := op.Attr("value")
	if t := typeOf(value); t == nil || !stablehlo.SameType(t, op.Result(0)) {
		p.printGenericRest(op)
		return true
	}
	p.printDict(restOf(op, map[string]bool{"value": true}))
	p.write(" ")
	p.dst = value.AppendText(p.dst)
	return true
}

func (p *printer) printExponentMantissa(op *stablehlo.Op, _ *element) bool {
	exponent, ok1 := op.Attr("exponent_bits").(stablehlo.IntegerAttr)
	mantissa, ok2 := op.Attr("mantissa_bits").(stablehlo.IntegerAttr)
	if !ok1 || !ok2 || exponent.Value < 0 || mantissa.Value < 0 {
		return false
	}
	p.beginElement()
	p.dst = exponent.AppendValue(append(p.dst, 'e'))
	p.dst = mantissa.AppendValue(append(p.dst, 'm'))
	return true
}

// printWords writes [WORD, WORD] of a list of enums.
func (p *printer) printWords(a stablehlo.Attribute) bool {
	list, ok := a.(*stablehlo.ArrayAttr)
	if !ok {
		return false
	}
	p.write("[")
	for i, e := range list.Elems {
		word, ok := e.(stablehlo.EnumAttr)
		if !ok {
			return false
		}
		p.comma(i)
		p.write(word.Word())
	}
	p.write("]")
	return true
}

func (p *printer) printPrecision(op *stablehlo.Op, e *element) bool {
	p.beginElement()
	return p.printWords(op.Attr(e.attr.Name))
}

func (p *printer) printPrecisionAndAlgorithm(op *stablehlo.Op, _ *element) bool {
	if a := op.Attr("precision_config"); a != nil {
		p.write(", precision = ")
		if !p.printWords(a) {
			return false
		}
	}
	if a := op.Attr("algorithm"); a != nil {
		algorithm, ok := a.(*stablehlo.DotAlgorithm)
		if !ok {
			return false
		}
		p.write(", algorithm = <")
		p.dst = append(stablehlo.AppendFields(p.dst, algorithm), '>')
	}
	return true
}

func (p *printer) printDotDims(op *stablehlo.Op, _ *element) bool {
	d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		return false
	}
	p.beginElement()
	if len(d.LHSBatching)+len(d.RHSBatching) > 0 {
		p.printDimPair("batching_dims = ", d.LHSBatching, d.RHSBatching)
		p.write(", ")
	}
	p.printDimPair("contracting_dims = ", d.LHSContracting, d.RHSContracting)
	return true
}

func (p *printer) printDimPair(name string, lhs, rhs []int64) {
	p.write(name)
	p.dst = append(stablehlo.AppendDims(p.dst, lhs), " x "...)
	p.dst = stablehlo.AppendDims(p.dst, rhs)
}
