package hlotext

import (
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// maxProfileType is the largest number of a profile type.
const maxProfileType = 3

// metadata is what metadata fields are read into.
type metadata = hlo.Metadata

func metadataFieldTable() (f fields[metadata]) {
	text := func(name string, field func(*metadata) *string) {
		f.add(name, false, func(p *parser, m *metadata) { *field(m) = p.quotedString() })
	}
	number := func(name string, field func(*metadata) *int) {
		f.add(name, false, func(p *parser, m *metadata) { *field(m) = p.int32() })
	}
	text("op_type", func(m *metadata) *string { return &m.OpType })
	text("op_name", func(m *metadata) *string { return &m.OpName })
	text("source_file", func(m *metadata) *string { return &m.SourceFile })
	text("deduplicated_name", func(m *metadata) *string { return &m.DeduplicatedName })
	text("scheduling_name", func(m *metadata) *string { return &m.SchedulingName })
	text("metadata_payload", func(m *metadata) *string { return &m.Payload })
	number("source_line", func(m *metadata) *int { return &m.SourceLine })
	number("source_end_line", func(m *metadata) *int { return &m.SourceEndLine })
	number("source_column", func(m *metadata) *int { return &m.SourceColumn })
	number("source_end_column", func(m *metadata) *int { return &m.SourceEndColumn })
	number("stack_frame_id", func(m *metadata) *int { return &m.StackFrameID })
	f.add("profile_type", false, (*parser).profileTypes)
	return f
}

func (p *parser) profileTypes(m *metadata) {
	m.ProfileType = braced(p, func() int {
		pos := p.tok.pos
		t := p.integer()
		if t < 0 || t > maxProfileType {
			p.failAt(pos, "expects a profile type in [0, %d], got %d", maxProfileType, t)
		}
		return t
	})
}

// metadataAttribute reads {op_name="a" source_line=3}.
func (p *parser) metadataAttribute() *hlo.Metadata {
	m := &hlo.Metadata{}
	braceFields(p, m, &p.tables.metadata)
	return m
}

// metadataTexts reads the metadata of a sharding, one or a list in braces, and
// returns the text of each as it is printed, without the braces.
func (p *parser) metadataTexts() []string {
	one := func() string {
		out := newPrinter(nil, nil, Options{})
		fields := metadataFields{p: out}
		fields.all(p.metadataAttribute())
		return p.intern(string(out.dst))
	}
	if p.tok.kind == kindLeftBrace && p.peek().kind == kindLeftBrace {
		return braced(p, one)
	}
	return []string{one()}
}

// frontendAttributes reads {a="x",b={json}} and returns them sorted; the last of equal keys counts.
func (p *parser) frontendAttributes() []hlo.KeyValue {
	var list []hlo.KeyValue
	p.list(kindLeftBrace, kindRightBrace, func() {
		list = append(list, hlo.KeyValue{Key: p.intern(p.attributeName()), Value: p.stringOrDict()})
	})
	sort.SliceStable(list, func(a, b int) bool { return list[a].Key < list[b].Key })
	last := list[:0]
	for i, kv := range list {
		if i+1 == len(list) || list[i+1].Key != kv.Key {
			last = append(last, kv)
		}
	}
	return last
}

// statistics reads {visualizing_index=0,mean=0.5,max=2}.
func (p *parser) statistics() *hlo.Statistics {
	s := &hlo.Statistics{}
	first := true
	p.list(kindLeftBrace, kindRightBrace, func() {
		name := p.attributeName()
		if first {
			first = false
			s.Index = p.integer()
			return
		}
		if p.tok.kind != kindInt && p.tok.kind != kindDecimal {
			p.expected("a number")
			return
		}
		value := p.tok.decimal
		if p.tok.kind == kindInt {
			value = float64(p.tok.integer)
		}
		p.advance()
		s.Items = append(s.Items, hlo.Statistic{Name: p.intern(name), Value: value})
	})
	return s
}

// shapedLiteral reads a literal with its shape in front: s32[2]{0} {1, 2}.
func (p *parser) shapedLiteral() literal.Literal {
	if p.tok.kind != kindLeftParen {
		s := p.shape()
		return p.literal(s)
	}
	defer p.leave()
	if !p.enter() {
		return literal.Literal{}
	}
	var elems []literal.Literal
	p.list(kindLeftParen, kindRightParen, func() { elems = append(elems, p.shapedLiteral()) })
	return literal.MakeTuple(elems...)
}

func commonFields() (f fields[target]) {
	f.add("sharding", false, func(p *parser, t *target) { t.outer.common.sharding = p.shardingAttribute() })
	f.add("frontend_attributes", false, func(p *parser, t *target) { t.outer.common.frontend = p.frontendAttributes() })
	f.add("statistics", false, func(p *parser, t *target) { t.outer.common.statistics = p.statistics() })
	f.add("origin", false, func(p *parser, t *target) { t.outer.common.origin = p.origin() })
	f.add("metadata", false, func(p *parser, t *target) { t.outer.common.metadata = p.metadataAttribute() })
	f.add("backend_config", false, func(p *parser, t *target) { t.outer.common.backendConfig = p.stringOrDict() })
	f.add("control-predecessors", false, (*parser).controlPredecessors)
	f.add("parameter_replication", false, func(p *parser, t *target) {
		if pos := p.tok.pos; t.outer.code != op.Parameter {
			p.booleans()
			p.failAt(pos, "expects parameter_replication on a parameter only")
		}
	})
	return f
}

// controlPredecessors reads {%a, %b}, at least one.
func (p *parser) controlPredecessors(t *target) {
	p.expect(kindLeftBrace, "in front of instruction names")
	for more := true; more; more = p.accept(kindComma) {
		pos := p.tok.pos
		name := p.name()
		n := p.scope.named[name]
		if n == nil {
			p.failAt(pos, "expects an instruction defined before, got %q", name)
		}
		t.outer.common.preds = append(t.outer.common.preds, n)
	}
	p.expect(kindRightBrace, "behind instruction names")
}

// finishCommon checks the common attributes of n against its shape.
func (p *parser) finishCommon(n *node) {
	n.shareWithBody()
	n.common.sharding = p.normalized(n.common.sharding, n.shape)
	if a, ok := n.attrs.(*op.ParameterAttrs); ok && a.Replication != nil {
		want := leaves(n.shape, len(a.Replication)+1)
		if want != len(a.Replication) {
			p.fail("expects one flag in parameter_replication for each leaf of %v, got %d", n.shape, len(a.Replication))
		}
	}
}
