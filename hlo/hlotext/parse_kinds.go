package hlotext

import (
	"math"
	"reflect"

	"github.com/goxla/xla/op"
)

// readKind reads the value of the attribute called name into dst, a pointer to its Go type.
type readKind func(p *parser, name string, dst any)

// tables tell how things are read. They are built once a module, because they and the functions
// in them need each other.
type tables struct {
	kinds      map[reflect.Type]readKind
	forms      map[op.Code]form
	extensions map[op.Code]func(*fields[target])
	common     fields[target]
	async      fields[target]
	aliasing   fields[target]
	calls      fields[target] // of async-start
	maybeCalls fields[target] // of what follows it
	metadata   fields[metadata]
	domain     fields[op.DomainSpec]
	window     fields[window]
	sharding   map[string]func(*parser, *shardingText)
}

func newTables() *tables {
	t := &tables{kinds: kindTable(), forms: formTable(), extensions: extensionTable(), sharding: shardingTable()}
	t.common = commonFields()
	t.async, t.aliasing = asyncAttributes(), aliasingAttribute()
	t.calls, t.maybeCalls = callsAttribute(true), callsAttribute(false)
	t.metadata = metadataFieldTable()
	t.domain = domainFields()
	t.window = windowFields()
	return t
}

// kindTable has a reader for each type of a field in an attribute struct.
func kindTable() map[reflect.Type]readKind {
	return collectKinds(
		kindOf((*parser).boolean),
		kindOf((*parser).integer),
		kindOf((*parser).float32),
		kindOf((*parser).quotedString),
		kindOf((*parser).integers),
		kindOf((*parser).integerLists),
		kindOf((*parser).booleans),
		kindOf((*parser).optionalInt),
		kindOf((*parser).triState),
		kindOf((*parser).precisions),
		kindOf((*parser).outputAliasing),
		kindOf((*parser).windowAttribute),
		kindOf((*parser).padding),
		kindOf((*parser).slices),
		kindOf((*parser).dimLabels),
		kindOf((*parser).replicaGroups),
		kindOf((*parser).resultAccuracy),
		kindOf((*parser).sparsityConfig),
		kindOf((*parser).operandLayouts),
		kindOf((*parser).domain),
		kindOf((*parser).shape),
		kindOf((*parser).shapedLiteral),
		kindOf(enum(op.ParseDirection, "a comparison direction")),
		kindOf(enum(op.ParseComparisonType, "a comparison type")),
		kindOf(enum(op.ParseTransposeKind, "a transposition")),
		kindOf(enum(op.ParseFftType, "an FFT type")),
		kindOf(enum(anyCase(op.ParseDistribution), "a distribution")),
		kindOf(enum(anyCase(op.ParseRngAlgorithm), "a random algorithm")),
		kindEntry{reflect.TypeFor[op.Word](), func(p *parser, name string, dst any) {
			*dst.(*op.Word) = p.legalWord(name)
		}},
	)
}

type kindEntry struct {
	typ  reflect.Type
	read readKind
}

// kindOf makes an entry from a method that reads a T.
func kindOf[T any](read func(*parser) T) kindEntry {
	return kindEntry{reflect.TypeFor[T](), func(p *parser, _ string, dst any) { *dst.(*T) = read(p) }}
}

func collectKinds(entries ...kindEntry) map[reflect.Type]readKind {
	m := make(map[reflect.Type]readKind, len(entries))
	for _, e := range entries {
		m[e.typ] = e.read
	}
	return m
}

func (p *parser) float32() float32 {
	pos := p.tok.pos
	value := p.number()
	if math.Abs(value) > math.MaxFloat32 {
		p.failAt(pos, "expects a number of 32 bits, got %v", value)
	}
	return float32(value)
}

func (p *parser) optionalInt() op.OptInt { return op.Some(p.integer()) }

func (p *parser) triState() op.TriState {
	if p.boolean() {
		return op.True
	}
	return op.False
}

func (p *parser) precisions() []op.Precision {
	read := enum(anyCase(op.ParsePrecision), "a precision")
	return braced(p, func() op.Precision { return read(p) })
}

// outputAliasing reads {{0}: (1, {}), ...}; a comma may follow the last entry.
func (p *parser) outputAliasing() []op.OutputAliasing {
	list := []op.OutputAliasing{}
	p.entries(func() {
		a := op.OutputAliasing{OutputIndex: p.shapeIndex()}
		p.expect(kindColon, "behind the output index")
		p.expect(kindLeftParen, "in front of the operand")
		a.Operand = p.integer()
		p.expect(kindComma, "behind the operand")
		a.OperandIndex = p.shapeIndex()
		p.expect(kindRightParen, "behind the operand index")
		list = append(list, a)
	})
	return list
}

// entries reads items in braces with commas between them; one may follow the last.
func (p *parser) entries(item func()) {
	p.expect(kindLeftBrace, "at the start of a list")
	for p.ok() && p.tok.kind != kindRightBrace {
		item()
		if !p.accept(kindComma) {
			break
		}
	}
	p.expect(kindRightBrace, "at the end of a list")
}

func (p *parser) operandLayouts() *op.OperandLayouts { return &op.OperandLayouts{Shapes: p.shapes()} }

// dimLabels reads b01f_01io->b01f.
func (p *parser) dimLabels() op.DimLabels {
	if p.tok.kind != kindDimLabels {
		p.expected("dimension labels such as b01f_01io->b01f")
		return op.DimLabels{}
	}
	labels, err := op.ParseDimLabels(p.tok.text)
	if err != nil {
		p.failWith(p.tok.pos, err)
		return op.DimLabels{}
	}
	p.advance()
	return labels
}

// slices reads {[2:6], [0:4:2]}.
func (p *parser) slices() op.SliceRanges {
	return braced(p, func() op.SliceRange {
		pos := p.tok.pos
		var parts []int
		p.separated(kindLeftSquare, kindColon, kindRightSquare, func() { parts = append(parts, p.integer()) })
		if len(parts) != 2 && len(parts) != 3 {
			p.failAt(pos, "expects [start:limit] or [start:limit:stride], got %d numbers", len(parts))
			return op.SliceRange{}
		}
		return op.SliceRange{Start: parts[0], Limit: parts[1], Stride: append(parts, 1)[2]}
	})
}

// domain reads {kind="sharding", entry={...}, exit={...}}.
func (p *parser) domain() op.DomainSpec {
	var d op.DomainSpec
	braceFields(p, &d, &p.tables.domain)
	if d.Kind != "sharding" {
		p.fail("expects the domain kind sharding, got %q", d.Kind)
	}
	return d
}

func domainFields() (f fields[op.DomainSpec]) {
	f.add("kind", true, func(p *parser, d *op.DomainSpec) { d.Kind = p.quotedString() })
	f.add("entry", true, func(p *parser, d *op.DomainSpec) { d.Entry = p.shardingAttribute() })
	f.add("exit", true, func(p *parser, d *op.DomainSpec) { d.Exit = p.shardingAttribute() })
	return f
}

// resultAccuracy reads {mode=highest} or {tolerance={atol=0,rtol=1e-05,ulps=2}}.
func (p *parser) resultAccuracy() op.ResultAccuracy {
	var r op.ResultAccuracy
	p.expect(kindLeftBrace, "in front of a result accuracy")
	pos := p.tok.pos
	switch name := p.attributeName(); {
	case !p.ok():
	case name == "mode":
		r.Mode = p.legalWord("result_accuracy")
	case name == "tolerance":
		r.HasTolerance = true
		p.list(kindLeftBrace, kindRightBrace, func() { p.tolerance(&r) })
	default:
		p.failAt(pos, "expects mode or tolerance, got %q", name)
	}
	p.expect(kindRightBrace, "behind a result accuracy")
	return r
}

func (p *parser) tolerance(r *op.ResultAccuracy) {
	pos := p.tok.pos
	name := p.attributeName()
	value := p.number()
	switch {
	case !p.ok():
	case name == "ulps":
		r.ULPs = int(value)
	case name == "rtol":
		r.RTol = value
	case name == "atol":
		r.ATol = value
	default:
		p.failAt(pos, "expects atol, rtol or ulps, got %q", name)
	}
}

// sparsityConfig reads {lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={...}}; commas may
// stand between the parts.
func (p *parser) sparsityConfig() *op.SparsityConfig {
	var c op.SparsityConfig
	p.looseFields(func(name string) bool {
		switch name {
		case "lhs":
			c.LHS = p.sparsity()
		case "rhs":
			c.RHS = p.sparsity()
		default:
			return false
		}
		return true
	})
	return &c
}

func (p *parser) sparsity() *op.Sparsity {
	var s op.Sparsity
	p.looseFields(func(name string) bool {
		switch name {
		case "sparsity":
			if kept := p.sizes(); len(kept) == 2 {
				s.A, s.B = kept[0], kept[1]
			} else {
				p.fail("expects a sparsity AxB, got %d numbers", len(kept))
			}
		case "dimension":
			s.Dimension = p.integer()
		case "stride":
			s.Stride = p.integer()
		case "idx":
			s.Idx = p.integer()
		default:
			return false
		}
		return true
	})
	return &s
}

// looseFields reads {name=value name=value}, with or without commas. read says whether it knows the name.
func (p *parser) looseFields(read func(name string) bool) {
	p.expect(kindLeftBrace, "at the start of attributes")
	for p.ok() && p.tok.kind != kindRightBrace {
		p.accept(kindComma)
		pos := p.tok.pos
		if name := p.attributeName(); p.ok() && !read(name) {
			p.failAt(pos, "expects a known attribute, got %q", name)
		}
	}
	p.expect(kindRightBrace, "at the end of attributes")
}
