package op

import (
	"github.com/goxla/xla/shape"
)

// Where is a place among an instruction's attributes in text.
type Where uint8

// The places, in the order of text.
const (
	BeforeCalls Where = iota // in front of the called computations
	AfterCalls               // behind them
	LatePart                 // behind statistics
)

// PrintContext is what the text of attributes depends on besides the attributes. Nil is legal.
type PrintContext struct {
	// Operands are the operand shapes; compare leaves its default type out by the first.
	Operands []shape.Shape
}

// AppendAttrs appends those attributes of a that stand at where, each as
// `, name=value`, in the form of XLA's printer.
func AppendAttrs(dst []byte, a Attrs, where Where, ctx *PrintContext) []byte {
	fields := Plan(a)
	for i := range fields {
		if fields[i].Where() == where {
			dst = AppendField(dst, fields[i], a, ctx)
		}
	}
	return dst
}

// AppendField appends `, name=value`, or nothing where text leaves the attribute out.
func AppendField(dst []byte, f Field, a Attrs, ctx *PrintContext) []byte {
	if f.Flags&(FieldSilent|FieldBare) != 0 {
		return dst
	}
	p := f.Pointer(a)
	if f.isZero(p) && f.Flags&(FieldRequired|FieldAlways) == 0 || isDefaultComparison(p, ctx) {
		return dst
	}
	dst = append(dst, ", "...)
	dst = append(dst, f.Name...)
	dst = append(dst, '=')
	return f.appendValue(dst, p)
}

// AppendValue appends the value of the field without its name, also when it is the default.
func (f Field) AppendValue(dst []byte, a Attrs) []byte { return f.appendValue(dst, f.Pointer(a)) }

func (f *Field) appendValue(dst []byte, p any) []byte {
	if t, ok := p.(*TriState); ok && *t == Unset {
		return appendBool(dst, f.Flags.Has(FieldTrue))
	}
	return f.ops.text(dst, p)
}

// Where returns the place of the field in text.
func (f Field) Where() Where {
	switch {
	case f.Flags.Has(FieldAfter):
		return AfterCalls
	case f.Flags.Has(FieldLate):
		return LatePart
	}
	return BeforeCalls
}

// isDefaultComparison reports whether p is the type of a comparison that the operands have anyway.
func isDefaultComparison(p any, ctx *PrintContext) bool {
	t, ok := p.(*ComparisonType)
	return ok && ctx != nil && len(ctx.Operands) > 0 && *t == DefaultComparison(ctx.Operands[0].Type)
}

// DefaultComparison returns the comparison type that compare uses on elements of type t unless told otherwise.
func DefaultComparison(t shape.ElementType) ComparisonType {
	switch {
	case t.IsFloat() || t.IsComplex():
		return ComparisonFloat
	case t.IsSigned():
		return ComparisonSigned
	}
	return ComparisonUnsigned
}
