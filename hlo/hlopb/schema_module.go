package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// module is an HloModuleProto without its computations.
type module struct {
	name       string
	entryName  string
	entryID    int
	program    *shape.Program
	schedule   []sequence
	scheduled  bool
	aliases    []rawAlias
	donors     []hlo.Donor
	debug      hlo.DebugTables
	attributes []hlo.KeyValue
	recoveries []rawRecovery
	payloads   []string
	marks      []debugEntry
	bodies     bodies // the computations
}

// bodies is a list of messages that are read later, and written by other means.
type bodies struct {
	spans []span
	write func(w *writer, num protowire.Number)
}

// span is a part of the program.
type span struct{ start, end int }

// computation is an HloComputationProto.
type computation struct {
	name    string
	id      int
	rootID  int
	fused   bool
	thread  string
	program shape.Program
	bodies  bodies // the instructions
	unknown []byte
}

// sequence is the order of a computation in a schedule.
type sequence struct {
	computation  int
	instructions []int
}

type rawAlias struct {
	hlo.Alias
	kind int
}

// rawRecovery is an entry of the table of recoveries.
type rawRecovery struct {
	old, new originValue
	module   *hlo.Module
}

func (s *schema) fillModules() {
	s.module.fill(
		row(1, "name", text(), func(t *module) *string { return &t.name }),
		row(2, "entry_computation_name", text(), func(t *module) *string { return &t.entryName }),
		row(3, "computations", parts(), func(t *module) *bodies { return &t.bodies }),
		row(4, "host_program_shape", optional(&s.program), func(t *module) **shape.Program { return &t.program }),
		row(6, "entry_computation_id", number(), func(t *module) *int { return &t.entryID }),
		row(7, "schedule", s.schedules(), func(t *module) *module { return t }),
		row(8, "input_output_alias", single(&s.aliases), func(t *module) *[]rawAlias { return &t.aliases }),
		row(17, "stack_frame_index", single(&s.frames), func(t *module) *hlo.DebugTables { return &t.debug }),
		row(18, "buffer_donor", single(&s.donors), func(t *module) *[]hlo.Donor { return &t.donors }),
		row(19, "frontend_attributes", single(&s.attributes), func(t *module) *[]hlo.KeyValue { return &t.attributes }),
		row(20, "original_value_recovery_table", single(&s.recoveries),
			func(t *module) *[]rawRecovery { return &t.recoveries }),
		row(22, "payloads", listOf(octets()), func(t *module) *[]string { return &t.payloads }),
		row(24, "debug_attributes", list(&s.debugEntry), func(t *module) *[]debugEntry { return &t.marks }),
	)
	s.computation.fill(
		row(1, "name", text(), func(t *computation) *string { return &t.name }),
		row(2, "instructions", parts(), func(t *computation) *bodies { return &t.bodies }),
		row(4, "program_shape", single(&s.program), func(t *computation) *shape.Program { return &t.program }),
		row(5, "id", number(), func(t *computation) *int { return &t.id }),
		row(6, "root_id", number(), func(t *computation) *int { return &t.rootID }),
		row(7, "is_fusion_computation", flag(), func(t *computation) *bool { return &t.fused }),
		row(8, "execution_thread", thread(), func(t *computation) *string { return &t.thread }),
	)
	s.fillHeaders()
	s.fillFrames()
	s.fillMarks()
}

// fillHeaders sets the tables of what the header of a module holds.
func (s *schema) fillHeaders() {
	s.ids.fill(row(1, "instruction_ids", numbers(), func(t *[]int) *[]int { return t }))
	s.sequence.fill(
		row(1, "key", number(), func(t *sequence) *int { return &t.computation }),
		row(2, "value", single(&s.ids), func(t *sequence) *[]int { return &t.instructions }),
	)
	s.alias.fill(
		row(1, "output_shape_index", numbers(), func(t *rawAlias) *[]int { return &t.OutputIndex }),
		row(2, "parameter_number", number(), func(t *rawAlias) *int { return &t.Param }),
		row(3, "parameter_shape_index", numbers(), func(t *rawAlias) *[]int { return &t.ParamIndex }),
		row(4, "kind", number(), func(t *rawAlias) *int { return &t.kind }),
	)
	s.aliases.fill(row(1, "entries", list(&s.alias), func(t *[]rawAlias) *[]rawAlias { return t }))
	s.donor.fill(
		row(1, "parameter_number", number(), func(t *hlo.Donor) *int { return &t.Param }),
		row(2, "parameter_shape_index", numbers(), func(t *hlo.Donor) *[]int { return &t.Index }),
	)
	s.donors.fill(row(1, "entries", list(&s.donor), func(t *[]hlo.Donor) *[]hlo.Donor { return t }))
	s.recovery.fill(
		row(1, "old_original_array", single(&s.value), func(t *rawRecovery) *originValue { return &t.old }),
		row(2, "new_original_array", single(&s.value), func(t *rawRecovery) *originValue { return &t.new }),
		row(3, "recovery_module", recoveryModules(), func(t *rawRecovery) **hlo.Module { return &t.module }),
	)
	s.recoveries.fill(row(1, "entries", list(&s.recovery), func(t *[]rawRecovery) *[]rawRecovery { return t }))
}

func (s *schema) fillFrames() {
	type location = hlo.FileLocation
	s.location.fill(
		row(1, "file_name_id", number32(), func(t *location) *int { return &t.FileNameID }),
		row(2, "function_name_id", number32(), func(t *location) *int { return &t.FunctionNameID }),
		row(3, "line", number32(), func(t *location) *int { return &t.Line }),
		row(4, "column", number32(), func(t *location) *int { return &t.Column }),
		row(5, "end_line", number32(), func(t *location) *int { return &t.EndLine }),
		row(6, "end_column", number32(), func(t *location) *int { return &t.EndColumn }),
	)
	s.frame.fill(
		row(1, "file_location_id", number32(), func(t *hlo.StackFrame) *int { return &t.FileLocationID }),
		row(2, "parent_frame_id", number32(), func(t *hlo.StackFrame) *int { return &t.ParentFrameID }),
	)
	s.frames.fill(
		row(1, "file_names", numbered(), func(t *hlo.DebugTables) *[]hlo.NumberedString { return &t.FileNames }),
		row(2, "function_names", numbered(), func(t *hlo.DebugTables) *[]hlo.NumberedString { return &t.FunctionNames }),
		row(3, "file_locations", list(&s.location), func(t *hlo.DebugTables) *[]location { return &t.FileLocations }),
		row(4, "stack_frames", list(&s.frame), func(t *hlo.DebugTables) *[]hlo.StackFrame { return &t.StackFrames }),
	)
}

// parts is the kind of such a list.
func parts() kind[bodies] {
	return kind[bodies]{
		read: func(r *reader, p *bodies) {
			r.at(len(p.spans))
			if b := r.chunk(); r.ok() {
				p.spans = append(p.spans, span{r.pos - len(b), r.pos})
			}
		},
		write: func(w *writer, num protowire.Number, p *bodies) { p.write(w, num) },
	}
}

// schedules is the kind of a schedule, which is there or not.
func (s *schema) schedules() kind[module] {
	var m message[module]
	m.fill(row(1, "sequences", list(&s.sequence), func(t *module) *[]sequence { return &t.schedule }))
	return kind[module]{
		read: func(r *reader, p *module) {
			p.scheduled = true
			r.nested(func() { m.read(r, p) })
		},
		write: func(w *writer, num protowire.Number, p *module) {
			if p.scheduled {
				w.present(num, func() { m.write(w, p) })
			}
		},
	}
}

// numbered is the kind of strings whose places, from 1 on, are their numbers.
func numbered() kind[[]hlo.NumberedString] {
	inner := texts()
	return kind[[]hlo.NumberedString]{
		read: func(r *reader, p *[]hlo.NumberedString) {
			r.at(len(*p))
			*p = append(*p, hlo.NumberedString{ID: len(*p) + 1, Text: r.text()})
		},
		write: func(w *writer, num protowire.Number, p *[]hlo.NumberedString) {
			list := make([]string, len(*p))
			for i, s := range *p {
				list[i] = s.Text
			}
			inner.write(w, num, &list)
		},
	}
}

// recoveryModules is the kind of a module within a module.
func recoveryModules() kind[*hlo.Module] {
	return kind[*hlo.Module]{
		read: func(r *reader, p **hlo.Module) {
			if r.spent.modules++; r.spent.modules > maxRecoveryModules {
				r.fail("expects at most %d modules for recovery", maxRecoveryModules)
			}
			r.message(func() { *p = r.module() })
		},
		write: func(w *writer, num protowire.Number, p **hlo.Module) {
			if *p != nil {
				w.present(num, func() { w.module(*p) })
			}
		},
	}
}
