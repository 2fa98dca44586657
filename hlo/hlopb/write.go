package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Append appends m in binary form, an HloModuleProto that XLA reads. Equal modules give
// equal bytes. Computations and instructions have their places in m as ids; they are
// written so that each stands behind what it refers to. It fails where m holds
// something that the form has no place for: text that is not UTF-8, or more than
// MaxBytes.
func Append(dst []byte, m *hlo.Module) ([]byte, error) {
	w := &writer{dst: dst, base: len(dst), schema: tables()}
	w.module(m)
	if w.err == nil && !w.room(0) {
		w.fail("expects a program of at most %d bytes in binary form, got more", MaxBytes)
	}
	if w.err != nil {
		return dst, &op.Error{Pos: op.Pos{File: m.File}, Err: w.err}
	}
	return w.dst, nil
}

// module appends the fields of m.
func (w *writer) module(m *hlo.Module) {
	raw := w.header(m)
	ids := numberInstructions(m)
	comps := m.PostOrder()
	if m.IsScheduled {
		raw.scheduled = true
		for _, c := range m.Computations() {
			if !c.IsFused() {
				raw.schedule = append(raw.schedule, sequence{ids.computation[c], ids.of(c.PostOrder())})
			}
		}
	}
	if e := m.Entry(); e != nil {
		raw.entryName, raw.entryID = e.Name(), ids.computation[e]
		sig := m.EntrySignature()
		raw.program = &sig
	}
	raw.bodies.write = func(w *writer, num protowire.Number) {
		for _, c := range comps {
			w.present(num, func() { w.computation(c, ids) })
		}
	}
	w.schema.module.write(w, &raw)
	w.dst = append(w.dst, m.Unknown...)
}

// header returns what m has besides computations.
func (w *writer) header(m *hlo.Module) module {
	raw := module{name: m.Name, attributes: m.FrontendAttributes, donors: m.BufferDonors,
		marks: w.debugEntries(m.DebugAttributes), debug: w.debugTables(m.Debug)}
	for _, a := range m.InputOutputAlias {
		kind := mayAlias
		if a.Must {
			kind = mustAlias
		}
		raw.aliases = append(raw.aliases, rawAlias{a, kind})
	}
	for _, e := range m.OriginRecovery {
		raw.recoveries = append(raw.recoveries, rawRecovery{w.recovered(e.Old), w.recovered(e.New), e.Module})
	}
	return raw
}

// mustAlias is the number of the kind of alias that XLA may not ignore.
const mustAlias = 2

// recovered returns the value that text says: "a" {0}.
func (w *writer) recovered(text string) originValue {
	s := scanner{text: text}
	v := s.originValue()
	if s.bad || s.text != "" {
		w.fail("expects a value in a table of recoveries, got %q", text)
		return originValue{}
	}
	return *v
}

// debugTables returns d with references by place in the tables, as the proto has them.
func (w *writer) debugTables(d hlo.DebugTables) hlo.DebugTables {
	files, functions, locations := map[int]int{}, map[int]int{}, map[int]int{}
	for i, n := range d.FileNames {
		files[n.ID] = i + 1
	}
	for i, n := range d.FunctionNames {
		functions[n.ID] = i + 1
	}
	out := hlo.DebugTables{FileNames: d.FileNames, FunctionNames: d.FunctionNames}
	for i, l := range d.FileLocations {
		locations[l.ID] = i + 1
		l.FileNameID, l.FunctionNameID = files[l.FileNameID], functions[l.FunctionNameID]
		out.FileLocations = append(out.FileLocations, l)
	}
	frames := frameNumbers(d)
	for _, f := range d.StackFrames {
		f.FileLocationID, f.ParentFrameID = locations[f.FileLocationID], frames[f.ParentFrameID-1]
		out.StackFrames = append(out.StackFrames, f)
	}
	return out
}

// frameNumbers returns the places of the stack frames, from 1 on, by their numbers.
func frameNumbers(d hlo.DebugTables) map[int]int {
	frames := map[int]int{}
	for i, f := range d.StackFrames {
		frames[f.ID] = i + 1
	}
	return frames
}

// numbering holds the ids of the proto.
type numbering struct {
	computation map[*hlo.Computation]int
	place       map[*hlo.Computation][]int // of each instruction in its computation, by Instruction.ID
	frames      map[int]int                // see frameNumbers
}

// numberInstructions numbers the computations and instructions of m by their order in it.
func numberInstructions(m *hlo.Module) *numbering {
	n := &numbering{computation: map[*hlo.Computation]int{}, place: map[*hlo.Computation][]int{},
		frames: frameNumbers(m.Debug)}
	for id, c := range m.Computations() {
		n.computation[c] = id
		places := make([]int, c.NumIDs())
		for k, i := range c.Instructions() {
			places[i.ID()] = k
		}
		n.place[c] = places
	}
	return n
}

// idShift is where the id of the computation stands in that of an instruction.
const idShift = 32

// id returns the id of i.
func (n *numbering) id(i *hlo.Instruction) int {
	c := i.Computation()
	return n.computation[c]<<idShift | n.place[c][i.ID()]
}

func (n *numbering) of(list []*hlo.Instruction) []int {
	ids := make([]int, len(list))
	for k, i := range list {
		ids[k] = n.id(i)
	}
	return ids
}

// computation appends the fields of c.
func (w *writer) computation(c *hlo.Computation, ids *numbering) {
	raw := computation{name: c.Name(), id: ids.computation[c], fused: c.IsFused(), thread: c.ExecutionThread,
		program: c.Signature()}
	if root := c.Root(); root != nil {
		raw.rootID = ids.id(root)
	}
	raw.bodies.write = func(w *writer, num protowire.Number) {
		for _, i := range c.PostOrder() {
			if w.err == nil {
				w.present(num, func() { w.instruction(i, ids) })
			}
		}
	}
	w.schema.computation.write(w, &raw)
	w.dst = append(w.dst, c.Unknown...)
}

// instruction appends the fields of i.
func (w *writer) instruction(i *hlo.Instruction, ids *numbering) {
	raw := instruction{name: i.Name(), opcode: i.Code().String(), shape: i.Shape(), metadata: w.metadata(i.Metadata),
		id: ids.id(i), operands: ids.of(i.Operands()), preds: ids.of(i.ControlPredecessors()), sharding: i.Sharding,
		config: i.BackendConfig, frontend: i.FrontendAttributes}
	if f, ok := ids.frames[raw.metadata.StackFrameID]; ok {
		raw.metadata.StackFrameID = f
	}
	if i.Statistics != nil {
		raw.statistics = *i.Statistics
	}
	if i.Origin != nil {
		origin := w.origin(i.Origin)
		raw.origin = &origin
	}
	for c := range i.CalledInProtoOrder() {
		raw.called = append(raw.called, ids.computation[c])
	}
	w.schema.instruction.write(w, &raw)
	if root := w.schema.operations[i.Code()]; i.Attrs() != nil {
		w.attributes(root, i.Attrs())
	}
	w.dst = append(w.dst, i.Unknown()...)
	if e := w.err; e != nil && !isPlaced(e) {
		w.err = i.Errorf("", "", "%w", e)
	}
}

// isPlaced reports whether err names an instruction.
func isPlaced(err error) bool {
	e, ok := err.(*op.Error)
	return ok && e.Instr != ""
}
