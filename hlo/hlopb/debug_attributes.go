package hlopb

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/op"
)

// Package hlo keeps debug_attributes as text:
// `{ {"a"}:({log_mode=default,callback_id=1}), {"b" {0}}:({...}, {...}) }`.

// debugEntry is what is noted of one value.
type debugEntry struct {
	value originValue
	marks []debugMark
}

// debugMark is a DebugAttributesProto.
type debugMark struct {
	mode, callback, op int
	partitioned        bool
}

// logModes are the words of text for log_mode, by number.
var logModes = []string{"", "default", "fusion_debugger", "no_fusion", "guaranteed"}

// fillMarks sets the tables of debug attributes.
func (s *schema) fillMarks() {
	s.debugMark.fill(
		row(1, "log_mode", number(), func(t *debugMark) *int { return &t.mode }),
		row(2, "callback_id", number(), func(t *debugMark) *int { return &t.callback }),
		row(3, "op_id", number(), func(t *debugMark) *int { return &t.op }),
		row(4, "partitioned", flag(), func(t *debugMark) *bool { return &t.partitioned }),
	)
	s.debugEntry.fill(
		row(1, "original_array", single(&s.value), func(t *debugEntry) *originValue { return &t.value }),
		row(2, "debug_attributes", list(&s.debugMark), func(t *debugEntry) *[]debugMark { return &t.marks }),
	)
}

// debugText returns the text of the entries; "" for none.
func debugText(entries []debugEntry) string {
	if len(entries) == 0 {
		return ""
	}
	dst := []byte("{")
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(e.value.appendText(append(dst, '{')), "}:("...)
		for k, m := range e.marks {
			if k > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(m.appendText(append(dst, '{')), '}')
		}
		dst = append(dst, ')')
	}
	return string(append(dst, '}'))
}

func (m *debugMark) appendText(dst []byte) []byte {
	mode := "default"
	if m.mode > 0 && m.mode < len(logModes) {
		mode = logModes[m.mode]
	}
	dst = append(append(dst, "log_mode="...), mode...)
	if m.callback != 0 {
		dst = strconv.AppendInt(append(dst, ",callback_id="...), int64(m.callback), 10)
	}
	if m.op != 0 {
		dst = strconv.AppendInt(append(dst, ",op_id="...), int64(m.op), 10)
	}
	if m.partitioned {
		dst = append(dst, ",partitioned=true"...)
	}
	return dst
}

// debugEntries reads the text of debug_attributes; blanks may stand anywhere.
func (w *writer) debugEntries(text string) []debugEntry {
	if text == "" {
		return nil
	}
	s := scanner{text: text, blanks: true}
	var entries []debugEntry
	s.expect("{")
	for !s.done() && !s.accept("}") {
		s.expect("{")
		e := debugEntry{value: originValue{name: s.quoted()}}
		if !s.accept("}") {
			e.value.index = s.integers()
			s.expect("}")
		}
		s.expect(":")
		e.marks = s.debugMarks()
		entries = append(entries, e)
		s.accept(",")
	}
	if s.accept(""); s.bad || s.text != "" {
		w.fail("expects debug attributes, got %.80q", text)
	}
	return entries
}

// debugMarks reads ({...}, {...}) or one without parentheses.
func (s *scanner) debugMarks() []debugMark {
	if !s.accept("(") {
		return []debugMark{s.debugMark()}
	}
	var marks []debugMark
	for !s.done() && !s.accept(")") {
		marks = append(marks, s.debugMark())
		s.accept(",")
	}
	return marks
}

func (s *scanner) debugMark() debugMark {
	var m debugMark
	s.expect("{")
	for !s.done() && !s.accept("}") {
		name := s.word()
		s.expect("=")
		switch name {
		case "log_mode":
			m.mode = slices.Index(logModes, s.word())
			s.bad = s.bad || m.mode < 0
		case "callback_id":
			m.callback = s.integer()
		case "op_id":
			m.op = s.integer()
		case "partitioned":
			m.partitioned = s.word() == op.True.String()
		default:
			s.bad = true
		}
		s.accept(",")
	}
	return m
}
