package hlo

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sort"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Equal reports whether a and b are the same program; see Diff.
func Equal(a, b *Module) bool { return Diff(a, b) == "" }

// Diff compares two modules in depth and returns the first difference that it finds,
// in words, or "". It compares headers, debug tables, computations, paired by who
// calls them, and instructions, paired in post-order, with their names, shapes, layouts, operands,
// attributes, constants bit by bit, control edges and annotations. Positions in
// text, ids, and the order in which things were added do not count, nor does what HLO text
// has no place for: names, layouts and annotations inside a computation that an
// async-start wraps, and metadata that it does not print.
func Diff(a, b *Module) string {
	d := differ{comps: map[*Computation]*Computation{}, wrapped: wrappedComputations(a)}
	d.frames[0], d.frames[1] = stackFrames(a), stackFrames(b)
	d.config(a, b)
	ra, rb := a.roots(), b.roots()
	if !d.want("number of computations", len(a.computations), len(b.computations)) ||
		!d.want("number of computations that nobody calls", len(ra), len(rb)) {
		return d.text
	}
	for k := range ra {
		d.pair(ra[k], rb[k])
	}
	for len(d.todo) > 0 && d.text == "" {
		c := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		d.computation(c, d.comps[c])
	}
	d.where = ""
	d.want("entry", d.comps[a.entry] == b.entry, true)
	return d.text
}

// roots returns the computations that nobody calls, in the order added.
func (m *Module) roots() []*Computation {
	called := m.calledSet()
	return slices.DeleteFunc(slices.Clone(m.computations), func(c *Computation) bool { return called[c] })
}

func stackFrames(m *Module) map[int]bool {
	frames := map[int]bool{}
	for _, f := range m.Debug.StackFrames {
		frames[f.ID] = true
	}
	return frames
}

// wrappedComputations returns the computations that an async-start runs.
func wrappedComputations(m *Module) map[*Computation]bool {
	wrapped := map[*Computation]bool{}
	for _, c := range m.computations {
		for _, i := range c.Instructions() {
			if i.code == op.AsyncStart && len(i.called) == 1 {
				wrapped[i.called[0]] = true
			}
		}
	}
	return wrapped
}

// differ holds the first difference and how the parts of the modules correspond.
type differ struct {
	text    string
	where   string
	comps   map[*Computation]*Computation // of a, to those of b
	todo    []*Computation                // paired but not compared
	wrapped map[*Computation]bool
	frames  [2]map[int]bool // the stack frames of a and b
	instrs  []*Instruction  // of the other computation, by id in this
}

// pair notes that a in the one module stands where b stands in the other.
func (d *differ) pair(a, b *Computation) {
	if known := d.comps[a]; known != nil {
		d.wantText("called computation", known == b, known.name, b.name)
		return
	}
	d.comps[a] = b
	d.todo = append(d.todo, a)
}

// want notes a difference in what unless a and b are deeply equal.
func (d *differ) want(what string, a, b any) bool {
	return d.wantText(what, reflect.DeepEqual(a, b), a, b)
}

// wantText notes that a and b are not the same.
func (d *differ) wantText(what string, same bool, a, b any) bool {
	if !same && d.text == "" {
		d.text = fmt.Sprintf("%s%s: %v, and %v", d.where, what, a, b)
	}
	return same
}

func (d *differ) config(a, b *Module) {
	ca, cb := normalized(a), normalized(b)
	va, vb := reflect.ValueOf(ca), reflect.ValueOf(cb)
	d.want("name", a.Name, b.Name)
	for k := range va.NumField() {
		d.want(va.Type().Field(k).Name, va.Field(k).Interface(), vb.Field(k).Interface())
	}
	d.want("debug tables", a.Debug, b.Debug)
	d.recovery(a.OriginRecovery, b.OriginRecovery)
	if a.entry == nil || b.entry == nil {
		return
	}
	sa, sb := a.EntrySignature(), b.EntrySignature()
	d.wantText("entry computation layout", sa.Equal(sb), sa.StringWithLayout(), sb.StringWithLayout())
}

// normalized returns m's Config with the different ways to write a default made
// equal, and without what is compared by itself.
func normalized(m *Module) Config {
	c := m.Config
	c.Replicas, c.Partitions = max(c.Replicas, 1), max(c.Partitions, 1)
	c.EntryLayout, c.OriginRecovery = nil, nil
	c.PropagateToParameters = givenFlags(c.PropagateToParameters)
	c.PropagateToOutput = givenFlags(c.PropagateToOutput)
	c.InputOutputAlias = emptyToNil(slices.Clone(c.InputOutputAlias))
	sort.SliceStable(c.InputOutputAlias, func(i, j int) bool {
		return slices.Compare(c.InputOutputAlias[i].OutputIndex, c.InputOutputAlias[j].OutputIndex) < 0
	})
	for k := range c.InputOutputAlias {
		a := &c.InputOutputAlias[k]
		a.OutputIndex, a.ParamIndex = emptyToNil(a.OutputIndex), emptyToNil(a.ParamIndex)
	}
	c.BufferDonors = emptyToNil(slices.Clone(c.BufferDonors))
	for k := range c.BufferDonors {
		c.BufferDonors[k].Index = emptyToNil(c.BufferDonors[k].Index)
	}
	c.FrontendAttributes = emptyToNil(c.FrontendAttributes)
	return c
}

func givenFlags(flags []bool) []bool {
	if len(flags) == 1 && !flags[0] {
		return nil
	}
	return emptyToNil(flags)
}

func emptyToNil[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

func (d *differ) recovery(a, b []Recovery) {
	if !d.want("number of origin recoveries", len(a), len(b)) {
		return
	}
	for k := range a {
		d.want("origin recovery", [2]string{a[k].Old, a[k].New}, [2]string{b[k].Old, b[k].New})
		ma, mb := a[k].Module, b[k].Module
		if d.want("recovery module", ma != nil, mb != nil) && ma != nil {
			text := Diff(ma, mb)
			d.wantText("recovery module", text == "", text, "equal")
		}
	}
}

func (d *differ) computation(a, b *Computation) {
	d.where = "computation " + a.name + ": "
	if !d.wrapped[a] {
		d.want("name", a.name, b.name)
	}
	d.want("execution thread", a.ExecutionThread, b.ExecutionThread)
	ia, ib := a.PostOrder(), b.PostOrder()
	if !d.want("number of instructions", len(ia), len(ib)) {
		return
	}
	d.instrs = make([]*Instruction, a.nextID)
	for k := range ia {
		d.instrs[ia[k].id] = ib[k]
	}
	for k := range ia {
		d.where = "%" + ia[k].name + ": "
		d.instruction(ia[k], ib[k])
		if d.text != "" {
			return
		}
	}
	if a.Root() != nil {
		d.wantText("root", d.instrs[a.Root().id] == b.Root(), a.Root().name, b.Root().name)
	}
}

func (d *differ) instruction(a, b *Instruction) {
	if !d.want("opcode", a.code.String(), b.code.String()) {
		return
	}
	d.edges("operands", a.operands, b.operands)
	d.edges("control predecessors", a.ControlPredecessors(), b.ControlPredecessors())
	d.wantText("attributes", sameAttrs(a, b), attrsText(a.attrs), attrsText(b.attrs))
	if d.want("number of called computations", len(a.called), len(b.called)) {
		for k := range a.called {
			d.pair(a.called[k], b.called[k])
		}
	}
	if d.wrapped[a.comp] {
		d.wantText("shape", a.shape.EqualExceptLayout(b.shape), a.shape, b.shape)
		return
	}
	d.want("name", a.name, b.name)
	d.wantText("shape", sameShape(a.shape, b.shape), a.shape, b.shape)
	d.annotations(a, b)
}

// annotations compares what any instruction may carry.
func (d *differ) annotations(a, b *Instruction) {
	d.want("sharding", shardingText(a.Sharding), shardingText(b.Sharding))
	d.want("frontend attributes", emptyToNil(a.FrontendAttributes), emptyToNil(b.FrontendAttributes))
	d.want("metadata", printedMetadata(a.Metadata, d.frames[0]), printedMetadata(b.Metadata, d.frames[1]))
	d.want("backend config", a.BackendConfig, b.BackendConfig)
	d.want("statistics", a.Statistics, b.Statistics)
	d.want("origin", a.Origin, b.Origin)
}

// printedMetadata returns m as far as text shows it: without a stack frame that the
// module does not have, and not at all where only source positions are left.
func printedMetadata(m *Metadata, frames map[int]bool) Metadata {
	if m == nil {
		return Metadata{}
	}
	p := *m
	if !frames[p.StackFrameID] {
		p.StackFrameID = 0
	}
	if p.OpType == "" && p.OpName == "" && p.SourceFile == "" && p.SchedulingName == "" && p.StackFrameID == 0 {
		return Metadata{}
	}
	return p
}

// sameAttrs compares attributes. A comparison type that the operands have anyway equals none.
func sameAttrs(a, b *Instruction) bool {
	ca, compares := a.attrs.(*op.CompareAttrs)
	if !compares || len(a.operands) == 0 || len(b.operands) == 0 {
		return op.EqualAttrs(a.attrs, b.attrs)
	}
	cb, compares := b.attrs.(*op.CompareAttrs)
	if !compares {
		return false
	}
	ta, tb := op.DefaultComparison(a.operands[0].shape.Type), op.DefaultComparison(b.operands[0].shape.Type)
	return ca.Direction == cb.Direction && cmp.Or(ca.Type, ta) == cmp.Or(cb.Type, tb)
}

// sameShape is Equal, with two tuples without elements and invalid shapes the same too.
func sameShape(a, b shape.Shape) bool { return a.Equal(b) || a.String() == b.String() }

// edges compares lists of instructions by what corresponds.
func (d *differ) edges(what string, a, b []*Instruction) {
	if !d.want("number of "+what, len(a), len(b)) {
		return
	}
	for k := range a {
		d.wantText(what, d.instrs[a[k].id] == b[k], a[k].name, b[k].name)
	}
}

func attrsText(a op.Attrs) string {
	if a == nil {
		return "none"
	}
	var text []byte
	for _, f := range op.Plan(a) {
		if !f.IsZero(a) {
			text = append(append(append(text, ' '), f.Name...), '=')
			text = f.AppendValue(text, a)
		}
	}
	return fmt.Sprintf("{%.200s }", text)
}

func shardingText(s *op.Sharding) string {
	if s == nil {
		return ""
	}
	return s.String()
}
