package hlotext

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"github.com/goxla/xla/hlo"
)

func (p *printer) module(m *hlo.Module) {
	p.tab(0)
	p.text("HloModule ")
	if !p.o.OmitIDs {
		p.text(m.Name)
	}
	for _, attribute := range moduleAttributes() {
		attribute(p, m)
	}
	p.debugTables(m)
	p.text("\n\n")
	p.computations(m)
}

// moduleAttributes returns the attributes of the header in the order of text; each
// appends `, name=value` or nothing.
func moduleAttributes() []func(*printer, *hlo.Module) {
	return []func(*printer, *hlo.Module){
		(*printer).isScheduled,
		(*printer).inputOutputAlias,
		(*printer).bufferDonor,
		(*printer).aliasPassthroughParams,
		(*printer).entryLayout,
		(*printer).propagationFlags,
		(*printer).replicas,
		(*printer).moduleFrontendAttributes,
		(*printer).originRecovery,
		(*printer).debugAttributes,
	}
}

func (p *printer) isScheduled(m *hlo.Module) {
	if m.IsScheduled {
		p.text(", is_scheduled=true")
	}
}

func (p *printer) inputOutputAlias(m *hlo.Module) {
	if len(m.InputOutputAlias) == 0 {
		return
	}
	sorted := slices.Clone(m.InputOutputAlias)
	sort.SliceStable(sorted, func(i, j int) bool {
		return slices.Compare(sorted[i].OutputIndex, sorted[j].OutputIndex) < 0
	})
	p.attr("input_output_alias")
	p.text("{ ")
	join(p, sorted, ", ", func(a hlo.Alias) {
		p.index(a.OutputIndex)
		p.text(": (")
		p.int(a.Param)
		p.text(", ")
		p.index(a.ParamIndex)
		if a.Must {
			p.text(", must-alias)")
		} else {
			p.text(", may-alias)")
		}
	})
	p.text(" }")
}

func (p *printer) bufferDonor(m *hlo.Module) {
	if len(m.BufferDonors) == 0 {
		return
	}
	compare := func(a, b hlo.Donor) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), slices.Compare(a.Index, b.Index))
	}
	sorted := slices.Clone(m.BufferDonors)
	sort.SliceStable(sorted, func(i, j int) bool { return compare(sorted[i], sorted[j]) < 0 })
	sorted = slices.CompactFunc(sorted, func(a, b hlo.Donor) bool { return compare(a, b) == 0 })
	p.attr("buffer_donor")
	p.text("{ ")
	join(p, sorted, ", ", func(d hlo.Donor) {
		p.text("(")
		p.int(d.Param)
		p.text(", ")
		p.index(d.Index)
		p.text(")")
	})
	p.text(" }")
}

func (p *printer) aliasPassthroughParams(m *hlo.Module) {
	if m.AliasPassthroughParams {
		p.text(", alias_passthrough_params=true")
	}
}

func (p *printer) entryLayout(m *hlo.Module) {
	if m.Entry() == nil && m.EntryLayout == nil {
		return
	}
	p.attr("entry_computation_layout")
	p.dst = m.EntrySignature().AppendLayoutText(p.dst)
}

func (p *printer) propagationFlags(m *hlo.Module) {
	p.propagation("allow_spmd_sharding_propagation_to_parameters", m.PropagateToParameters)
	p.propagation("allow_spmd_sharding_propagation_to_output", m.PropagateToOutput)
}

// propagation appends a list of flags; a single false is the default.
func (p *printer) propagation(name string, flags []bool) {
	if flags == nil || len(flags) == 1 && !flags[0] {
		return
	}
	p.attr(name)
	p.text("{")
	join(p, flags, ",", func(b bool) { p.dst = strconv.AppendBool(p.dst, b) })
	p.text("}")
}

func (p *printer) replicas(m *hlo.Module) {
	p.count("replica_count", m.Replicas)
	p.count("num_partitions", m.Partitions)
}

func (p *printer) count(name string, n int) {
	if n > 1 {
		p.attr(name)
		p.int(n)
	}
}

func (p *printer) moduleFrontendAttributes(m *hlo.Module) {
	p.frontendAttributes(m.FrontendAttributes)
}

// originRecovery appends the table, a line an entry; a recovery module is printed
// in the default form, quoted and indented.
func (p *printer) originRecovery(m *hlo.Module) {
	if len(m.OriginRecovery) == 0 {
		return
	}
	p.attr("origin_recovery_table")
	p.text("{\n")
	for _, r := range m.OriginRecovery {
		p.tab(1)
		p.text("{" + r.Old + "} : {" + r.New + "}")
		if r.Module != nil {
			p.text(",\n")
			p.tab(1)
			p.text("\"\n")
			p.recoveryModule(r.Module)
			p.text("\n")
			p.tab(1)
			p.text(`"`)
		}
		p.text("\n")
	}
	p.text("}\n")
}

// recoveryModule appends m two levels deeper. It stands in a string, so quotes and
// backslashes in it are escaped, which XLA does only lately.
func (p *printer) recoveryModule(m *hlo.Module) {
	nested := newPrinter(nil, m, Options{})
	nested.indent = p.indent + 2
	nested.module(m)
	for _, c := range nested.dst {
		if c == '"' || c == '\\' {
			p.dst = append(p.dst, '\\')
		}
		p.dst = append(p.dst, c)
	}
}

func (p *printer) debugAttributes(m *hlo.Module) {
	if m.DebugAttributes != "" {
		p.text(",\ndebug_attributes=")
		p.text(m.DebugAttributes)
	}
}

// debugTables appends the source tables, which belong to the metadata.
func (p *printer) debugTables(m *hlo.Module) {
	d := &m.Debug
	if len(d.FileNames) == 0 || p.o.OmitMetadata {
		return
	}
	p.text("\n\nFileNames\n")
	p.numberedStrings(d.FileNames)
	p.text("\nFunctionNames\n")
	p.numberedStrings(d.FunctionNames)
	p.text("\nFileLocations\n")
	for _, l := range d.FileLocations {
		p.int(l.ID)
		p.field(" {file_name_id=", l.FileNameID)
		p.field(" function_name_id=", l.FunctionNameID)
		p.field(" line=", l.Line)
		p.field(" end_line=", l.EndLine)
		p.field(" column=", l.Column)
		p.field(" end_column=", l.EndColumn)
		p.text("}\n")
	}
	p.text("\nStackFrames\n")
	for _, f := range d.StackFrames {
		p.int(f.ID)
		p.field(" {file_location_id=", f.FileLocationID)
		p.field(" parent_frame_id=", max(f.ParentFrameID, 1))
		p.text("}\n")
	}
}

func (p *printer) numberedStrings(list []hlo.NumberedString) {
	for _, s := range list {
		p.int(s.ID)
		p.text(" ")
		p.quoted(s.Text)
		p.text("\n")
	}
}

func (p *printer) field(name string, n int) {
	p.text(name)
	p.int(n)
}

func (p *printer) int(n int) { p.dst = strconv.AppendInt(p.dst, int64(n), 10) }

// index appends a shape index: {0,1}.
func (p *printer) index(index []int) {
	p.text("{")
	join(p, index, ",", p.int)
	p.text("}")
}
