package vhlo

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
)

// Shardy is the dialect sdy, which says how arrays are spread over devices. JAX mixes
// it into its portable artifacts. Its attributes become opaque ones with the text that
// MLIR gives them, and are written as text.
var Shardy = &bytecode.Dialect{
	Name:  "sdy",
	Attrs: shardyReaders(),
	Props: shardyProps,
}

// shardyOps holds the inherent attributes of operations in stored order; ? marks one
// that may be absent.
var shardyOps = map[string]string{
	"mesh":                "mesh sym_name",
	"sharding_constraint": "sharding",
	"reshard":             "sharding",
	"manual_computation":  "in_shardings manual_axes out_shardings",
	"sharding_group":      "group_id",
	"constant":            "value",
	"data_flow_edge":      "sharding?",
	"propagation_barrier": "allowed_direction",
	"named_computation":   "in_shardings? name out_shardings?",
	"all_gather":          "gathering_axes out_sharding",
	"all_slice":           "out_sharding slicing_axes",
	"all_to_all":          "out_sharding params",
	"all_reduce":          "out_sharding reduction_axes",
	"reduce_scatter":      "out_sharding reduce_scatter_axes",
	"collective_permute":  "out_sharding",
	"return":              "",
}

func shardyProps(op string) (list []bytecode.Prop, ok bool) {
	names, ok := shardyOps[op]
	for name := range strings.FieldsSeq(names) {
		name, optional := strings.CutSuffix(name, "?")
		list = append(list, bytecode.Prop{Name: name, Optional: optional})
	}
	return list, ok
}

// shardyReaders returns the readers of attributes by code.
func shardyReaders() []func(*bytecode.Decoder) stablehlo.Attribute {
	list := make([]func(*bytecode.Decoder) stablehlo.Attribute, len(shardyBodies))
	for code, row := range shardyBodies {
		list[code] = func(d *bytecode.Decoder) stablehlo.Attribute {
			s := &shardy{d: d}
			row.body(s)
			if row.name == "manual_axes" { // #sdy<manual_axes{"x"}>
				return stablehlo.OpaqueAttr{Dialect: "sdy", Body: row.name + s.String(), Angle: true}
			}
			return stablehlo.OpaqueAttr{Dialect: "sdy", Body: row.name + "<" + s.String() + ">"}
		}
	}
	return list
}

// shardyBodies are the names of attributes by code, and what writes the text between
// the angle brackets.
var shardyBodies = []struct {
	name string
	body func(*shardy)
}{
	0:  {"manual_axes", func(s *shardy) { s.list("{", "}", s.quoted) }},
	1:  {"mesh_axis", (*shardy).meshAxis},
	2:  {"mesh", (*shardy).mesh},
	3:  {"sub_axis_info", (*shardy).subAxis},
	4:  {"axis_ref", (*shardy).axisRef},
	5:  {"dimension_sharding", (*shardy).dimension},
	6:  {"sharding", func(s *shardy) { s.sharding(1) }},
	7:  {"sharding_per_value", (*shardy).perValue},
	8:  {"dim_mapping", (*shardy).dimMapping},
	9:  {"tensor_mapping", func(s *shardy) { s.list("[", "]", s.inner) }},
	10: {"op_sharding_rule", (*shardy).rule},
	11: {"axis_ref_list", func(s *shardy) { s.list("{", "}", s.inner) }},
	12: {"list_of_axis_ref_lists", func(s *shardy) { s.list("[", "]", s.inner) }},
	13: {"all_to_all_param", (*shardy).allToAll},
	14: {"all_to_all_param_list", func(s *shardy) { s.list("[", "]", s.inner) }},
	15: {"sharding", func(s *shardy) { s.sharding(2) }},
	16: {"sharding_per_value", (*shardy).perValue},
	17: {"sharding", func(s *shardy) { s.sharding(3) }},
}

// shardy writes the text of one attribute.
type shardy struct {
	strings.Builder
	d *bytecode.Decoder
}

func (s *shardy) number(v int64) { s.WriteString(strconv.FormatInt(v, 10)) }

// list writes a list with what stands around it.
func (s *shardy) list(open, end string, element func()) int {
	s.WriteString(open)
	n := s.d.Count("elements")
	for i := 0; i < n && !s.d.Failed(); i++ {
		if i > 0 {
			s.WriteString(", ")
		}
		element()
	}
	s.WriteString(end)
	return n
}

// optionalList writes `, name={...}` unless the list is empty.
func (s *shardy) optionalList(name string, element func()) {
	inner := &shardy{d: s.d}
	if inner.list(name+"={", "}", func() { inner.take(s, element) }) > 0 {
		s.WriteString(inner.String())
	}
}

// take lets element, which writes to s, write to inner.
func (inner *shardy) take(s *shardy, element func()) {
	before := s.String()
	element()
	inner.WriteString(s.String()[len(before):])
	s.Reset()
	s.WriteString(before)
}

// quoted writes a string in quotes.
func (s *shardy) quoted() { s.Write(stablehlo.AppendQuoted(nil, s.d.String())) }

// body returns what stands between the angle brackets of an attribute of this dialect.
func (s *shardy) body(a stablehlo.Attribute) string {
	o, ok := a.(stablehlo.OpaqueAttr)
	_, text, cut := strings.Cut(o.Body, "<")
	if !ok || o.Dialect != "sdy" || !cut {
		if !s.d.Failed() {
			s.d.Fail("expected an attribute of the dialect sdy, got %s", brief(a))
		}
		return ""
	}
	return strings.TrimSuffix(text, ">")
}

// inner writes the body of an attribute.
func (s *shardy) inner() { s.WriteString(s.body(s.d.Attr())) }

func (s *shardy) meshAxis() {
	s.Write(stablehlo.AppendQuoted(nil, s.d.Text()))
	s.WriteByte('=')
	s.number(s.d.Signed())
}

func (s *shardy) mesh() {
	s.list("[", "]", s.inner)
	ids := s.d.Int64s()
	for i, id := range ids {
		s.WriteString(map[bool]string{true: ", device_ids=[", false: ", "}[i == 0])
		s.number(id)
	}
	if len(ids) > 0 {
		s.WriteByte(']')
	}
}

func (s *shardy) subAxis() {
	s.WriteByte('(')
	s.number(s.d.Signed())
	s.WriteByte(')')
	s.number(s.d.Signed())
}

func (s *shardy) axisRef() {
	s.Write(stablehlo.AppendQuoted(nil, s.d.Text()))
	if a := s.d.OptionalAttr(); a != nil {
		s.WriteByte(':')
		s.WriteString(s.body(a))
	}
}

// dimension writes {"x", "y", ?}p1: the axes, whether more may come, the priority.
func (s *shardy) dimension() {
	n := s.list("{", "", s.inner)
	switch closed := s.d.Bool(); {
	case !closed && n > 0:
		s.WriteString(", ?")
	case !closed:
		s.WriteByte('?')
	}
	s.WriteByte('}')
	if v := s.d.Varint(); v&1 == 1 {
		s.WriteByte('p')
		s.number(int64(v >> 1))
	}
}

// sharding writes @mesh, [{"x"}], replicated={...}, unreduced={...}.
func (s *shardy) sharding(version int) {
	switch m := s.d.Attr().(type) {
	case *stablehlo.SymbolRef:
		s.Write(m.AppendText(nil))
	case nil:
	default:
		s.WriteString("mesh<" + s.body(m) + ">")
	}
	s.list(", [", "]", s.inner)
	s.optionalList(", replicated", s.inner)
	if version > 1 {
		s.optionalList(", unreduced", s.inner)
	}
	if version > 2 {
		s.d.Signed() // the kind of reduction
	}
}

func (s *shardy) perValue() {
	s.list("[", "]", func() {
		s.WriteByte('<')
		s.inner()
		s.WriteByte('>')
	})
}

// factor writes the letter of a factor: i, j, ..., z, z_1, ...
func (s *shardy) factor(i int64) {
	const last = 'z' - 'i'
	if i <= last && i >= 0 {
		s.WriteByte(byte('i' + i))
		return
	}
	s.WriteString("z_")
	s.number(i - last)
}

func (s *shardy) dimMapping() {
	for _, f := range s.d.Int64s() {
		s.factor(f)
	}
}

// rule writes ([i, j])->([i]) {i=2, j=3} reduction={j}, custom.
func (s *shardy) rule() {
	sizes := s.d.Int64s()
	mapping := func() { s.WriteString("[" + strings.Trim(s.body(s.d.Attr()), "[]") + "]") }
	s.list("(", ")->", mapping)
	s.list("(", ") {", mapping)
	for i, size := range sizes {
		if i > 0 {
			s.WriteString(", ")
		}
		s.factor(int64(i))
		s.WriteByte('=')
		s.number(size)
	}
	s.WriteByte('}')
	for _, name := range []string{" reduction", " need_replication", " permutation", " blocked_propagation"} {
		s.optionalList(name, func() { s.factor(s.d.Signed()) })
	}
	if s.d.Bool() {
		s.WriteString(", custom")
	}
}

func (s *shardy) allToAll() {
	s.list("{", "}", s.inner)
	s.WriteString(": ")
	s.number(s.d.Signed())
	s.WriteString("->")
	s.number(s.d.Signed())
}
