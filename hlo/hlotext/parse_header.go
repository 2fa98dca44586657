package hlotext

import (
	"cmp"
	"slices"
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// headerAttributes reads what stands behind the module's name.
func (p *parser) headerAttributes(h *header) {
	start := p.tok.pos
	set := headerFields()
	var seen []string
	for p.accept(kindComma) {
		attribute(p, h, &seen, &set)
	}
	requireAll(p, start, seen, &set)
}

func headerFields() (f fields[header]) {
	boolean := func(name string, field func(*header) *bool) {
		f.add(name, false, func(p *parser, h *header) { *field(h) = p.boolean() })
	}
	boolean("is_scheduled", func(h *header) *bool { return &h.config.IsScheduled })
	boolean("alias_passthrough_params", func(h *header) *bool { return &h.config.AliasPassthroughParams })
	f.add("replica_count", false, func(p *parser, h *header) { h.config.Replicas = p.count() })
	f.add("num_partitions", false, func(p *parser, h *header) { h.config.Partitions = p.count() })
	f.add("input_output_alias", false, func(p *parser, h *header) {
		h.aliasPos = p.tok.pos
		h.config.InputOutputAlias = p.aliases()
	})
	f.add("buffer_donor", false, func(p *parser, h *header) { h.config.BufferDonors = p.donors() })
	f.add("entry_computation_layout", false, func(p *parser, h *header) { h.config.EntryLayout = p.entryLayout() })
	f.add("frontend_attributes", false, func(p *parser, h *header) {
		h.config.FrontendAttributes = p.frontendAttributes()
	})
	f.add("allow_spmd_sharding_propagation_to_parameters", false, func(p *parser, h *header) {
		h.config.PropagateToParameters = p.booleansOrOne()
	})
	f.add("allow_spmd_sharding_propagation_to_output", false, func(p *parser, h *header) {
		h.config.PropagateToOutput = p.booleansOrOne()
	})
	f.add("origin_recovery_table", false, func(p *parser, h *header) { h.config.OriginRecovery = p.originRecovery() })
	f.add("debug_attributes", false, func(p *parser, h *header) { h.config.DebugAttributes = p.debugAttributes() })
	return f
}

// count reads a number of replicas or partitions.
func (p *parser) count() int {
	pos := p.tok.pos
	n := p.integer()
	if n < 0 || n != int(int32(n)) {
		p.failAt(pos, "expects a count of 31 bits, got %d", n)
	}
	return n
}

// entryLayout reads {(shape, shape)->shape}; a comma may follow the last parameter.
func (p *parser) entryLayout() *shape.Program {
	var layout shape.Program
	p.expect(kindLeftBrace, "in front of a computation layout")
	p.expect(kindLeftParen, "in front of parameter shapes")
	for p.ok() && p.tok.kind != kindRightParen {
		layout.Params = append(layout.Params, p.shape())
		if p.tok.kind == kindRightParen {
			break
		}
		p.expect(kindComma, "between parameter shapes")
	}
	p.expect(kindRightParen, "behind parameter shapes")
	p.expect(kindArrow, "in front of the result shape")
	layout.Result = p.shape()
	p.expect(kindRightBrace, "behind a computation layout")
	return &layout
}

// aliases reads { {0}: (1, {}, must-alias), ... }. The first of equal output indices counts.
func (p *parser) aliases() []hlo.Alias {
	list := []hlo.Alias{}
	p.entries(func() {
		a := hlo.Alias{OutputIndex: p.shapeIndex()}
		p.expect(kindColon, "behind an output index")
		p.expect(kindLeftParen, "in front of a parameter number")
		a.Param = p.integer()
		p.expect(kindComma, "behind a parameter number")
		a.ParamIndex = p.shapeIndex()
		if p.accept(kindComma) {
			kind := p.tok
			if a.Must = p.name() == "must-alias"; !a.Must && kind.text != "may-alias" {
				p.failAt(kind.pos, "expects must-alias or may-alias, got %v", kind)
			}
		}
		p.expect(kindRightParen, "behind an alias")
		list = append(list, a)
	})
	byOutput := func(a, b hlo.Alias) int { return slices.Compare(a.OutputIndex, b.OutputIndex) }
	sort.SliceStable(list, func(i, j int) bool { return byOutput(list[i], list[j]) < 0 })
	return slices.CompactFunc(list, func(a, b hlo.Alias) bool { return byOutput(a, b) == 0 })
}

// donors reads { (0, {1}), ... }.
func (p *parser) donors() []hlo.Donor {
	list := []hlo.Donor{}
	p.entries(func() {
		var d hlo.Donor
		p.expect(kindLeftParen, "in front of a parameter number")
		pos := p.tok.pos
		d.Param = p.integer()
		if d.Param < 0 {
			p.failAt(pos, "expects a parameter number from 0 on, got %d", d.Param)
		}
		p.expect(kindComma, "behind a parameter number")
		d.Index = p.shapeIndex()
		p.expect(kindRightParen, "behind a buffer donor")
		list = append(list, d)
	})
	order := func(a, b hlo.Donor) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), slices.Compare(a.Index, b.Index))
	}
	sort.SliceStable(list, func(i, j int) bool { return order(list[i], list[j]) < 0 })
	return slices.CompactFunc(list, func(a, b hlo.Donor) bool { return order(a, b) == 0 })
}

// checkAliases checks that the output indices of the aliases are parts of the result.
func (p *parser) checkAliases(h *header, entry *comp) {
	for _, a := range h.config.InputOutputAlias {
		s := entry.root.shape
		for _, k := range a.OutputIndex {
			if !s.IsTuple() || k < 0 || k >= len(s.Elems) {
				p.failAt(h.aliasPos, "expects an index of the result %v, got %v", entry.root.shape, a.OutputIndex)
				return
			}
			s = s.Elems[k]
		}
	}
}

// debugTables reads the source tables in front of the computations, if there are any.
func (p *parser) debugTables() hlo.DebugTables {
	var t hlo.DebugTables
	if !p.acceptWord("FileNames") {
		return t
	}
	t.FileNames = p.numberedStrings()
	p.expectWord("FunctionNames")
	t.FunctionNames = p.numberedStrings()
	p.expectWord("FileLocations")
	locations := locationFields()
	for p.tok.kind == kindInt {
		l := hlo.FileLocation{ID: p.integer()}
		braceFields(p, &l, &locations)
		t.FileLocations = append(t.FileLocations, l)
	}
	p.expectWord("StackFrames")
	frames := frameFields()
	for p.tok.kind == kindInt {
		f := hlo.StackFrame{ID: p.integer()}
		braceFields(p, &f, &frames)
		t.StackFrames = append(t.StackFrames, f)
	}
	return t
}

func (p *parser) expectWord(word string) {
	if !p.acceptWord(word) {
		p.expected(word)
	}
}

// numberedStrings reads 1 "a" 2 "b" ...
func (p *parser) numberedStrings() []hlo.NumberedString {
	var list []hlo.NumberedString
	for p.tok.kind == kindInt {
		list = append(list, hlo.NumberedString{ID: p.integer(), Text: p.quotedString()})
	}
	return list
}

func locationFields() (f fields[hlo.FileLocation]) {
	number := func(name string, field func(*hlo.FileLocation) *int) {
		f.add(name, true, func(p *parser, l *hlo.FileLocation) { *field(l) = p.int32() })
	}
	number("file_name_id", func(l *hlo.FileLocation) *int { return &l.FileNameID })
	number("function_name_id", func(l *hlo.FileLocation) *int { return &l.FunctionNameID })
	number("line", func(l *hlo.FileLocation) *int { return &l.Line })
	number("end_line", func(l *hlo.FileLocation) *int { return &l.EndLine })
	number("column", func(l *hlo.FileLocation) *int { return &l.Column })
	number("end_column", func(l *hlo.FileLocation) *int { return &l.EndColumn })
	return f
}

func frameFields() (f fields[hlo.StackFrame]) {
	f.add("file_location_id", true, func(p *parser, s *hlo.StackFrame) { s.FileLocationID = p.int32() })
	f.add("parent_frame_id", false, func(p *parser, s *hlo.StackFrame) { s.ParentFrameID = p.int32() })
	return f
}
