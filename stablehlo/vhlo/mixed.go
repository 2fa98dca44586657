package vhlo

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// Operations of sdy keep the types of the builtin dialect in a portable artifact, those of StableHLO have the
// types of VHLO. Where a value of one kind goes to an operation of the other stands a cast:
//
//	%1 = builtin.unrealized_conversion_cast %0 : !vhlo.tensor_v1<4x!vhlo.f32_v1> to tensor<4xf32>
//	%2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<4xf32>

const castName = "builtin.unrealized_conversion_cast"

// keepsTypes reports whether an operation has types of the builtin dialect.
func keepsTypes(o *stablehlo.Op) bool {
	dialect, _, _ := strings.Cut(o.Name, ".")
	return dialect == Shardy.Name || dialect == builtinDialect
}

// owner returns the operation that v is a result of, or that has it as an argument of a region.
func owner(v *stablehlo.Value) *stablehlo.Op {
	if v.Block != nil {
		return v.Block.Region.Op
	}
	return v.Op
}

// cast gives n, the copy of o in block b, operands of the kind of its own types.
func (c *converter) cast(o, n *stablehlo.Op, b *stablehlo.Block) {
	for i, v := range o.Operands {
		if from := owner(v); from == nil || keepsTypes(from) == keepsTypes(o) {
			continue
		}
		k := &stablehlo.Op{Name: castName, Operands: []*stablehlo.Value{n.Operands[i]}, Loc: o.Loc, Pos: o.Pos}
		k.AddResults(v.Type)
		b.Append(k)
		n.Operands[i] = k.Results[0]
	}
}
