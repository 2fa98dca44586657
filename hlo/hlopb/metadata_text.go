package hlopb

import (
	"strconv"
	"strings"

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

// appendInts appends {0,1}.
func appendInts(dst []byte, list []int) []byte {
	dst = append(dst, '{')
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, '}')
}

// scanner reads the texts that package hlo keeps in the form that they print in.
type scanner struct {
	text   string
	bad    bool // something else came than was expected
	blanks bool // blanks between the parts do not count
}

// done reports whether the end is reached, or an error.
func (s *scanner) done() bool { return s.bad || s.text == "" }

func (s *scanner) accept(token string) bool {
	s.skip()
	rest, ok := strings.CutPrefix(s.text, token)
	s.text = rest
	return ok
}

func (s *scanner) expect(token string) {
	if !s.accept(token) {
		s.bad = true
	}
}

func (s *scanner) skip() {
	if s.blanks {
		s.text = strings.TrimLeft(s.text, " \t\r\n")
	}
}

// take returns the characters in front that fit.
func (s *scanner) take(fits func(c byte) bool) string {
	s.skip()
	n := 0
	for n < len(s.text) && fits(s.text[n]) {
		n++
	}
	word := s.text[:n]
	s.text = s.text[n:]
	return word
}

// word reads a name of letters, digits and '_'.
func (s *scanner) word() string {
	return s.take(func(c byte) bool {
		return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	})
}

func (s *scanner) integer() int {
	digits := s.take(func(c byte) bool { return c == '-' || '0' <= c && c <= '9' })
	n, err := strconv.ParseInt(digits, 10, 64)
	s.bad = s.bad || err != nil
	return int(n)
}

// integers reads {0,1}.
func (s *scanner) integers() []int {
	s.expect("{")
	var list []int
	for !s.done() && !s.accept("}") {
		list = append(list, s.integer())
		s.accept(",")
	}
	return list
}

// simpleEscapes are the escapes of one letter that op.AppendQuoted writes.
var simpleEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\'': '\'', '\\': '\\'}

// quoted reads what op.AppendQuoted writes.
func (s *scanner) quoted() string {
	s.expect(`"`)
	var out []byte
	for !s.done() {
		c := s.text[0]
		s.text = s.text[1:]
		switch c {
		case '"':
			return string(out)
		case '\\':
			c = s.escape()
		}
		out = append(out, c)
	}
	s.bad = true
	return ""
}

// escape reads an escape from behind its backslash.
func (s *scanner) escape() byte {
	if s.text == "" {
		s.bad = true
		return 0
	}
	if c, ok := simpleEscapes[s.text[0]]; ok {
		s.text = s.text[1:]
		return c
	}
	const octal = 3
	digits := s.text[:min(octal, len(s.text))]
	c, err := strconv.ParseUint(digits, 8, 8)
	s.bad = s.bad || err != nil || len(digits) < octal
	s.text = s.text[len(digits):]
	return byte(c)
}
