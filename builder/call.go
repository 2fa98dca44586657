package builder

import (
	"strconv"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// The functions of this file take an operand at least; the methods of Builder of the same
// names take any number.

// builderOf returns the builder of the first of operands that has one.
func builderOf(operands []Op) *Builder {
	for _, x := range operands {
		if x.b != nil {
			return x.b
		}
	}
	return nil
}

// Call returns the result of f on operands. It fails if their number or shapes are not those
// of f's parameters. Spec: OPS.md section 4.
func Call(f Computation, operands ...Op) Op { return builderOf(operands).Call(f, operands...) }

// Call is the function Call for any number of operands.
func (b *Builder) Call(f Computation, operands ...Op) Op {
	return b.callComputation(op.Call, f, operands, &op.CallAttrs{})
}

// callComputation adds an operation that has f as its only computation.
func (b *Builder) callComputation(code op.Code, f Computation, operands []Op, attrs op.Attrs) Op {
	if !b.open(code) || !b.ownsAll(code, operands) || !b.usable(code, f) {
		return b.invalid()
	}
	return b.add(code, operands, attrs, shape.Shape{}, f)
}

// CompositeCall returns the result of f on operands, and says that f is a decomposition of
// the operation called name, which may take its place. Attributes are a dictionary in braces,
// "" for none; version is not negative. It fails where Call does and if name is empty.
// Spec: OPS.md section 4.
func CompositeCall(f Computation, operands []Op, name, attributes string, version int) Op {
	return builderOf(operands).CompositeCall(f, operands, name, attributes, version)
}

// CompositeCall is the function CompositeCall for any number of operands.
func (b *Builder) CompositeCall(f Computation, operands []Op, name, attributes string, version int) Op {
	if !b.open(op.Call) {
		return b.invalid()
	}
	if name == "" {
		b.errorf(op.Call, "composite.name", "", "expected a name, got none")
		return b.invalid()
	}
	if version < 0 {
		b.errorf(op.Call, "composite.version", "", "expected at least 0, got %d", version)
		return b.invalid()
	}
	if attributes == "" {
		attributes = "{}"
	}
	x := b.callComputation(op.Call, f, operands, &op.CallAttrs{IsComposite: true})
	return x.WithFrontendAttribute("composite.name", name).
		WithFrontendAttribute("composite.attributes", attributes).
		WithFrontendAttribute("composite.version", strconv.Itoa(version))
}

// Fusion returns the result of f on operands, as one unit for a compiler: kind is kLoop,
// kInput, kOutput or kCustom. It fails where Call does and if f has an instruction that
// nothing uses. Spec: HLO fusion.
func Fusion(kind op.Word, f Computation, operands ...Op) Op {
	return builderOf(operands).Fusion(kind, f, operands...)
}

// Fusion is the function Fusion for any number of operands.
func (b *Builder) Fusion(kind op.Word, f Computation, operands ...Op) Op {
	return b.callComputation(op.Fusion, f, operands, &op.FusionAttrs{Kind: kind})
}

// CustomCallOptions are what a custom call has besides target, operands and result shape.
type CustomCallOptions struct {
	// BackendConfig is passed on to the handler: text of its own making, or a JSON object.
	BackendConfig string
	// Called are the computations that the handler may run.
	Called []Computation
	// Attrs holds everything else; its Target is not looked at.
	Attrs op.CustomCallAttrs
}

// CustomCall returns a value of shape s that the handler called target makes of operands. It
// fails if layouts, aliases or computations in the options do not fit. Spec: OPS.md section 4.
func CustomCall(target string, operands []Op, s shape.Shape, options ...CustomCallOptions) Op {
	return builderOf(operands).CustomCall(target, operands, s, options...)
}

// CustomCall is the function CustomCall for any number of operands.
func (b *Builder) CustomCall(target string, operands []Op, s shape.Shape, options ...CustomCallOptions) Op {
	const code = op.CustomCall
	if !b.open(code) || !b.ownsAll(code, operands) {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalid()
	}
	if err := s.Check(); err != nil {
		b.errorf(code, "", "custom_call_o1", "expected a valid result shape: %w", err)
		return b.invalid()
	}
	for _, f := range o.Called {
		if !b.usable(code, f) {
			return b.invalid()
		}
	}
	attrs := o.Attrs
	attrs.Target = target
	return b.add(code, operands, &attrs, s, o.Called...).WithBackendConfig(o.BackendConfig)
}
