package hlotext

import (
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// maxCompactOperands is how many operands CompactOperands leaves.
const maxCompactOperands = 4

// instruction appends i from its name to its last attribute.
func (p *printer) instruction(i *hlo.Instruction) {
	switch {
	case !p.o.CanonicalNames:
		p.name(i.Name())
		p.text(" = ")
	case p.frame.numbers != nil:
		p.canonicalName(i)
		p.text(" = ")
	}
	if !p.o.OmitResultShape {
		p.shape(i.Shape())
		p.text(" ")
	}
	wrapped := p.wrapped(i)
	if wrapped != nil {
		p.text(wrapped.Code().String())
		p.text(strings.TrimPrefix(i.Code().String(), "async"))
	} else {
		p.text(i.Code().String())
	}
	p.text("(")
	p.arguments(i)
	p.text(")")
	p.ownAttributes(i, wrapped)
	p.origin(i)
	p.metadata(i.Metadata)
	p.backendConfig(i.BackendConfig)
}

// wrapped returns the instruction in whose name the asynchronous i is printed:
// custom-call for a pair custom-call-start and custom-call-done. It returns nil
// where i is printed as itself.
func (p *printer) wrapped(i *hlo.Instruction) *hlo.Instruction {
	if p.o.PlainAsync || !isAsync(i.Code()) {
		return nil
	}
	start := p.asyncStart(i)
	if start == nil || len(start.Called()) != 1 || !isOneInstruction(start.Called()[0]) {
		return nil
	}
	return start.Called()[0].Root()
}

// asyncStart returns the async-start at the head of i's chain, nil where the chain
// comes from elsewhere or, in a broken module, from itself. Answers are kept, so that
// long chains take linear time.
func (p *printer) asyncStart(i *hlo.Instruction) *hlo.Instruction {
	at := i
	for steps := 0; at.Code() != op.AsyncStart && p.starts[at] == nil; steps++ {
		if !isAsync(at.Code()) || len(at.Operands()) == 0 || steps > i.Computation().NumIDs() {
			return nil
		}
		at = at.Operand(0)
	}
	if s := p.starts[at]; s != nil {
		at = s
	}
	if p.starts == nil {
		p.starts = map[*hlo.Instruction]*hlo.Instruction{}
	}
	p.starts[i] = at
	return at
}

func isAsync(c op.Code) bool { return c == op.AsyncStart || c == op.AsyncUpdate || c == op.AsyncDone }

// arguments appends what stands in parentheses: operands, or the value of a
// constant, or the number of a parameter.
func (p *printer) arguments(i *hlo.Instruction) {
	switch a := i.Attrs().(type) {
	case *op.ParameterAttrs:
		if !p.o.OmitParameterNumbers {
			p.int(a.Number)
		}
	case *op.ConstantAttrs:
		p.constant(a.Value)
	default:
		p.operands(i.Operands())
	}
}

func (p *printer) operands(operands []*hlo.Instruction) {
	shown := operands
	if p.o.CompactOperands && len(operands) > maxCompactOperands {
		shown = operands[:maxCompactOperands]
	}
	for k, o := range shown {
		if k > 0 {
			p.text(", ")
		}
		if k > 0 && k%5 == 0 && !p.o.OmitIndexComments {
			p.text("/*index=")
			p.int(k)
			p.text("*/")
		}
		p.operand(o)
	}
	if rest := len(operands) - len(shown); rest > 0 {
		p.text(", ...(+")
		p.int(rest)
		p.text(")")
	}
}

func (p *printer) operand(o *hlo.Instruction) {
	blank := ""
	if p.o.OperandShapes {
		p.shape(o.Shape())
		blank = " "
	}
	switch {
	case p.o.CanonicalNames:
		if p.frame.numbers != nil {
			p.text(blank)
			p.canonicalName(o)
		}
	case !p.o.OmitOperandNames:
		p.text(blank)
		p.tupleElement(o)
	}
}

// tupleElement appends the name of o, or x#0#1 where o and its operand are get-tuple-elements
// that are not printed by themselves.
func (p *printer) tupleElement(o *hlo.Instruction) {
	var path []int
	for p.isCompacted(o) {
		path = append(path, o.Attrs().(*op.GetTupleElementAttrs).Index)
		o = o.Operand(0)
	}
	p.name(o.Name())
	for k := range path {
		p.text("#")
		p.int(path[len(path)-1-k])
	}
}

// canonicalName appends tmp_N, where N counts the instructions in the order in
// which the text of the computation mentions them.
func (p *printer) canonicalName(i *hlo.Instruction) {
	n := &p.frame.numbers[i.ID()]
	if *n == 0 {
		p.frame.last++
		*n = p.frame.last
	}
	p.text("tmp_")
	p.int(int(*n - 1))
}

func (p *printer) shape(s shape.Shape) {
	if p.o.OmitLayouts {
		p.dst = s.AppendTextNoLayout(p.dst)
	} else {
		p.dst = s.AppendText(p.dst)
	}
}

// withoutID returns name up to its first dot.
func withoutID(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}
