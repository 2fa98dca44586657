package hlopb

import (
	"strconv"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Shardings keep their metadata as text: `op_name="a" source_line=3`.

// metadataPart is a field of metadata in text; one of the functions is set.
type metadataPart struct {
	name   string
	text   func(m *hlo.Metadata) *string
	number func(m *hlo.Metadata) *int
	list   func(m *hlo.Metadata) *[]int
}

// metadataParts returns the fields in the order of text.
func metadataParts() []metadataPart {
	return []metadataPart{
		{name: "op_type", text: func(m *hlo.Metadata) *string { return &m.OpType }},
		{name: "op_name", text: func(m *hlo.Metadata) *string { return &m.OpName }},
		{name: "source_file", text: func(m *hlo.Metadata) *string { return &m.SourceFile }},
		{name: "source_line", number: func(m *hlo.Metadata) *int { return &m.SourceLine }},
		{name: "source_end_line", number: func(m *hlo.Metadata) *int { return &m.SourceEndLine }},
		{name: "source_column", number: func(m *hlo.Metadata) *int { return &m.SourceColumn }},
		{name: "source_end_column", number: func(m *hlo.Metadata) *int { return &m.SourceEndColumn }},
		{name: "profile_type", list: func(m *hlo.Metadata) *[]int { return &m.ProfileType }},
		{name: "deduplicated_name", text: func(m *hlo.Metadata) *string { return &m.DeduplicatedName }},
		{name: "scheduling_name", text: func(m *hlo.Metadata) *string { return &m.SchedulingName }},
		{name: "stack_frame_id", number: func(m *hlo.Metadata) *int { return &m.StackFrameID }},
		{name: "metadata_payload", text: func(m *hlo.Metadata) *string { return &m.Payload }},
	}
}

// metadataTexts returns the text of each entry; one that says nothing is left out.
func (r *reader) metadataTexts(raw []rawMetadata) []string {
	var list []string
	for i := range raw {
		var dst []byte
		if m := r.metadataOf(&raw[i]); m != nil {
			for _, p := range metadataParts() {
				dst = p.append(dst, m)
			}
		}
		list = append(list, string(dst))
	}
	return list
}

// append appends the field unless it is zero.
func (p *metadataPart) append(dst []byte, m *hlo.Metadata) []byte {
	n := len(dst)
	if n > 0 {
		dst = append(dst, ' ')
	}
	dst = append(append(dst, p.name...), '=')
	switch {
	case p.text != nil && *p.text(m) != "":
		return op.AppendQuoted(dst, *p.text(m))
	case p.number != nil && *p.number(m) != 0:
		return strconv.AppendInt(dst, int64(*p.number(m)), 10)
	case p.list != nil && len(*p.list(m)) > 0:
		return appendInts(dst, *p.list(m))
	}
	return dst[:n]
}

// metadataEntries returns the metadata that the texts say.
func (w *writer) metadataEntries(texts []string) []rawMetadata {
	var list []rawMetadata
	for _, text := range texts {
		var m hlo.Metadata
		s := scanner{text: text}
		for !s.done() {
			s.metadataPart(&m)
			s.accept(" ")
		}
		if s.bad {
			w.fail("expects the metadata of a sharding, got %q", text)
		}
		list = append(list, w.metadata(&m))
	}
	return list
}

func (s *scanner) metadataPart(m *hlo.Metadata) {
	name := s.word()
	s.expect("=")
	for _, p := range metadataParts() {
		if p.name != name {
			continue
		}
		switch {
		case p.text != nil:
			*p.text(m) = s.quoted()
		case p.number != nil:
			*p.number(m) = s.integer()
		default:
			*p.list(m) = s.integers()
		}
		return
	}
	s.bad = true
}
