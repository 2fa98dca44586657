package hlotext

import (
	"slices"

	"github.com/goxla/xla/hlo"
)

// metadata appends the metadata, whose fields are separated by blanks. Those that
// hold source positions only are not printed, as in XLA.
func (p *printer) metadata(m *hlo.Metadata) {
	if m == nil || p.o.OmitMetadata {
		return
	}
	md := *m
	if _, known := p.stackFrames[md.StackFrameID]; !known {
		md.StackFrameID = 0
	}
	if md.OpType == "" && md.OpName == "" && md.SourceFile == "" && md.SchedulingName == "" && md.StackFrameID == 0 {
		return
	}
	p.attr("metadata")
	p.text("{")
	f := metadataFields{p: p}
	if p.o.OmitMetadataButOpName {
		f.string("op_name", md.OpName)
	} else {
		if p.o.InlineStackFrames {
			p.resolveFrame(&md)
		}
		f.all(&md)
	}
	p.text("}")
}

// resolveFrame puts the place of md's stack frame into md.
func (p *printer) resolveFrame(md *hlo.Metadata) {
	k, known := p.stackFrames[md.StackFrameID]
	md.StackFrameID = 0
	if !known {
		return
	}
	locations, names := p.debug.FileLocations, p.debug.FileNames
	l := slices.IndexFunc(locations, func(l hlo.FileLocation) bool {
		return l.ID == p.debug.StackFrames[k].FileLocationID
	})
	if l < 0 {
		return
	}
	n := slices.IndexFunc(names, func(n hlo.NumberedString) bool { return n.ID == locations[l].FileNameID })
	if n < 0 {
		return
	}
	md.SourceFile, md.SourceLine, md.SourceColumn = names[n].Text, locations[l].Line, locations[l].Column
}

// metadataFields appends `name=value` for fields that are not zero.
type metadataFields struct {
	p     *printer
	later bool // a field stands in front
}

func (f *metadataFields) all(m *hlo.Metadata) {
	f.string("op_type", m.OpType)
	f.string("op_name", m.OpName)
	f.string("source_file", m.SourceFile)
	f.int("source_line", m.SourceLine)
	f.int("source_end_line", m.SourceEndLine)
	f.int("source_column", m.SourceColumn)
	f.int("source_end_column", m.SourceEndColumn)
	if len(m.ProfileType) > 0 {
		f.name("profile_type")
		f.p.index(m.ProfileType)
	}
	f.string("deduplicated_name", m.DeduplicatedName)
	f.string("scheduling_name", m.SchedulingName)
	f.int("stack_frame_id", m.StackFrameID)
	f.string("metadata_payload", m.Payload)
}

func (f *metadataFields) name(name string) {
	if f.later {
		f.p.text(" ")
	}
	f.later = true
	f.p.text(name)
	f.p.text("=")
}

func (f *metadataFields) string(name, value string) {
	if value != "" {
		f.name(name)
		f.p.quoted(value)
	}
}

func (f *metadataFields) int(name string, value int) {
	if value != 0 {
		f.name(name)
		f.p.int(value)
	}
}
