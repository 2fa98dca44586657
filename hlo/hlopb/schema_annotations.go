package hlopb

import (
	"sort"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
)

// rawMetadata is an OpMetadata.
type rawMetadata struct {
	hlo.Metadata
	payload *rawPayload
}

// rawPayload is bytes, or the number of some in the table of the module.
type rawPayload struct {
	value []byte
	id    int
	byID  bool
}

// rawOrigin is an OriginalValueProto.
type rawOrigin struct {
	leaves    []rawOriginLeaf
	synthetic bool
}

// rawOriginLeaf is the origin of the part of a value at index; nil where there is none.
type rawOriginLeaf struct {
	index []int
	value *originValue
}

// originValue is an instruction and the part of its value.
type originValue struct {
	name  string
	index []int
}

// fillAnnotations sets the tables of what any instruction may carry.
func (s *schema) fillAnnotations() {
	type metadata = rawMetadata
	s.metadata.fill(
		row(1, "op_type", text(), func(t *metadata) *string { return &t.OpType }),
		row(2, "op_name", text(), func(t *metadata) *string { return &t.OpName }),
		row(3, "source_file", text(), func(t *metadata) *string { return &t.SourceFile }),
		row(4, "source_line", number32(), func(t *metadata) *int { return &t.SourceLine }),
		row(5, "profile_type", numbers(), func(t *metadata) *[]int { return &t.ProfileType }),
		row(12, "deduplicated_name", text(), func(t *metadata) *string { return &t.DeduplicatedName }),
		row(15, "stack_frame_id", number32(), func(t *metadata) *int { return &t.StackFrameID }),
		row(16, "scheduling_name", text(), func(t *metadata) *string { return &t.SchedulingName }),
		row(17, "source_end_line", number32(), func(t *metadata) *int { return &t.SourceEndLine }),
		row(18, "source_column", number32(), func(t *metadata) *int { return &t.SourceColumn }),
		row(19, "source_end_column", number32(), func(t *metadata) *int { return &t.SourceEndColumn }),
		row(20, "metadata_payload", optional(&s.payload), func(t *metadata) **rawPayload { return &t.payload }),
	)
	s.payload.fill(
		row(1, "value", payloadValue(), func(t *rawPayload) *rawPayload { return t }),
		row(2, "id", payloadID(), func(t *rawPayload) *rawPayload { return t }),
	)
	s.keyValue.fill(
		row(1, "key", text(), func(t *hlo.KeyValue) *string { return &t.Key }),
		row(2, "value", text(), func(t *hlo.KeyValue) *string { return &t.Value }),
	)
	s.attributes.fill(row(1, "map", list(&s.keyValue), func(t *[]hlo.KeyValue) *[]hlo.KeyValue { return t }))
	s.statistic.fill(
		row(1, "stat_name", text(), func(t *hlo.Statistic) *string { return &t.Name }),
		row(2, "stat_val", double(), func(t *hlo.Statistic) *float64 { return &t.Value }),
	)
	s.statistics.fill(
		row(1, "stat_index_to_visualize", number(), func(t *hlo.Statistics) *int { return &t.Index }),
		row(2, "statistics", list(&s.statistic), func(t *hlo.Statistics) *[]hlo.Statistic { return &t.Items }),
	)
	s.fillOrigins()
}

func (s *schema) fillOrigins() {
	s.value.fill(
		row(1, "instruction_name", text(), func(t *originValue) *string { return &t.name }),
		row(2, "shape_index", numbers(), func(t *originValue) *[]int { return &t.index }),
	)
	s.originLeaf.fill(
		row(1, "shape_index", numbers(), func(t *rawOriginLeaf) *[]int { return &t.index }),
		row(2, "original_array", optional(&s.value), func(t *rawOriginLeaf) **originValue { return &t.value }),
	)
	s.origin.fill(
		row(1, "elements", list(&s.originLeaf), func(t *rawOrigin) *[]rawOriginLeaf { return &t.leaves }),
		row(2, "is_synthetic_call", flag(), func(t *rawOrigin) *bool { return &t.synthetic }),
	)
}

// payloadValue and payloadID are the kinds of the two forms of a payload; the later one counts.
func payloadValue() kind[rawPayload] {
	return kind[rawPayload]{
		read:  func(r *reader, p *rawPayload) { p.value, p.byID = r.chunk(), false },
		write: func(w *writer, num protowire.Number, p *rawPayload) { w.raw(num, string(p.value)) },
	}
}

func payloadID() kind[rawPayload] {
	return kind[rawPayload]{read: func(r *reader, p *rawPayload) { p.id, p.byID = int(int64(r.varint())), true }}
}

// payload returns the bytes that p stands for.
func (r *reader) payload(p *rawPayload) string {
	switch {
	case p == nil:
		return ""
	case !p.byID:
		return string(p.value)
	case p.id < 0 || p.id >= len(r.payloads):
		r.fail("expects the number of a payload in [0, %d), got %d", len(r.payloads), p.id)
		return ""
	}
	return r.payloads[p.id]
}

// metadataOf returns the metadata that raw says, nil if that is nothing.
func (r *reader) metadataOf(raw *rawMetadata) *hlo.Metadata {
	m := raw.Metadata
	m.Payload = r.payload(raw.payload)
	if len(m.ProfileType) == 0 && isZeroMetadata(m) {
		return nil
	}
	return &m
}

func isZeroMetadata(m hlo.Metadata) bool {
	texts := m.OpType + m.OpName + m.SourceFile + m.DeduplicatedName + m.SchedulingName + m.Payload
	numbers := m.SourceLine | m.SourceEndLine | m.SourceColumn | m.SourceEndColumn | m.StackFrameID
	return texts == "" && numbers == 0
}

// metadata returns m as the proto has it.
func (w *writer) metadata(m *hlo.Metadata) rawMetadata {
	if m == nil {
		return rawMetadata{}
	}
	raw := rawMetadata{Metadata: *m}
	if m.Payload != "" {
		raw.payload = &rawPayload{value: []byte(m.Payload)}
	}
	return raw
}

// sortedAttributes returns the attributes by key; of equal keys the last counts.
func sortedAttributes(list []hlo.KeyValue) []hlo.KeyValue {
	sort.SliceStable(list, func(a, b int) bool { return list[a].Key < list[b].Key })
	last := list[:0]
	for i, kv := range list {
		if i+1 == len(list) || list[i+1].Key != kv.Key {
			last = append(last, kv)
		}
	}
	return last
}
