package cpu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/cpu/plan"
)

// Memory is how many bytes the arrays of a run take. Values of unknown sizes are not counted.
type Memory struct {
	// Arguments and Results are what is passed, Temporary what a run needs besides, and Constants what all
	// runs share.
	Arguments, Results, Temporary, Constants int64
	// Peak is the most that a run takes at one time, arguments and constants left out.
	Peak int64
}

// Memory returns how much memory a run takes.
func (p *Program) Memory() Memory { return memoryOf(p.plan, p.pool.Threads()) }

func memoryOf(p *plan.Plan, threads int) Memory {
	own := int64(0) // what the algorithm that takes most of its own does
	collect(p.Body, func(st plan.Step) {
		if h, ok := st.(*plan.HostStep); ok && h.Native != nil && h.Native.Scratch != nil {
			own = max(own, h.Native.Scratch(threads))
		}
	})
	m := Memory{Temporary: p.ArenaBytes + own}
	for _, b := range p.Buffers {
		switch b.Kind {
		case plan.Param:
			m.Arguments += b.Bytes
		case plan.Const:
			m.Constants += b.Bytes
		case plan.Output:
			m.Results += b.Bytes
		}
	}
	m.Peak = m.Temporary + m.Results
	return m
}

// namedBuffers is how many buffers the error of a limit names.
const namedBuffers = 3

// checkMemory returns an error, at the instruction with the largest value, if a run takes more than limit bytes. It
// names the largest values.
func checkMemory(p *plan.Plan, limit int64, threads int) error {
	need := memoryOf(p, threads).Peak
	if limit <= 0 || need <= limit {
		return nil
	}
	var list []*plan.Buffer
	for n := range p.Buffers {
		if b := &p.Buffers[n]; b.Kind == plan.Temp || b.Kind == plan.Output {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *plan.Buffer) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var most []string
	for _, b := range list[:min(namedBuffers, len(list))] {
		name := "a value"
		if b.Of != nil {
			name = b.Of.Name()
		}
		most = append(most, fmt.Sprintf("%d for %s %s", b.Bytes, name, b.Shape.StringNoLayout()))
	}
	err := fmt.Errorf("%s needs %d bytes for its values, most of them %s: expects at most %d (the memory limit)",
		p.Name, need, strings.Join(most, ", "), limit)
	if len(list) == 0 || list[0].Of == nil {
		return err
	}
	return list[0].Of.Errorf("", "", "%w", err)
}

// Evaluates reports whether the program has instructions for the evaluator: else runs need none.
func (p *Program) Evaluates() bool { return p.evaluates }
