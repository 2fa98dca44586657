package hlotext

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// orderEntryLayout gives m, whose text has no entry_computation_layout, the one that XLA
// reads. It is the layouts of the entry computation, except where the header sets another
// part of the module's configuration: then dimensions are in default order, while tiles,
// memory space and the like stay.
func orderEntryLayout(m *hlo.Module) {
	if m.EntryLayout != nil || !setsConfiguration(&m.Config) {
		return
	}
	own := m.EntrySignature()
	layout := shape.Program{Result: inDefaultOrder(own.Result)}
	for _, s := range own.Params {
		layout.Params = append(layout.Params, inDefaultOrder(s))
	}
	own.Names = nil
	if !layout.Equal(own) {
		m.EntryLayout = &layout
	}
}

func setsConfiguration(c *hlo.Config) bool {
	return c.AliasPassthroughParams || c.Replicas > 1 || c.Partitions > 1 ||
		c.PropagateToParameters != nil || c.PropagateToOutput != nil
}

// inDefaultOrder returns s with the dimensions of each array in default order.
func inDefaultOrder(s shape.Shape) shape.Shape {
	if s.Layout != nil && s.IsArray() {
		layout := *s.Layout
		layout.MinorToMajor = shape.DefaultMinorToMajor(len(s.Dims))
		return s.WithLayout(&layout)
	}
	if s.IsTuple() {
		elems := make([]shape.Shape, len(s.Elems))
		for k, e := range s.Elems {
			elems[k] = inDefaultOrder(e)
		}
		s.Elems = elems
	}
	return s
}
