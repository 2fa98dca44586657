package mlirtext

import (
	"strconv"

	"github.com/goxla/xla/stablehlo"
)

// intsOf returns the integers of a list attribute.
func intsOf(a stablehlo.Attribute) (values []int64, ok bool) {
	list, ok := a.(*stablehlo.DenseArrayAttr)
	if !ok {
		return nil, false
	}
	return list.Ints()
}

func (p *printer) printSliceRanges(op *stablehlo.Op, _ *element) bool {
	start, ok1 := intsOf(op.Attr("start_indices"))
	limit, ok2 := intsOf(op.Attr("limit_indices"))
	stride, ok3 := intsOf(op.Attr("strides"))
	if !ok1 || !ok2 || !ok3 || len(start) != len(limit) || len(start) != len(stride) {
		return false
	}
	p.beginElement()
	p.write("[")
	for i := range start {
		p.comma(i)
		p.dst = strconv.AppendInt(p.dst, start[i], 10)
		p.dst = strconv.AppendInt(append(p.dst, ':'), limit[i], 10)
		if stride[i] != 1 {
			p.dst = strconv.AppendInt(append(p.dst, ':'), stride[i], 10)
		}
	}
	p.write("]")
	return true
}

func (p *printer) printConvForm(op *stablehlo.Op, _ *element) bool {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok || !d.HasLabels() {
		return false
	}
	p.beginElement()
	p.dst = d.AppendLabels(p.dst)
	return true
}

func (p *printer) printWindow(op *stablehlo.Op, _ *element) bool {
	first := true
	for _, part := range windowParts {
		value := op.Attr(part.attr)
		if value == nil {
			continue
		}
		if !first {
			p.write(", ")
		}
		first = false
		p.write(part.text + " = ")
		switch v := value.(type) {
		case *stablehlo.DenseArrayAttr:
			p.dst = v.AppendList(p.dst)
		case *stablehlo.DenseElements:
			if !p.printPairs(v) {
				return false
			}
		default:
			return false
		}
	}
	p.space, p.punct = true, false
	return true
}

// printPairs writes [[1, 2], [3, 4]].
func (p *printer) printPairs(a *stablehlo.DenseElements) bool {
	dims := a.Dims()
	values, ok := a.Ints()
	if !ok || len(dims) != 2 || dims[1] != 2 || a.Elem() != stablehlo.I64 {
		return false
	}
	p.write("[")
	for i := 0; i+1 < len(values); i += 2 {
		p.comma(i)
		p.dst = stablehlo.AppendDims(p.dst, values[i:i+2])
	}
	p.write("]")
	return true
}
