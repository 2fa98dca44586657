package pass

import (
	"fmt"
	"slices"
	"sort"
)

// All returns every pass by itself, in the order of names, with Pipeline as "pipeline".
func All() []Pass {
	list := append(Simplifiers(),
		AlgebraicSimplifier(), ArgReduction(), AsyncToSync(), BatchNormExpander(), BitcastExpander(),
		CSE(), CallGraphFlattener(), CallInliner(),
		ConcatenationSplitter(), ConditionalJoiner(), ConditionalSimplifier(), ConditionalValues(),
		ConstantFolding(), ControlRemover(),
		ConvolutionCanonicalizer(), DCE(), DotAlgorithmExpander(), DotCanonicalizer(), DotSimplifier(), EffectOrder(),
		FusionInliner(), GatherSimplifier(), IndexNarrower(), OptimizationBarrierRemover(), Pipeline(), RngExpander(),
		ScanExpander(), ScatterSimplifier(), ShardingRemover(), Simplification(), SliceUpdateJoiner(),
		SortKeyExpander(), TreeReduction(), TupleSimplifier(), WhileLoopConstantSinking(), WhileLoopDeadState(),
		WhileLoopInvariantCodeMotion(), WhileLoopRanges(), WhileLoopStackJoiner(), WhileLoopStateSplitter(),
		WhileLoopTripCount(), WhileLoopUnroller(), ZeroSizedElimination())
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// ByName returns the passes of the given names, in order.
func ByName(names ...string) ([]Pass, error) {
	all := All()
	var list []Pass
	for _, name := range names {
		k := slices.IndexFunc(all, func(p Pass) bool { return p.Name == name })
		if k < 0 {
			return nil, fmt.Errorf("expects the name of a pass (xla opt --list), got %q", name)
		}
		list = append(list, all[k])
	}
	return list, nil
}
