package mlirtext

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// This file reads the forms of attributes.

// parseCommaList reads operands with a comma after each.
func (p *parser) parseCommaList(st *opState, e *element) error {
	for {
		o, ok, err := p.parseOperand()
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		st.groups[e.slot] = append(st.groups[e.slot], o)
		if err := p.expect(","); err != nil {
			return err
		}
	}
}

// parseCallTarget reads a symbol as a string attribute.
func (p *parser) parseCallTarget(st *opState, e *element) error {
	pos := p.place()
	name, err := p.symbolName()
	if err != nil {
		return err
	}
	return p.setProp(st, pos, e.attr.Name, stablehlo.StringAttr{Value: name})
}

// parseTypedValue reads the attribute value, whose type is that of an operand or, if
// the form names none, of the result.
func (p *parser) parseTypedValue(st *opState, e *element) error {
	pos := p.place()
	a, err := p.parseAttribute()
	if err != nil {
		return err
	}
	t := typeOf(a)
	if t == nil {
		return p.errorAt(pos, "expected an attribute with a type, got %s", a)
	}
	if e.slot >= 0 {
		st.gTypes[e.slot] = append(st.gTypes[e.slot], t)
	} else {
		st.resultBuf = append(st.resultBuf[:0], t)
		st.results = st.resultBuf
	}
	return p.setProp(st, pos, "value", a)
}

// typeOf returns the type of an attribute that has one, else nil.
func typeOf(a stablehlo.Attribute) stablehlo.Type {
	switch a := a.(type) {
	case *stablehlo.DenseElements:
		return a.Type
	case *stablehlo.DenseStrings:
		return a.Type
	case *stablehlo.DenseResource:
		return a.Type
	case *stablehlo.SparseElements:
		return a.Type
	case stablehlo.IntegerAttr:
		return a.Type
	case stablehlo.FloatAttr:
		return a.Type
	case stablehlo.StringAttr:
		return a.Type
	case stablehlo.OpaqueAttr:
		return a.Type
	}
	return nil
}

// parseConstant reads {...} elements, or the rest of the generic form from ( on, which
// stands where the type of the result is not that of the elements.
func (p *parser) parseConstant(st *opState, _ *element) error {
	if p.accept("(") {
		if err := p.expect(")"); err != nil {
			return err
		}
		st.operands = []operand{}
		return p.parseConstantRest(st)
	}
	if err := p.parseAttrs(st); err != nil {
		return err
	}
	return p.parseTypedValue(st, &element{slot: -1})
}

// parseConstantRest reads <{...}> {...} : () -> type.
func (p *parser) parseConstantRest(st *opState) error {
	if p.accept("<") {
		props, err := p.parseEntries()
		if err != nil {
			return err
		}
		st.op.Props = props
		if err := p.expect(">"); err != nil {
			return err
		}
	}
	if err := p.parseAttrs(st); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	return p.parseSignature(st)
}

// parseExponentMantissa reads e5m10.
func (p *parser) parseExponentMantissa(st *opState, _ *element) error {
	pos := p.place()
	word := p.word()
	rest, ok1 := strings.CutPrefix(word, "e")
	exponent, mantissa, ok2 := strings.Cut(rest, "m")
	e, err1 := strconv.ParseInt(exponent, 10, 32)
	m, err2 := strconv.ParseInt(mantissa, 10, 32)
	if !ok1 || !ok2 || err1 != nil || err2 != nil {
		return p.errorAt(pos, "expected a format such as e5m10, got %q", word)
	}
	if err := p.setProp(st, pos, "exponent_bits", stablehlo.Int32(int32(e))); err != nil {
		return err
	}
	return p.setProp(st, pos, "mantissa_bits", stablehlo.Int32(int32(m)))
}

// parsePrecision reads [HIGH, DEFAULT].
func (p *parser) parsePrecision(st *opState, _ *element) error {
	pos := p.place()
	if err := p.expect("["); err != nil {
		return err
	}
	a := &stablehlo.ArrayAttr{}
	err := p.list("]", func() error {
		word, err := p.parseEnumWord(stablehlo.Precision)
		a.Elems = append(a.Elems, word)
		return err
	})
	if err != nil {
		return err
	}
	return p.setProp(st, pos, "precision_config", a)
}

// parsePrecisionAndAlgorithm reads , precision = [...], algorithm = <...>; either may
// be absent.
func (p *parser) parsePrecisionAndAlgorithm(st *opState, e *element) error {
	for p.accept(",") {
		pos := p.place()
		switch word := p.word(); word {
		case "precision":
			if err := p.expect("="); err != nil {
				return err
			}
			if err := p.parsePrecision(st, e); err != nil {
				return err
			}
		case "algorithm":
			if err := p.expect("="); err != nil {
				return err
			}
			if err := p.parseAlgorithm(st, pos); err != nil {
				return err
			}
		default:
			return p.errorAt(pos, "expected precision or algorithm, got %q", word)
		}
	}
	return nil
}

// parseAlgorithm reads <...> or the whole attribute.
func (p *parser) parseAlgorithm(st *opState, pos stablehlo.Pos) error {
	var a stablehlo.Attribute
	var err error
	if p.peek() == '<' {
		a, err = p.parseStruct(stablehlo.StructOf("stablehlo.dot_algorithm"))
	} else {
		a, err = p.parseAttribute()
	}
	if err != nil {
		return err
	}
	return p.setProp(st, pos, "algorithm", a)
}

// parseDotDims reads batching_dims = [0] x [0], contracting_dims = [2] x [1]; the
// first part may be absent.
func (p *parser) parseDotDims(st *opState, _ *element) error {
	pos := p.place()
	d := &stablehlo.DotDims{}
	var err error
	if p.accept("batching_dims") {
		if d.LHSBatching, d.RHSBatching, err = p.parseDimPair(); err != nil {
			return err
		}
		if err := p.expect(","); err != nil {
			return err
		}
	}
	if err := p.expect("contracting_dims"); err != nil {
		return err
	}
	if d.LHSContracting, d.RHSContracting, err = p.parseDimPair(); err != nil {
		return err
	}
	return p.setProp(st, pos, "dot_dimension_numbers", d)
}

// parseDimPair reads = [0] x [1].
func (p *parser) parseDimPair() (lhs, rhs []int64, err error) {
	if err := p.expect("="); err != nil {
		return nil, nil, err
	}
	if lhs, err = p.parseDims(); err != nil {
		return nil, nil, err
	}
	if err := p.expect("x"); err != nil {
		return nil, nil, err
	}
	rhs, err = p.parseDims()
	return lhs, rhs, err
}

// parseSliceRanges reads [start:limit, start:limit:stride].
func (p *parser) parseSliceRanges(st *opState, _ *element) error {
	pos := p.place()
	if err := p.expect("["); err != nil {
		return err
	}
	var start, limit, stride []int64
	err := p.list("]", func() error {
		from, err := p.int64()
		if err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		to, err := p.int64()
		if err != nil {
			return err
		}
		step := int64(1)
		if p.accept(":") {
			if step, err = p.int64(); err != nil {
				return err
			}
		}
		start, limit, stride = append(start, from), append(limit, to), append(stride, step)
		return nil
	})
	if err != nil {
		return err
	}
	for i, name := range []string{"start_indices", "limit_indices", "strides"} {
		values := [][]int64{start, limit, stride}[i]
		if err := p.setProp(st, pos, name, stablehlo.Int64Array(values...)); err != nil {
			return err
		}
	}
	return nil
}

// parseConvForm reads [b, 0, f]x[0, i, o]->[b, 0, f].
func (p *parser) parseConvForm(st *opState, _ *element) error {
	pos := p.place()
	a, err := p.parseConvDims()
	if err != nil {
		return err
	}
	return p.setProp(st, pos, "dimension_numbers", a)
}

// windowParts are the names of a window in text and of the attributes.
var windowParts = []struct{ text, attr string }{
	{"stride", "window_strides"}, {"pad", "padding"}, {"lhs_dilate", "lhs_dilation"},
	{"rhs_dilate", "rhs_dilation"}, {"reverse", "window_reversal"},
}

// parseWindow reads stride = [2, 2], pad = [[1, 1], [1, 1]], ... up to }.
func (p *parser) parseWindow(st *opState, _ *element) error {
	for first := true; p.peek() != '}'; first = false {
		if !first {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		if err := p.parseWindowPart(st); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) parseWindowPart(st *opState) error {
	pos := p.place()
	word := p.word()
	for _, part := range windowParts {
		if part.text != word {
			continue
		}
		if err := p.expect("="); err != nil {
			return err
		}
		a, err := p.parseWindowValue(st.info.Attr(part.attr).Kind)
		if err != nil {
			return err
		}
		return p.setProp(st, pos, part.attr, a)
	}
	return p.errorAt(pos, "expected stride, pad, lhs_dilate, rhs_dilate or reverse, got %q", word)
}

// parseWindowValue reads the list of one part.
func (p *parser) parseWindowValue(kind *stablehlo.AttrKind) (stablehlo.Attribute, error) {
	if kind.Name == "i64elements" {
		return p.parseWindowPairs()
	}
	if err := p.expect("["); err != nil {
		return nil, err
	}
	return p.parseArrayElements(kind.Type, "]")
}
