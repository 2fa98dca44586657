package loop

import (
	"fmt"
	"math"
	"strings"
)

// String returns the nest as text; Parse reads it back.
//
//	nest axpy {
//	  buffer x 4096 bytes
//	  buffer y 4096 bytes write
//	  v1 = const f32 2
//	  lanes i0 < 1024 {
//	    v2 = load f32 x[i0]
//	    v3 = mul f32 v1 v2
//	    store f32 y[i0] v3
//	  }
//	}
func (n *Nest) String() string {
	p := &printer{nest: n}
	fmt.Fprintf(&p.out, "nest %s {\n", n.Name)
	for _, b := range n.Buffers {
		fmt.Fprintf(&p.out, "  buffer %s %d bytes%s%s%s%s\n", b.Name, b.Bytes,
			word(b.Write, " write"), word(b.Scratch, " scratch"), word(b.Stream, " stream"), word(b.Far, " far"))
	}
	for k, t := range n.Tables {
		fmt.Fprintf(&p.out, "  table t%d %#x\n", k, t)
	}
	p.block(n.Root, "  ")
	p.out.WriteString("}\n")
	return p.out.String()
}

func word(on bool, w string) string {
	if on {
		return w
	}
	return ""
}

type printer struct {
	nest *Nest
	out  strings.Builder
}

func (p *printer) block(b Block, indent string) {
	for _, n := range b {
		if n.Loop != nil {
			p.loop(n.Loop, indent)
			continue
		}
		p.out.WriteString(indent + p.inst(n.Value) + "\n")
	}
}

// loop prints the head "lanes parallel i0 < 1024", the carries "v9 = v3 phi v4 next v8 reduce
// add" and the body.
func (p *printer) loop(l *Loop, indent string) {
	head := "for"
	switch {
	case l.Cond != 0:
		head = "while"
	case l.Lanes:
		head = "lanes"
	}
	fmt.Fprintf(&p.out, "%s%s%s i%d", indent, word(l.Parallel, "parallel "), head, l.Var)
	switch {
	case l.Cond == 0:
		fmt.Fprintf(&p.out, " < %d", l.Extent)
	case l.Extent > 0:
		fmt.Fprintf(&p.out, " about %d", l.Extent)
	}
	if w := l.When; w != nil {
		fmt.Fprintf(&p.out, " when%s %d <= i%d < %d", word(w.Outside, " not"), w.Lo, w.Var, w.Hi)
	}
	p.out.WriteString(" {\n")
	for _, c := range l.Carries {
		fmt.Fprintf(&p.out, "%s  carry v%d = v%d phi v%d next v%d%s\n", indent, c.Out, c.Init, c.Phi, c.Next,
			word(c.Reduce != Invalid, " "+c.Reduce.String())+word(c.Scan, " scan"))
	}
	if l.Cond != 0 {
		p.block(l.CondBody, indent+"  ")
		fmt.Fprintf(&p.out, "%s  do v%d\n", indent, l.Cond)
	}
	p.block(l.Body, indent+"  ")
	p.out.WriteString(indent + "}\n")
}

func (p *printer) inst(v Value) string {
	i := p.nest.Inst(v)
	var s strings.Builder
	switch i.Op {
	case Store:
		a := p.nest.Accesses[i.Access]
		fmt.Fprintf(&s, "store %v %s v%d", a.Mem, p.address(a), i.Args[0])
		if i.Args[1] != 0 {
			fmt.Fprintf(&s, " if v%d", i.Args[1])
		}
		return s.String()
	case Load:
		a := p.nest.Accesses[i.Access]
		fmt.Fprintf(&s, "v%d = load %v %s", v, a.Mem, p.address(a))
		if i.Args[0] != 0 {
			fmt.Fprintf(&s, " if v%d", i.Args[0])
		}
		return s.String()
	}
	fmt.Fprintf(&s, "v%d = %v %v", v, i.Op, i.Kind)
	s.WriteString(immText(i))
	for _, a := range i.Operands() {
		fmt.Fprintf(&s, " v%d", a)
	}
	return s.String()
}

// immText prints the immediate: floats in decimal if that gives their bits back.
func immText(i *Inst) string {
	switch i.Op {
	case Const:
		return " " + constText(i.Kind, i.Imm)
	case Index:
		return fmt.Sprintf(" i%d", i.Imm)
	case Cmp:
		return " " + predNames[i.Imm]
	case Table:
		return fmt.Sprintf(" t%d", i.Imm)
	case Round:
		return " " + roundingNames[i.Imm]
	case Select:
		return [2]string{Seldom: " seldom"}[i.Imm]
	}
	return ""
}

var roundingNames = [4]string{"nearest", "floor", "ceil", "zero"}

func constText(k Kind, bits uint64) string {
	var f float64
	switch k {
	case F32:
		f = float64(math.Float32frombits(uint32(bits)))
	case F64:
		f = math.Float64frombits(bits)
	case I32:
		return fmt.Sprint(int32(bits))
	case I64:
		return fmt.Sprint(int64(bits))
	default:
		return fmt.Sprint(bits)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Sprintf("%#x", bits)
	}
	if k == F32 {
		return fmt.Sprint(float32(f))
	}
	return fmt.Sprint(f)
}

// address prints "name[12 + i0*64 + i1 + v7]".
func (p *printer) address(a Access) string {
	var parts []string
	if a.Offset != 0 || len(a.Terms) == 0 && a.Index == 0 {
		parts = append(parts, fmt.Sprint(a.Offset))
	}
	for _, t := range a.Terms {
		if t.Stride == 1 {
			parts = append(parts, fmt.Sprintf("i%d", t.Var))
			continue
		}
		parts = append(parts, fmt.Sprintf("i%d*%d", t.Var, t.Stride))
	}
	if a.Index != 0 {
		parts = append(parts, fmt.Sprintf("v%d", a.Index))
	}
	return p.nest.Buffers[a.Buffer].Name + "[" + strings.Join(parts, " + ") + "]"
}
