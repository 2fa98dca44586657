package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// ShardingRemover removes the marks that tell a partitioner where arrays lie: on one
// device, or in a program that is partitioned already, they change nothing.
func ShardingRemover() Pass {
	return Pass{
		Name: "sharding-remover",
		Doc: "Removes custom calls and domains that only mark shardings, memory spaces or layouts, and the sharding " +
			"attributes: the program is for one device or partitioned already.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			changed, err := rewriteModule(m, dropMark)
			for _, c := range m.Computations() {
				for _, i := range c.Instructions() {
					changed = changed || i.Sharding != nil
					i.Sharding = nil
				}
			}
			return changed, err
		},
	}
}

// marks are the custom calls whose value is their operand.
var marks = map[string]bool{
	"annotate_device_placement": true, "LayoutConstraint": true, "MoveToDevice": true, "MoveToHost": true,
	"Sharding": true, "SPMDFullToShardShape": true, "SPMDShardToFullShape": true,
}

func dropMark(i *hlo.Instruction) (*hlo.Instruction, error) {
	isMark := i.Code() == op.Domain
	if a, ok := i.Attrs().(*op.CustomCallAttrs); ok {
		isMark = marks[a.Target] && len(i.Operands()) == 1
	}
	if isMark && i.Shape().EqualIgnoringLayout(i.Operand(0).Shape()) {
		return i.Operand(0), nil
	}
	return nil, nil
}
