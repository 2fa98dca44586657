package hlotext

import (
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// String returns m in the form that o chooses.
func String(m *hlo.Module, o Options) string { return string(Append(nil, m, o)) }

// Append appends m in the form that o chooses, byte for byte as XLA prints it. In
// the zero Options' form, and in all others that leave out nothing of weight, the
// text reads back as an equal module.
func Append(dst []byte, m *hlo.Module, o Options) []byte {
	p := newPrinter(dst, m, o)
	p.module(m)
	return p.dst
}

// AppendComputation appends one computation, without a newline behind it.
func AppendComputation(dst []byte, c *hlo.Computation, o Options) []byte {
	p := newPrinter(dst, c.Module(), o)
	p.computation(c)
	return p.dst
}

// AppendInstruction appends one instruction on one line, without a newline. As in
// XLA, with CanonicalNames neither its name nor those of its operands are printed.
func AppendInstruction(dst []byte, i *hlo.Instruction, o Options) []byte {
	var m *hlo.Module
	if c := i.Computation(); c != nil {
		m = c.Module()
	}
	p := newPrinter(dst, m, o)
	p.instruction(i)
	return p.dst
}

// InstructionText returns i in the default form, as error messages quote it.
func InstructionText(i *hlo.Instruction) string { return string(AppendInstruction(nil, i, Options{})) }

// printer appends text to dst. It goes down into called computations where they are
// printed in place; what belongs to one level is saved in frames.
type printer struct {
	dst    []byte
	o      Options
	indent int
	frame  frame
	// stackFrames maps a stack frame of the module to its index in the table.
	stackFrames map[int]int
	debug       *hlo.DebugTables
	active      map[*hlo.Computation]bool // being printed in place
	starts      map[*hlo.Instruction]*hlo.Instruction
	noFrontend  bool // frontend attributes are left out
}

// frame is the state of printing one computation: the canonical number of each
// instruction, less one, by id. Without numbers names are left out.
type frame struct {
	numbers []int32
	last    int32
}

func newPrinter(dst []byte, m *hlo.Module, o Options) *printer {
	p := &printer{dst: dst, o: o}
	if m == nil || len(m.Debug.StackFrames) == 0 {
		return p
	}
	p.debug = &m.Debug
	p.stackFrames = map[int]int{}
	for k, f := range m.Debug.StackFrames {
		p.stackFrames[f.ID] = k
	}
	return p
}

func (p *printer) text(s string)    { p.dst = append(p.dst, s...) }
func (p *printer) quoted(s string)  { p.dst = op.AppendQuoted(p.dst, s) }
func (p *printer) attr(name string) { p.dst = append(append(append(p.dst, ", "...), name...), '=') }

// tab appends the indentation of the current level and n more.
func (p *printer) tab(n int) {
	for range p.indent + n {
		p.text("  ")
	}
}

// name appends the name of an instruction or computation.
func (p *printer) name(s string) {
	if !p.o.OmitPercent {
		p.dst = append(p.dst, '%')
	}
	if p.o.OmitIDs {
		s, _, _ = strings.Cut(s, ".")
	}
	p.text(s)
}

// join calls item for each element of list, with sep between.
func join[T any](p *printer, list []T, sep string, item func(T)) {
	for k, e := range list {
		if k > 0 {
			p.text(sep)
		}
		item(e)
	}
}
