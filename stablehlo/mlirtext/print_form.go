package mlirtext

import (
	"sort"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// fits reports whether the operation has what its row says, so that a form can show it:
// the operands, results and regions, and attributes of the right kinds.
func fits(op *stablehlo.Op, f *form) bool {
	if len(op.Successors) > 0 {
		return false
	}
	for i := range op.Info.Operands {
		if _, ok := op.Group(i); !ok {
			return false
		}
	}
	for i := range op.Info.Results {
		if _, ok := op.ResultGroup(i); !ok {
			return false
		}
	}
	if (len(op.Info.Operands) == 0 && len(op.Operands) > 0) || (len(op.Info.Results) == 0 && len(op.Results) > 0) {
		return false
	}
	if !regionsFit(op) {
		return false
	}
	for i := range op.Info.Attrs {
		a := &op.Info.Attrs[i]
		value := op.Attr(a.Name)
		switch {
		case value == nil && f.shown[a.Name] && !a.Optional:
			return false
		case value != nil && f.shown[a.Name] && !a.Kind.Check(value):
			return false
		}
	}
	for _, a := range op.Props {
		if op.Info.Attr(a.Name) == nil {
			return false // {...} would give it back as another attribute
		}
	}
	return true
}

// regionsFit reports whether the number of regions is that of the row.
func regionsFit(op *stablehlo.Op) bool {
	slots := op.Info.Regions
	if len(slots) > 0 && slots[len(slots)-1].Arity == stablehlo.Variadic {
		return len(op.Regions) >= len(slots)-1
	}
	return len(op.Regions) == len(slots)
}

// elementPrinter returns what writes an element of a kind.
func elementPrinter(k elementKind) func(*printer, *stablehlo.Op, *form, *element) bool {
	return [...]func(*printer, *stablehlo.Op, *form, *element) bool{
		elemLiteral:   (*printer).printLiteral,
		elemOperand:   (*printer).printOperandSlot,
		elemAttr:      (*printer).printAttrSlot,
		elemOperands:  (*printer).printAllOperands,
		elemAttrs:     (*printer).printAttrs,
		elemFn:        (*printer).printFn,
		elemTypeIn:    (*printer).printTypeIn,
		elemTypeOut:   (*printer).printTypeOut,
		elemOptional:  (*printer).printOptional,
		elemDirective: (*printer).printDirective,
	}[k]
}

func (p *printer) printElements(op *stablehlo.Op, f *form, elements []element) bool {
	for i := range elements {
		if !elementPrinter(elements[i].kind)(p, op, f, &elements[i]) {
			return false
		}
	}
	return true
}

// printLiteral writes punctuation or a word, with the spaces that MLIR puts around it.
func (p *printer) printLiteral(_ *stablehlo.Op, _ *form, e *element) bool {
	if p.space && p.spaceBefore(e.text) {
		p.write(" ")
	}
	p.write(e.text)
	p.space = len(e.text) != 1 || !strings.Contains("<({[", e.text)
	p.punct = !isLetter(e.text[0])
	return true
}

// spaceBefore reports whether a literal takes a space before it.
func (p *printer) spaceBefore(text string) bool {
	if len(text) != 1 && text != "->" {
		return true
	}
	if p.punct {
		return !strings.Contains(">)}],", text[:1])
	}
	return !strings.Contains("<>(){}[],", text[:1])
}

// beginElement writes the space before an element that is no literal.
func (p *printer) beginElement() {
	if p.space || !p.punct {
		p.write(" ")
	}
	p.space, p.punct = true, false
}

func (p *printer) printOperandSlot(op *stablehlo.Op, _ *form, e *element) bool {
	values, ok := op.Group(e.slot)
	if !ok {
		return false
	}
	if len(values) > 0 || p.space {
		p.beginOperands(values)
	}
	p.printOperands(values)
	return true
}

// beginOperands is beginElement for a run, which may be empty.
func (p *printer) beginOperands(values []*stablehlo.Value) {
	if len(values) > 0 {
		p.beginElement()
		return
	}
	p.space, p.punct = true, false
}

func (p *printer) printAllOperands(op *stablehlo.Op, _ *form, _ *element) bool {
	p.beginElement()
	p.printOperands(op.Operands)
	return true
}

func (p *printer) printFn(op *stablehlo.Op, _ *form, _ *element) bool {
	p.beginElement()
	p.printSignature(op)
	return true
}

func (p *printer) printTypeIn(op *stablehlo.Op, _ *form, e *element) bool {
	values, ok := op.Group(e.slot)
	p.beginElement()
	p.printTypes(values)
	return ok
}

func (p *printer) printTypeOut(op *stablehlo.Op, _ *form, e *element) bool {
	values, ok := op.ResultGroup(e.slot)
	p.beginElement()
	p.printTypes(values)
	return ok
}

// printOptional writes a part if the attribute in it has a value that is not the
// default, or the operands in it are not empty.
func (p *printer) printOptional(op *stablehlo.Op, f *form, e *element) bool {
	for i := range e.group {
		switch g := &e.group[i]; {
		case g.attr != nil:
			value := op.Attr(g.attr.Name)
			if value == nil || isDefault(g.attr, value) {
				return true
			}
			return p.printElements(op, f, e.group)
		case g.kind == elemOperand || g.kind == elemTypeIn:
			if values, ok := op.Group(g.slot); !ok || len(values) == 0 {
				return ok
			}
			return p.printElements(op, f, e.group)
		}
	}
	return p.printElements(op, f, e.group)
}

// isDefault reports whether value is what an absent attribute stands for.
func isDefault(a *stablehlo.AttrSlot, value stablehlo.Attribute) bool {
	return a.Default != nil && stablehlo.SameAttribute(a.Default, value)
}

func (p *printer) printDirective(op *stablehlo.Op, _ *form, e *element) bool {
	return e.directive.print(p, op, e)
}

// printAttrs writes {...}: the attributes that the form does not show, without those
// that have their default value.
func (p *printer) printAttrs(op *stablehlo.Op, f *form, _ *element) bool {
	p.printDict(restOf(op, f.shown))
	p.punct = false
	return true
}

// restOf returns the attributes that are not shown, sorted by name.
func restOf(op *stablehlo.Op, shown map[string]bool) []stablehlo.NamedAttribute {
	if len(op.Props) == 0 {
		return op.Attrs
	}
	var list []stablehlo.NamedAttribute
	for _, a := range op.Props {
		slot := op.Info.Attr(a.Name)
		if !shown[a.Name] && (slot == nil || !isDefault(slot, a.Value)) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return op.Attrs
	}
	list = append(list, op.Attrs...)
	sort.SliceStable(list, func(a, b int) bool { return list[a].Name < list[b].Name })
	return list
}

// printAttrSlot writes an attribute as its kind is written.
func (p *printer) printAttrSlot(op *stablehlo.Op, _ *form, e *element) bool {
	value := op.Attr(e.attr.Name)
	if value == nil {
		return false
	}
	p.beginElement()
	switch v := value.(type) {
	case stablehlo.EnumAttr:
		p.write(v.Word())
	case *stablehlo.DenseArrayAttr:
		p.dst = v.AppendList(p.dst)
	case stablehlo.IntegerAttr:
		p.dst = v.AppendValue(p.dst)
	case stablehlo.FloatAttr:
		p.dst = v.AppendValue(p.dst)
	default:
		p.dst = value.AppendText(p.dst)
	}
	return true
}
