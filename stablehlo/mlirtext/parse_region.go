package mlirtext

import (
	"github.com/goxla/xla/stablehlo"
)

// blockArg is an argument of the entry block that a short form names before the region.
type blockArg struct {
	operand
	typ     stablehlo.Type
	loc     stablehlo.Location
	pending int // place of its location among the pending ones plus 1; 0: not pending
}

// parseRegion reads { blocks } as the next region of op. The entry block has the
// arguments args if there are any; else its label may give them.
func (p *parser) parseRegion(op *stablehlo.Op, args []blockArg) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	isolated := op.Info != nil && op.Info.Has(stablehlo.Isolated)
	if isolated {
		p.pushScope()
	}
	err := p.parseBlocks(op, args)
	if isolated {
		if e := p.popScope(); err == nil {
			err = e
		}
	}
	return err
}

// defaultDialects are the dialects whose names may stand without a prefix directly in
// the region of an operation.
var defaultDialects = map[string]string{"builtin.module": "builtin", "func.func": "func"}

// parseBlocks reads the blocks of a region up to }.
func (p *parser) parseBlocks(op *stablehlo.Op, args []blockArg) error {
	s := p.values
	names, blocks, dialect := len(s.defined), s.blocks, p.dialect
	s.blocks = map[string]*blockName{}
	p.dialect = defaultDialects[op.Name]
	r := op.AddRegion()
	err := p.parseBody(r, args)
	s.endRegion(names)
	s.blocks, p.dialect = blocks, dialect
	return err
}

func (p *parser) parseBody(r *stablehlo.Region, args []blockArg) error {
	if len(args) == 0 && p.accept("}") {
		return nil
	}
	if args != nil || p.peek() != '^' {
		b := &stablehlo.Block{Region: r}
		r.Blocks = append(r.Blocks, b)
		for _, a := range args {
			if err := p.addArg(b, a); err != nil {
				return err
			}
		}
		if err := p.parseOps(b); err != nil {
			return err
		}
	}
	for !p.accept("}") {
		if err := p.parseBlock(r); err != nil {
			return err
		}
	}
	if name, b := p.values.undefinedBlock(); b != nil {
		return p.errorAt(b.pos, "expected a defined block, got ^%s", name)
	}
	return nil
}

// parseOps reads operations up to the next label or the end of the region.
func (p *parser) parseOps(b *stablehlo.Block) error {
	for {
		switch c := p.peek(); {
		case c == '}', c == '^':
			return nil
		case p.atEnd():
			return p.expected(`"}"`)
		}
		if err := p.parseOp(b); err != nil {
			return err
		}
	}
}

// blockLabel reads ^name.
func (p *parser) blockLabel() (string, stablehlo.Pos, error) {
	pos := p.place()
	if p.peek() != '^' {
		return "", pos, p.expected("the label of a block such as ^bb0")
	}
	p.pos++
	name := p.suffix()
	if name == "" {
		return "", pos, p.expected("a name after \"^\"")
	}
	return name, pos, nil
}

// parseBlock reads ^name(arguments): operations.
func (p *parser) parseBlock(r *stablehlo.Region) error {
	name, pos, err := p.blockLabel()
	if err != nil {
		return err
	}
	b := p.blockByName(name, pos)
	if b.defined {
		return p.errorAt(pos, "expected a new label of a block, got ^%s again", name)
	}
	b.defined = true
	b.block.Region = r
	r.Blocks = append(r.Blocks, b.block)
	if p.accept("(") {
		if err := p.list(")", func() error { return p.parseBlockArg(b.block) }); err != nil {
			return err
		}
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	return p.parseOps(b.block)
}

// parseBlockArg reads %name: type loc(...).
func (p *parser) parseBlockArg(b *stablehlo.Block) error {
	o, ok, err := p.parseOperand()
	if err != nil {
		return err
	}
	if !ok {
		return p.expected("an argument such as %x")
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	t, err := p.parseType()
	if err != nil {
		return err
	}
	if err := p.addArg(b, blockArg{operand: o, typ: t}); err != nil {
		return err
	}
	return p.parseTrailingLoc(&b.Args[len(b.Args)-1].Loc)
}

// addArg appends an argument to a block and defines its name.
func (p *parser) addArg(b *stablehlo.Block, a blockArg) error {
	v := []*stablehlo.Value{{Type: a.typ, Block: b, Index: len(b.Args), Loc: a.loc}}
	if err := p.define(a.pos, a.name, v); err != nil {
		return err
	}
	if a.pending > 0 {
		p.pending[a.pending-1].to = &v[0].Loc
	}
	b.Args = append(b.Args, v[0])
	return nil
}

// argLoc reads loc(...) of an argument that is not made yet.
func (p *parser) argLoc(a *blockArg) error {
	n := len(p.pending)
	err := p.parseTrailingLoc(&a.loc)
	if len(p.pending) > n {
		a.pending = n + 1
	}
	return err
}
