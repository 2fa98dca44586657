package hlotext

import (
	"maps"
	"slices"
	"strings"

	"github.com/goxla/xla/op"
)

// fields are attributes that may come in any order, by name: each has a function that
// reads its value into a T.
type fields[T any] struct {
	read     map[string]func(*parser, *T)
	required []string // in order
}

// add adds an attribute.
func (f *fields[T]) add(name string, required bool, read func(*parser, *T)) {
	if f.read == nil {
		f.read = map[string]func(*parser, *T){}
	}
	f.read[name] = read
	if required {
		f.required = append(f.required, name)
		slices.Sort(f.required)
	}
}

// attribute reads one attribute of sets that is not in seen, and adds it there.
func attribute[T any](p *parser, to *T, seen *[]string, sets ...*fields[T]) {
	pos := p.tok.pos
	name := p.attributeName()
	if !p.ok() {
		return
	}
	if slices.Contains(*seen, name) {
		p.failAt(pos, "expects the attribute %s once", name)
		return
	}
	*seen = append(*seen, name)
	for _, set := range sets {
		if read := set.read[name]; read != nil {
			read(p, to)
			p.nameAttribute(name)
			return
		}
	}
	p.failAt(pos, "expects one of the attributes %s, got %q", strings.Join(allNames(sets), ", "), name)
}

// nameAttribute completes an error in the attribute called name.
func (p *parser) nameAttribute(name string) {
	if p.err != nil && p.err.Attr == "" && p.err.Instr == "" {
		p.err.Attr = name
	}
}

// requireAll fails at start for the first required attribute that is not in seen.
func requireAll[T any](p *parser, start int, seen []string, sets ...*fields[T]) {
	var names []string
	for _, set := range sets {
		for _, name := range set.required {
			if !slices.Contains(seen, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		p.failAt(start, "expects the attribute %s", slices.Min(names))
	}
}

func allNames[T any](sets []*fields[T]) []string {
	all := map[string]bool{}
	for _, set := range sets {
		for name := range set.read {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// braceFields reads {name=value name=value}; commas may stand in front of names.
func braceFields[T any](p *parser, to *T, set *fields[T]) {
	start := p.tok.pos
	var seen []string
	if !p.expect(kindLeftBrace, "at the start of attributes") {
		return
	}
	for p.ok() && p.tok.kind != kindRightBrace {
		p.accept(kindComma)
		attribute(p, to, &seen, set)
	}
	requireAll(p, start, seen, set)
	p.expect(kindRightBrace, "at the end of attributes")
}

// target is what the attributes of an instruction are read into: the instruction and, for
// the short form of an asynchronous one, the operation that it wraps; otherwise the
// two are the same.
type target struct{ outer, inner *node }

// opPlan is what the attributes of an opcode are.
type opPlan struct {
	own  fields[target]
	zero op.Attrs // with no attribute set; shared by instructions without any
}

// planOf returns the attributes of c; the common ones are not among them.
func (p *parser) planOf(c op.Code) *opPlan {
	if p.plans[c] == nil {
		p.plans[c] = p.makePlan(c)
	}
	return p.plans[c]
}

func (p *parser) makePlan(c op.Code) *opPlan {
	info := c.Info()
	plan := &opPlan{zero: op.NewAttrs(c)}
	for _, f := range op.Plan(info.Attrs) {
		if f.Flags.Has(op.FieldBare) {
			continue
		}
		read := p.tables.kinds[f.Type]
		plan.own.add(f.Name, f.Flags.Has(op.FieldRequired), func(p *parser, t *target) {
			read(p, f.Name, f.Pointer(t.inner.ownAttrs()))
		})
	}
	if info.Calls != nil {
		addCalled(&plan.own, info.Calls)
	}
	if extend := p.tables.extensions[c]; extend != nil {
		extend(&plan.own)
	}
	return plan
}

// addCalled adds the attributes that name called computations.
func addCalled(own *fields[target], calls *op.Calls) {
	if calls.List {
		own.add(calls.Names[0], !calls.Optional, func(p *parser, t *target) {
			t.inner.called = braced(p, p.computationReference)
		})
		return
	}
	for k, name := range calls.Names {
		own.add(name, !calls.Optional, func(p *parser, t *target) {
			t.inner.setCalled(k, p.computationReference())
		})
	}
}

func (n *node) setCalled(k int, c *comp) {
	for len(n.called) <= k {
		n.called = append(n.called, nil)
	}
	n.called[k] = c
}

// computationReference reads the name of a computation, or one in place in braces.
func (p *parser) computationReference() *comp {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	pos := p.tok.pos
	if p.tok.kind == kindLeftBrace {
		return p.body("_", pos)
	}
	name := p.name()
	c := p.byName[name]
	if c == nil {
		p.failAt(pos, "expects a computation defined before, got %q", name)
	}
	return c
}

// attributeList reads `, name=value` as often as it comes, and checks that the
// required ones come. Nested instructions cannot have attributes.
func (p *parser) attributeList(t *target, nested bool, sets ...*fields[target]) {
	start := p.tok.pos
	var seen []string
	sets = append(sets, &p.tables.common)
	for !nested && p.accept(kindComma) {
		attribute(p, t, &seen, sets...)
	}
	requireAll(p, start, seen, sets...)
}
