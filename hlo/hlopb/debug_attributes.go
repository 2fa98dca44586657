package hlopb

import (
	"slices"

	"github.com/goxla/xla/op"
)

// Package hlo keeps debug_attributes as text:
//
//	{
//	  {"a"}:({log_mode=default,callback_id=1}),
//	  {"b" {0}}:({callback_id=1}, {callback_id=2,partitioned=true})
//	}

// debugEntry is what is noted of one value.
type debugEntry struct {
	value originValue
	marks []debugMark
}

// debugMark is a DebugAttributesProto, whose fields may be absent.
type debugMark struct {
	mode, callback, op op.OptInt
	partitioned        op.OptInt // 0 or 1
}

// logModes are the words of text for log_mode, by number.
var logModes = []string{"none", "default", "fusion_debugger", "no_fusion", "guaranteed"}

// debugPart is a part of a mark in text, in the order of text.
type debugPart struct {
	name  string
	words []string // the text of the numbers; nil: the numbers themselves
	place func(m *debugMark) *op.OptInt
}

func debugParts() []debugPart {
	return []debugPart{
		{"log_mode", logModes, func(m *debugMark) *op.OptInt { return &m.mode }},
		{"callback_id", nil, func(m *debugMark) *op.OptInt { return &m.callback }},
		{"op_id", nil, func(m *debugMark) *op.OptInt { return &m.op }},
		{"partitioned", []string{"false", "true"}, func(m *debugMark) *op.OptInt { return &m.partitioned }},
	}
}

// fillMarks sets the tables of debug attributes.
func (s *schema) fillMarks() {
	s.debugMark.fill(
		row(1, "log_mode", presentNumber(), func(t *debugMark) *op.OptInt { return &t.mode }),
		row(2, "callback_id", presentNumber(), func(t *debugMark) *op.OptInt { return &t.callback }),
		row(3, "op_id", presentNumber(), func(t *debugMark) *op.OptInt { return &t.op }),
		row(4, "partitioned", presentNumber(), func(t *debugMark) *op.OptInt { return &t.partitioned }),
	)
	s.debugEntry.fill(
		row(1, "original_array", single(&s.value), func(t *debugEntry) *originValue { return &t.value }),
		row(2, "debug_attributes", list(&s.debugMark), func(t *debugEntry) *[]debugMark { return &t.marks }),
	)
}

// debugText returns the text of the entries; "" for none.
func (r *reader) debugText(entries []debugEntry) string {
	if len(entries) == 0 {
		return ""
	}
	dst := []byte("{\n")
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = append(e.value.appendText(append(dst, "  {"...)), "}:("...)
		for k, m := range e.marks {
			if k > 0 {
				dst = append(dst, ", "...)
			}
			dst = r.appendMark(dst, &m)
		}
		dst = append(dst, ')')
	}
	return string(append(dst, "\n}"...))
}

func (r *reader) appendMark(dst []byte, m *debugMark) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for _, p := range debugParts() {
		v := *p.place(m)
		if !v.Present {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(dst, p.name...), '=')
		switch {
		case p.words == nil:
			dst = v.AppendText(dst)
		case v.Value < 0 || v.Value >= len(p.words):
			r.fail("expects a number of %s in [0, %d), got %d", p.name, len(p.words), v.Value)
		default:
			dst = append(dst, p.words[v.Value]...)
		}
	}
	return append(dst, '}')
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
		k := slices.IndexFunc(debugParts(), func(p debugPart) bool { return p.name == name })
		if k < 0 {
			s.bad = true
			break
		}
		p := debugParts()[k]
		if p.words == nil {
			*p.place(&m) = op.Some(s.integer())
		} else {
			v := slices.Index(p.words, s.word())
			s.bad = s.bad || v < 0
			*p.place(&m) = op.Some(v)
		}
		s.accept(",")
	}
	return m
}
