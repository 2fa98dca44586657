package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Tuple returns the tuple of elements, of which there is at least one; see Builder.Tuple for
// the empty tuple. Spec: OPS.md section 4.
func Tuple(elements ...Op) Op {
	if len(elements) == 0 {
		return alone(op.Tuple).invalid()
	}
	return elements[0].b.Tuple(elements...)
}

// Tuple returns the tuple of elements, which may be empty. It fails if one is not of the
// computation of b. Spec: OPS.md section 4.
func (b *Builder) Tuple(elements ...Op) Op {
	if !b.open(op.Tuple) || !b.ownsAll(op.Tuple, elements) {
		return b.invalid()
	}
	return b.add(op.Tuple, elements, nil, shape.Shape{})
}

// GetTupleElement returns element index of the tuple x. It fails if x is no tuple or has no
// such element. Spec: OPS.md section 4.
func GetTupleElement(x Op, index int) Op {
	return apply(op.GetTupleElement, &op.GetTupleElementAttrs{Index: index}, x)
}

// elements returns x as n values: itself where n is 1 and it is no tuple, else its elements.
// After an error there is one value at least, to tell it.
func elements(x Op, n int) []Op {
	if !x.IsValid() {
		return x.b.invalids(max(n, 1))
	}
	if n == 1 && x.Type() != shape.Tuple {
		return []Op{x}
	}
	ops := make([]Op, n)
	for i := range ops {
		ops[i] = GetTupleElement(x, i)
	}
	return ops
}

// OptimizationBarrier returns x, an array or a tuple, in its shape. No optimisation moves
// anything across it. Spec: OPS.md section 4.
func OptimizationBarrier(x Op) Op { return apply(op.OptBarrier, nil, x) }

// Domain returns x as part of another domain: kind "sharding" says that values have sharding
// entry on the side of the operand and exit on that of the users. Spec: HLO domain.
func Domain(x Op, d op.DomainSpec) Op { return apply(op.Domain, &op.DomainAttrs{Domain: d}, x) }

// AfterAll returns a token that is there when all of tokens are; with none, at once. It fails
// if an operand is no token. Spec: OPS.md section 4.
func (b *Builder) AfterAll(tokens ...Op) Op {
	if !b.open(op.AfterAll) || !b.ownsAll(op.AfterAll, tokens) {
		return b.invalid()
	}
	return b.add(op.AfterAll, tokens, nil, shape.Shape{})
}

// AddDependency returns x, in its shape, which is there only after token. It fails if token
// is none. Spec: HLO add-dependency.
func AddDependency(x, token Op) Op { return apply(op.AddDependency, nil, x, token) }
