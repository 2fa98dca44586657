package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// simplificationRounds bounds the rounds of the simplification.
const simplificationRounds = 12

// Pipeline is what the CPU compiler runs before it plans, as one pass.
func Pipeline() Pass {
	return sequence("pipeline", "What the CPU compiler runs before it plans: the stages above.", Stages()...)
}

// Stages returns the passes of the pipeline in order. The comments say what each needs of
// those in front of it.
func Stages() []Pass {
	return []Pass{
		EffectOrder(),    // first: no other pass keeps an order that nothing states
		ControlRemover(), // behind it, as the order may hang on instructions without effects
		ShardingRemover(),
		FusionInliner(), // three that put all that is computed into few computations
		AsyncToSync(),
		ScanExpander(), // in front of the inliner: an iteration is a call
		CallInliner(),
		DCE(), // without computations that nobody calls, which count as callers
		BatchNormExpander(),
		BitcastExpander(),
		DotAlgorithmExpander(),
		RngExpander(), // behind the order of effects, which its calls take over
		SortKeyExpander(),
		Simplification(),
		OptimizationBarrierRemover(), // what a barrier held up comes together now
		Simplification(),
		SliceUpdateJoiner(), // of what loops begin with and slices are
		IndexNarrower(),     // in front of what makes many reductions of one
		TreeReduction(),     // which the simplification would take back
		ArgReduction(),      // of parts too
		TupleSimplifier(),
		WhileLoopTripCount(),
		DCE(),
	}
}

// Simplification is the passes of SimplificationRound, round after round.
func Simplification() Pass {
	return Fixpoint("simplification", "Passes that make room for each other, round after round until nothing changes.",
		simplificationRounds, SimplificationRound()...)
}

// SimplificationRound returns the passes that make room for each other, in the order of one round.
func SimplificationRound() []Pass {
	return []Pass{
		CallGraphFlattener(), // loops that were copied, for the passes on loops
		TupleSimplifier(),    // in front of those on loops too: initial states are seen
		ZeroSizedElimination(),
		ConcatenationSplitter(), // in front of what takes slices of concatenations apart
		AlgebraicSimplifier(),
		GatherSimplifier(),
		ScatterSimplifier(),
		DotSimplifier(),
		DotCanonicalizer(),
		ConvolutionCanonicalizer(),
		CSE(),
		ConstantFolding(), // what is equal is computed once
		WhileLoopConstantSinking(),
		WhileLoopRanges(),      // behind it: limits are constants
		WhileLoopStackJoiner(), // behind what tells that an index is one
		WhileLoopDeadState(),
		WhileLoopStateSplitter(),
		WhileLoopInvariantCodeMotion(),
		WhileLoopUnroller(),
		ConditionalValues(), // in front of what counts what branches compute
		ConditionalSimplifier(),
		ConditionalJoiner(), // of those that are left
		DCE(),
	}
}

// sequence is the pass called name that runs passes one after the other. No two different ones have the same name.
func sequence(name, doc string, passes ...Pass) Pass {
	return Pass{Name: name, Doc: doc, Run: func(ctx context.Context, m *hlo.Module, o Options) (bool, error) {
		o.history = &history{idle: make(map[string]int, usualIdle), sweeps: map[sweepKey]*sweep{}}
		return Run(ctx, m, o, passes...)
	}}
}
