// Package pass holds the HLO to HLO transformations, one pass one file, and the pipeline
// that runs them. What the CPU compiler runs before planning is Pipeline; the command's
// `xla opt` runs any of All. Passes keep names, positions and metadata, so that an error
// still names the user's line. Every pass leaves a module that hlo.Verify accepts and that
// has the same values. Draws from the random state and the like keep the order that operands and
// control edges state; EffectOrder, which states all of it, comes first therefore.
package pass

import (
	"context"
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// Evaluate computes the value of an instruction on the values of its operands; the root package
// gives it, so that folding uses the evaluator without importing it.
type Evaluate func(ctx context.Context, i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error)

// Options are what passes ask about their surroundings. The zero Options is the default:
// no evaluator (folding does nothing), default limits.
type Options struct {
	// Evaluate computes constants; nil switches folding off.
	Evaluate Evaluate
	// FoldLimit is the most bytes that a folded constant may take; 0 is DefaultFoldLimit.
	FoldLimit int64
	// UnrollLimit is the most instructions that an unrolled loop may have; 0 is DefaultUnrollLimit.
	UnrollLimit int
	// AllowExcessPrecision lets convert pairs that only round be dropped.
	AllowExcessPrecision bool
	// Donated are the arrays among all of the arguments, by number, whose memory may be written to.
	Donated []int
	// Trace, if not nil, is told of every pass that changed the module, after it.
	Trace func(name string, m *hlo.Module)

	history *history
}

// history is what has happened to a module in the passes of a pipeline: one that found nothing to do need not look
// again as long as nothing changes.
type history struct {
	changes int
	idle    map[string]int // by name of a pass: how many changes there were when it found nothing to do
	sweeps  map[sweepKey]*sweep
}

// usualIdle is how many passes find nothing to do, about.
const usualIdle = 14

// sweepKey is a pass, by its name, and a computation that it goes over.
type sweepKey struct {
	pass string
	comp *hlo.Computation
}

// sweepOf returns what the pass called name has seen of c so far.
func (h *history) sweepOf(name string, c *hlo.Computation) *sweep {
	if h == nil {
		return &sweep{}
	}
	key := sweepKey{name, c}
	s := h.sweeps[key]
	if s == nil {
		s = &sweep{}
		h.sweeps[key] = s
	}
	return s
}

// needless reports whether p would find nothing to do.
func (h *history) needless(p Pass) bool {
	if h == nil {
		return false
	}
	n, ok := h.idle[p.Name]
	return ok && n == h.changes
}

// note notes what p did, when there had been so many changes before it. Those of a pass of passes are counted already.
func (h *history) note(p Pass, before int, changed bool) {
	switch {
	case h == nil:
	case !changed:
		h.idle[p.Name] = h.changes
	case h.changes == before:
		h.changes++
	}
}

// changesSoFar is the number of changes, of any history.
func (h *history) changesSoFar() int {
	if h == nil {
		return 0
	}
	return h.changes
}

// Limits that Options may replace.
const (
	DefaultFoldLimit   = 1 << 20
	DefaultUnrollLimit = 512
)

// Pass is one transformation.
type Pass struct {
	// Name is what `xla opt --passes` calls it, in lower case with hyphens.
	Name string
	// Doc says in one or two sentences what it does, for docs/PASSES.md.
	Doc string
	// About, if not nil, are operations: it finds nothing to do in a module that has none of them.
	About []op.Code
	// Run changes m and reports whether it did.
	Run func(ctx context.Context, m *hlo.Module, o Options) (changed bool, err error)
}

// Run runs passes over m in order. A schedule is dropped: what it says of the order of side
// effects becomes control edges (EffectOrder).
func Run(ctx context.Context, m *hlo.Module, o Options, passes ...Pass) (changed bool, err error) {
	if m.IsScheduled {
		changed = orderEffects(m)
	}
	for _, p := range passes {
		if ctx.Err() != nil {
			return changed, context.Cause(ctx)
		}
		if p.About != nil && !m.Has(p.About...) || o.history.needless(p) {
			continue
		}
		before := o.history.changesSoFar()
		c, err := p.Run(ctx, m, o)
		if err != nil {
			return changed, fmt.Errorf("pass %s: %w", p.Name, err)
		}
		o.history.note(p, before, c)
		if c && o.Trace != nil {
			o.Trace(p.Name, m)
		}
		changed = changed || c
	}
	return changed, nil
}

// Fixpoint is the pass called name that runs passes round after round until none changes
// the module, at most rounds times.
func Fixpoint(name, doc string, rounds int, passes ...Pass) Pass {
	return Pass{Name: name, Doc: doc, Run: func(ctx context.Context, m *hlo.Module, o Options) (bool, error) {
		changed := false
		for range rounds {
			c, err := Run(ctx, m, o, passes...)
			if err != nil || !c {
				return changed, err
			}
			changed = true
		}
		return changed, nil
	}}
}
