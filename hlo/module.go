package hlo

import (
	"slices"
	"sync/atomic"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Error is the error type of the project; see op.Error.
type Error = op.Error

// Pos is a place in program text; see op.Pos.
type Pos = op.Pos

// Module is a whole program: computations, one of which is the entry, and what the
// header says of them.
type Module struct {
	Name string
	Config
	// File is the name of the text that the module was read from, for errors; may be empty.
	File string
	// Debug holds the source tables that metadata refers to.
	Debug DebugTables
	// Unknown holds the fields of the binary form that have no place in a module, as they
	// were read; the writer gives them back. Computations and instructions have theirs.
	Unknown string

	computations []*Computation
	entry        *Computation
	names        nameSet // of instructions
	compNames    nameSet // of computations
	nextID       int     // of a computation
	edits        int     // see Edits
	counts       [op.NumCodes]int32
	// order is that of PostOrder, once it was asked for.
	order atomic.Pointer[callOrder]
}

// Config is what a module's header holds besides its name. The zero Config is the default.
type Config struct {
	// IsScheduled: the order of the instructions is the order of execution.
	IsScheduled bool
	// Replicas and Partitions are replica_count and num_partitions; 0 means 1.
	Replicas, Partitions int
	// EntryLayout is entry_computation_layout; nil: that of the entry computation.
	EntryLayout            *shape.Program
	InputOutputAlias       []Alias
	BufferDonors           []Donor
	AliasPassthroughParams bool
	FrontendAttributes     []KeyValue
	// SPMD sharding propagation flags, one entry or one a leaf; nil: absent.
	PropagateToParameters, PropagateToOutput []bool
	// OriginRecovery is origin_recovery_table, sorted by Old.
	OriginRecovery []Recovery
	// DebugAttributes is the raw text of debug_attributes, braces included.
	DebugAttributes string
}

// Recovery says that the value Old of the user's program, which was optimised away, is what Module
// gives for the value New, or New itself where Module is nil. Both are in the form of Origin's
// leaves: `"add.3"` or `"while" {0}`.
type Recovery struct {
	Old, New string
	Module   *Module
}

// Alias says that a part of the result may or must share the buffer of a part of a parameter.
type Alias struct {
	OutputIndex []int
	Param       int
	ParamIndex  []int
	Must        bool
}

// Donor is a part of a parameter whose buffer the module may reuse.
type Donor struct {
	Param int
	Index []int
}

// KeyValue is one frontend attribute. A value that is a brace-balanced dictionary prints without quotes.
type KeyValue struct{ Key, Value string }

// NewModule returns an empty module.
func NewModule(name string) *Module { return &Module{Name: name} }

// AddComputation appends an empty computation called name. A name that is taken gets a suffix.
func (m *Module) AddComputation(name string) *Computation {
	c := &Computation{module: m, label: m.compNames.take(name), id: m.nextID}
	m.nextID++
	m.edits++
	m.computations = append(m.computations, c)
	return c
}

// Computations returns the computations in the order in which they were added; the
// slice is not to be changed.
func (m *Module) Computations() []*Computation { return m.computations }

// Computation returns the computation called name, or nil.
func (m *Module) Computation(name string) *Computation {
	for _, c := range m.computations {
		if c.name == name {
			return c
		}
	}
	return nil
}

// Entry returns the entry computation, or nil.
func (m *Module) Entry() *Computation { return m.entry }

// SetEntry makes c the entry computation.
func (m *Module) SetEntry(c *Computation) { m.entry = c }

// RemoveComputation removes c, which no instruction may call any more.
func (m *Module) RemoveComputation(c *Computation) {
	if k := slices.Index(m.computations, c); k >= 0 {
		m.computations = slices.Delete(m.computations, k, k+1)
		m.edits++
		m.release(c)
	}
}

// RemoveUnused removes the computations that are not called from the entry by any
// way, and returns how many went.
func (m *Module) RemoveUnused() int {
	w := newCallWalker(m)
	w.walk(m.entry)
	before := len(m.computations)
	m.computations = slices.DeleteFunc(m.computations, func(c *Computation) bool {
		if w.mark(c).state == unseen {
			m.release(c)
			return true
		}
		return false
	})
	if len(m.computations) < before {
		m.edits++
	}
	return before - len(m.computations)
}

// Has reports whether an instruction of m is of one of codes.
func (m *Module) Has(codes ...op.Code) bool {
	return slices.ContainsFunc(codes, func(c op.Code) bool { return m.counts[c] > 0 })
}

// ReplaceEach puts what by returns for an instruction in its place, and takes it out; nil leaves it. What by adds is
// not looked at. It reports whether there were any.
func (m *Module) ReplaceEach(by func(i *Instruction) *Instruction) (changed bool) {
	for _, c := range m.Computations() {
		for _, i := range slices.Clone(c.Instructions()) {
			n := by(i)
			if n == nil {
				continue
			}
			i.ReplaceAllUsesWith(n)
			c.Remove(i)
			changed = true
		}
	}
	return changed
}

// release gives back the names of c and of its instructions.
func (m *Module) release(c *Computation) {
	c.release()
	for _, i := range c.Instructions() {
		i.release()
		m.counts[i.code]--
	}
}

// EntrySignature returns the parameter and result shapes as a caller sees them:
// those of EntryLayout where it is given, with the names of the parameters.
func (m *Module) EntrySignature() shape.Program {
	sig := m.entry.Signature()
	if m.EntryLayout == nil {
		return sig
	}
	names := sig.Names
	sig = *m.EntryLayout
	if sig.Names == nil && len(names) == len(sig.Params) {
		sig.Names = names
	}
	return sig
}
