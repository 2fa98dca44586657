package mlirtext

import (
	"github.com/goxla/xla/stablehlo"
)

// Options say how a module is printed. The zero value prints short forms without
// locations, as MLIR's tools do.
type Options struct {
	// Generic: every operation in the generic form.
	Generic bool
	// Locations: with the locations of operations and arguments.
	Locations bool
}

// Print returns the module as text, which Parse reads back. Values are numbered as
// MLIR numbers them, so that equal modules have equal text.
func Print(m *stablehlo.Module, o Options) string { return string(AppendText(nil, m, o)) }

// AppendText appends the module as text.
func AppendText(dst []byte, m *stablehlo.Module, o Options) []byte {
	p := &printer{dst: dst, forms: forms(), generic: o.Generic, names: nameValues(m.Op, o.Generic)}
	if !o.Generic {
		p.dialect = "builtin"
	}
	if o.Locations {
		p.locs = nameLocations(m.Op, o.Generic)
		p.printAliases(false)
	}
	p.printOp(m.Op)
	p.dst = append(p.dst, '\n')
	p.printAliases(true)
	p.printResources(m)
	return p.dst
}

// printer writes one module.
type printer struct {
	dst     []byte
	forms   formTable
	generic bool
	names   *valueNames
	locs    *locationNames // nil: without locations
	indent  int            // spaces before an operation
	dialect string         // whose prefix is left out
	space   bool           // in a short form: a space comes before the next element
	punct   bool           // in a short form: the last element was punctuation
}

// write appends text.
func (p *printer) write(text string) { p.dst = append(p.dst, text...) }

// newline begins a line.
func (p *printer) newline() {
	p.write("\n")
	for range p.indent {
		p.dst = append(p.dst, ' ')
	}
}

// printOp writes an operation with its results and location.
func (p *printer) printOp(op *stablehlo.Op) {
	if len(op.Results) > 0 {
		p.dst = append(p.names.appendResults(p.dst, op), " = "...)
	}
	f := p.forms.of(op.Info)
	if p.generic || f == nil || !fits(op, f) || !p.printShort(op, f) {
		p.printGeneric(op)
	}
	p.printLoc(op.Loc, true)
}

// printShort writes name and form; if the form cannot show the operation it writes
// nothing and returns false.
func (p *printer) printShort(op *stablehlo.Op, f *form) bool {
	from, space, punct := len(p.dst), p.space, p.punct
	name := op.Name
	if d := len(p.dialect); d > 0 && len(name) > d && name[:d] == p.dialect && name[d] == '.' {
		name = name[d+1:]
	}
	p.write(name)
	p.space, p.punct = true, false
	ok := p.printElements(op, f, f.elements)
	p.space, p.punct = space, punct
	if !ok {
		p.dst = p.dst[:from]
	}
	return ok
}

// printGeneric writes "name"(operands)[successors] <{...}> ({...}) {...} : type.
func (p *printer) printGeneric(op *stablehlo.Op) {
	p.dst = stablehlo.AppendQuoted(p.dst, op.Name)
	p.printGenericRest(op)
}

// printGenericRest writes the generic form after the name.
func (p *printer) printGenericRest(op *stablehlo.Op) {
	p.write("(")
	p.printOperands(op.Operands)
	p.write(")")
	if len(op.Successors) > 0 {
		p.write("[")
		for i, b := range op.Successors {
			p.comma(i)
			p.write(p.names.blocks[b])
		}
		p.write("]")
	}
	if len(op.Props) > 0 {
		p.write(" <")
		p.dst = append(stablehlo.AppendDict(p.dst, op.Props), '>')
	}
	if len(op.Regions) > 0 {
		p.write(" ")
		p.printRegionList(op)
	}
	p.printDict(op.Attrs)
	p.write(" : ")
	p.printSignature(op)
}

// printRegionList writes ({...}, {...}).
func (p *printer) printRegionList(op *stablehlo.Op) {
	p.write("(")
	for i, r := range op.Regions {
		p.comma(i)
		p.printRegion(r, true)
	}
	p.write(")")
}

// comma writes the separator before the i-th element of a list.
func (p *printer) comma(i int) {
	if i > 0 {
		p.write(", ")
	}
}

// printOperands writes values with commas between them.
func (p *printer) printOperands(values []*stablehlo.Value) {
	for i, v := range values {
		p.comma(i)
		p.printValue(v)
	}
}

func (p *printer) printValue(v *stablehlo.Value) { p.dst = p.names.appendUse(p.dst, v) }

// printTypes writes the types of values with commas between them.
func (p *printer) printTypes(values []*stablehlo.Value) {
	for i, v := range values {
		p.comma(i)
		p.dst = v.Type.AppendText(p.dst)
	}
}

// printSignature writes (types) -> types.
func (p *printer) printSignature(op *stablehlo.Op) {
	p.write("(")
	p.printTypes(op.Operands)
	p.write(") -> ")
	p.printTypeOrList(op.Results)
}

// printTypeOrList writes one type, or several or none in parentheses.
func (p *printer) printTypeOrList(values []*stablehlo.Value) {
	if len(values) == 1 {
		if _, function := values[0].Type.(*stablehlo.FunctionType); !function {
			p.printTypes(values)
			return
		}
	}
	p.write("(")
	p.printTypes(values)
	p.write(")")
}

// printDict writes {...} if there are attributes.
func (p *printer) printDict(attrs []stablehlo.NamedAttribute) {
	if len(attrs) > 0 {
		p.dst = stablehlo.AppendDict(append(p.dst, ' '), attrs)
	}
}

// printRegion writes { blocks }; args says whether the entry block shows its arguments.
func (p *printer) printRegion(r *stablehlo.Region, args bool) {
	dialect := p.dialect
	p.dialect = defaultDialects[r.Op.Name]
	if p.generic {
		p.dialect = ""
	}
	p.write("{")
	for i, b := range r.Blocks {
		p.printBlock(b, i > 0 || (args && len(b.Args) > 0) || (len(b.Ops) == 0 && (args || len(r.Blocks) > 1)))
	}
	p.newline()
	p.write("}")
	p.dialect = dialect
}

// printBlock writes the label, if it is asked for, and the operations.
func (p *printer) printBlock(b *stablehlo.Block, label bool) {
	if label {
		p.newline()
		p.write(p.names.blocks[b])
		if len(b.Args) > 0 {
			p.write("(")
			for i, v := range b.Args {
				p.comma(i)
				p.printArg(v)
			}
			p.write(")")
		}
		p.write(":")
	}
	p.indent += 2
	for _, op := range b.Ops {
		p.newline()
		p.printOp(op)
	}
	p.indent -= 2
}

// printArg writes %x: type loc(...).
func (p *printer) printArg(v *stablehlo.Value) {
	p.printValue(v)
	p.write(": ")
	p.dst = v.Type.AppendText(p.dst)
	p.printLoc(v.Loc, false)
}
