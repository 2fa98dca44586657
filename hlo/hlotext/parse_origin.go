package hlotext

import (
	"slices"
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// origin reads {{"a"}}, {({"a" {0}}, {"b"})} or {[synthetic_call]} and keeps it as it is printed.
func (p *parser) origin() *hlo.Origin {
	p.expect(kindLeftBrace, "in front of an origin")
	var text []byte
	if p.accept(kindLeftSquare) {
		if !p.acceptWord("synthetic_call") {
			p.expected("synthetic_call")
		}
		p.expect(kindRightSquare, "behind synthetic_call")
		text = append(text, "[synthetic_call]"...)
	} else if p.tok.kind != kindRightBrace {
		text = p.originTree(text)
	}
	p.expect(kindRightBrace, "behind an origin")
	return &hlo.Origin{Text: p.intern(string(text))}
}

// originTree appends one leaf, or a tuple of them.
func (p *parser) originTree(text []byte) []byte {
	if p.tok.kind != kindLeftParen {
		leaf := p.originLeaf()
		return append(append(append(text, '{'), leaf...), '}')
	}
	defer p.leave()
	if !p.enter() {
		return text
	}
	text = append(text, '(')
	first := true
	p.list(kindLeftParen, kindRightParen, func() {
		if !first {
			text = append(text, ", "...)
		}
		first = false
		text = p.originTree(text)
	})
	return append(text, ')')
}

// originLeaf reads {"name" {0,1}}, {"name"} or {} and returns what stands in the braces as it is printed.
func (p *parser) originLeaf() string {
	p.expect(kindLeftBrace, "in front of the origin of a value")
	var text []byte
	if p.tok.kind == kindString {
		text = op.AppendQuoted(text, p.quotedString())
		if p.tok.kind == kindLeftBrace {
			index := newPrinter(append(text, ' '), nil, Options{})
			if list := p.shapeIndex(); len(list) > 0 {
				index.index(list)
				text = index.dst
			}
		}
	}
	p.expect(kindRightBrace, "behind the origin of a value")
	return string(text)
}

// originRecovery reads the table { {"old"} : {"new"}, "module" ... }. The modules are whole programs
// in strings.
func (p *parser) originRecovery() []hlo.Recovery {
	var table []hlo.Recovery
	p.expect(kindLeftBrace, "in front of a table")
	for p.ok() && p.tok.kind != kindRightBrace {
		r := hlo.Recovery{Old: p.intern(p.originLeaf())}
		p.expect(kindColon, "behind the value that is gone")
		r.New = p.intern(p.originLeaf())
		if p.accept(kindComma) {
			r.Module = p.recoveryModule()
		}
		table = append(table, r)
	}
	p.expect(kindRightBrace, "behind a table")
	sort.SliceStable(table, func(i, j int) bool { return table[i].Old < table[j].Old })
	return slices.CompactFunc(table, func(a, b hlo.Recovery) bool { return a.Old == b.Old })
}

func (p *parser) recoveryModule() *hlo.Module {
	pos := p.tok.pos
	if p.tok.kind != kindString {
		p.expected("a module in a string")
		return nil
	}
	text := p.tok.text
	p.advance()
	if p.counts.modules++; p.counts.modules > maxRecoveryModules {
		p.failAt(pos, "expects at most %d modules in a table", maxRecoveryModules)
	}
	if !p.ok() {
		return nil
	}
	m, err := parse(text, ParseOptions{}, p.depth+1)
	if err != nil {
		p.failAt(pos, "expects a module in the string: %w", err)
	}
	return m
}

// debugAttributes reads { {"a"}:({log_mode=default,callback_id=1}), ... } and keeps the text as it stands.
func (p *parser) debugAttributes() string {
	start := p.tok.pos
	p.list(kindLeftBrace, kindRightBrace, func() {
		p.originLeaf()
		p.expect(kindColon, "behind a value")
		if p.tok.kind == kindLeftParen {
			p.list(kindLeftParen, kindRightParen, p.debugAttribute)
		} else {
			p.debugAttribute()
		}
	})
	if !p.ok() {
		return ""
	}
	end := start + len("{") // behind the last brace, before what follows
	for k := p.tok.pos; k > start; k-- {
		if p.text[k-1] == '}' {
			end = k
			break
		}
	}
	return p.intern(p.text[start:end])
}

// debugAttribute reads {log_mode=default,callback_id=1,partitioned=true,op_id=0}, at least one part.
func (p *parser) debugAttribute() {
	p.expect(kindLeftBrace, "in front of debug attributes")
	for more := true; more; more = p.accept(kindComma) {
		pos := p.tok.pos
		switch name := p.attributeName(); {
		case !p.ok():
		case name == "log_mode":
			if mode := p.tok; p.name() != "default" && mode.text != "fusion_debugger" {
				p.failAt(mode.pos, "expects default or fusion_debugger, got %v", mode)
			}
		case name == "partitioned":
			p.boolean()
		case name == "callback_id" || name == "op_id":
			p.integer()
		default:
			p.failAt(pos, "expects log_mode, callback_id, op_id or partitioned, got %q", name)
		}
	}
	p.expect(kindRightBrace, "behind debug attributes")
}
