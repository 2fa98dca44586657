package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String returns the plan as text: the buffers, then the steps. With nests, each
// kernel is followed by its nest.
func (p *Plan) String() string { return p.Text(false) }

// Text is String, with the loop nests where nests is set.
func (p *Plan) Text(nests bool) string {
	w := &printer{plan: p, nests: nests}
	fmt.Fprintf(&w.out, "plan %s: arena %d bytes\n", p.Name, p.ArenaBytes)
	for n, b := range p.Buffers {
		fmt.Fprintf(&w.out, "  b%d %s %s\n", n, kindText(b), b.Shape.StringNoLayout())
	}
	w.sequence(p.Body, "  ")
	for _, name := range slices.Sorted(maps.Keys(p.HostOps)) {
		fmt.Fprintf(&w.out, "  in the evaluator: %s %d\n", name, p.HostOps[name])
	}
	return w.out.String()
}

func kindText(b Buffer) string {
	switch b.Kind {
	case Temp:
		return fmt.Sprintf("temp @%d", b.Offset)
	case Param:
		return fmt.Sprintf("param %d", b.Index)
	case Const:
		return "const"
	case Output:
		return fmt.Sprintf("output %d", b.Index)
	}
	return "host"
}

type printer struct {
	plan   *Plan
	nests  bool
	indent string
	out    strings.Builder
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.out, p.indent+format+"\n", args...)
}

func (p *printer) sequence(s *Sequence, indent string) {
	outer := p.indent
	p.indent = indent
	for _, st := range s.Steps {
		st.text(p)
	}
	p.line("result %s", valueText(s.Result))
	p.indent = outer
}

func valueText(v Value) string {
	if !v.Tuple {
		return fmt.Sprintf("b%d", v.Buffer)
	}
	parts := make([]string, len(v.Elems))
	for i, e := range v.Elems {
		parts[i] = valueText(e)
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (k *Kernel) text(p *printer) {
	bufs := make([]string, len(k.Buffers))
	for i, b := range k.Buffers {
		bufs[i] = fmt.Sprintf("%s=b%d", k.Nest.Buffers[i].Name, b)
	}
	rounds := ""
	if k.Rounds > 0 {
		rounds = fmt.Sprintf(", %d rounds by %s", k.Rounds, k.Nest.Buffers[k.Round].Name)
	}
	p.line("kernel %s(%s)%s", k.Nest.Name, strings.Join(bufs, ", "), rounds)
	if p.nests {
		for line := range strings.Lines(k.Nest.String()) {
			p.line("  %s", strings.TrimSuffix(line, "\n"))
		}
	}
}

func (h *HostStep) text(p *printer) {
	args := make([]string, len(h.Operands))
	for i, o := range h.Operands {
		args[i] = valueText(o)
	}
	how := "host"
	if h.Native != nil {
		how = "native"
	}
	p.line("%s %s = %v %s(%s)", how, valueText(h.Result), h.Code, h.Name, strings.Join(args, ", "))
}

func (c *Copy) text(p *printer) { p.line("copy b%d -> b%d", c.From, c.To) }

func (w *While) text(p *printer) {
	how := fmt.Sprintf("trips %d", w.Trips)
	if w.Fused {
		how = "in one kernel"
	}
	p.line("while %s state %s %s", w.Name, valueText(w.State), how)
	if w.Cond != nil {
		p.line("cond")
		p.sequence(w.Cond, p.indent+"  ")
	}
	p.line("body")
	p.sequence(w.Body, p.indent+"  ")
	for _, c := range w.Back {
		c.text(p)
	}
}

func (c *Conditional) text(p *printer) {
	p.line("conditional %s on b%d result %s", c.Name, c.Index, valueText(c.Result))
	for i, b := range c.Branches {
		p.line("branch %d", i)
		p.sequence(b, p.indent+"  ")
	}
}
