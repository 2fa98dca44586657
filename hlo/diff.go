package hlo

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Equal reports whether a and b are the same program; see Diff.
func Equal(a, b *Module) bool { return Diff(a, b) == "" }

// Diff compares two modules in depth and returns the first difference that it finds,
// in words, or "". It compares headers, debug tables, and, paired in post-order,
// computations and instructions with their names, shapes, layouts, operands, attributes, constants
// bit by bit, control edges and annotations. Positions in text, ids, and the order in
// which things were added do not count, nor do names inside a computation that an
// async-start wraps, for which text has no place.
func Diff(a, b *Module) string {
	d := differ{comps: map[*Computation]*Computation{}, wrapped: wrappedComputations(a)}
	d.config(a, b)
	ca, cb := a.PostOrder(), b.PostOrder()
	if !d.want("number of computations", len(ca), len(cb)) {
		return d.text
	}
	for k := range ca {
		d.comps[ca[k]] = cb[k]
	}
	d.want("entry", d.comps[a.entry] == b.entry, true)
	for k := range ca {
		if d.text == "" {
			d.computation(ca[k], cb[k])
		}
	}
	return d.text
}

// wrappedComputations returns the computations that an async-start runs.
func wrappedComputations(m *Module) map[*Computation]bool {
	wrapped := map[*Computation]bool{}
	for _, c := range m.computations {
		for _, i := range c.instrs {
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
	comps   map[*Computation]*Computation
	wrapped map[*Computation]bool
	instrs  []*Instruction // of the other computation, by id in this
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
	c.InputOutputAlias = emptyToNil(slices.SortedStableFunc(slices.Values(c.InputOutputAlias), func(x, y Alias) int {
		return slices.Compare(x.OutputIndex, y.OutputIndex)
	}))
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
	if !d.wrapped[a.comp] {
		d.want("name", a.name, b.name)
	}
	d.wantText("shape", sameShape(a.shape, b.shape), a.shape, b.shape)
	d.edges("operands", a.operands, b.operands)
	d.edges("control predecessors", a.ctrlPreds, b.ctrlPreds)
	d.wantText("attributes", op.EqualAttrs(a.attrs, b.attrs), attrsText(a.attrs), attrsText(b.attrs))
	if d.want("number of called computations", len(a.called), len(b.called)) {
		for k := range a.called {
			d.wantText("called computation", d.comps[a.called[k]] == b.called[k], a.called[k].name, b.called[k].name)
		}
	}
	d.want("sharding", shardingText(a.Sharding), shardingText(b.Sharding))
	d.want("frontend attributes", emptyToNil(a.FrontendAttributes), emptyToNil(b.FrontendAttributes))
	d.want("metadata", a.Metadata, b.Metadata)
	d.want("backend config", a.BackendConfig, b.BackendConfig)
	d.want("statistics", a.Statistics, b.Statistics)
	d.want("origin", a.Origin, b.Origin)
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
