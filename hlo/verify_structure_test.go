package hlo

import (
	"strings"
	"testing"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

var vec = shape.Make(shape.F32, 4)

// broken makes a correct module, lets breakIt do its worst, and returns what Verify says.
func broken(breakIt func(m *Module, c *Computation, p, n, r *Instruction)) error {
	m := NewModule("m")
	c := m.AddComputation("main")
	m.SetEntry(c)
	p := c.Add("p", op.Parameter, vec, nil, &op.ParameterAttrs{})
	n := c.Add("n", op.Negate, vec, []*Instruction{p}, nil)
	r := c.Add("r", op.Add, vec, []*Instruction{n, p}, nil)
	breakIt(m, c, p, n, r)
	return Verify(m, VerifyOptions{})
}

// TestVerifyStructure breaks what only code, not text, can break.
func TestVerifyStructure(t *testing.T) {
	cases := []struct {
		want    string
		breakIt func(m *Module, c *Computation, p, n, r *Instruction)
	}{
		{"", func(m *Module, c *Computation, p, n, r *Instruction) {}},
		{"module name", func(m *Module, c *Computation, p, n, r *Instruction) { m.Name = "" }},
		{"entry computation, got none", func(m *Module, c *Computation, p, n, r *Instruction) { m.entry = nil }},
		{"is not in the module", func(m *Module, c *Computation, p, n, r *Instruction) { m.RemoveComputation(c) }},
		{"in the module twice", func(m *Module, c *Computation, p, n, r *Instruction) {
			m.computations = append(m.computations, c)
		}},
		{"computation 1 is nil", func(m *Module, c *Computation, p, n, r *Instruction) {
			m.computations = append(m.computations, nil)
		}},
		{"of another module", func(m *Module, c *Computation, p, n, r *Instruction) { c.module = NewModule("x") }},
		{"has no instructions", func(m *Module, c *Computation, p, n, r *Instruction) { m.AddComputation("x") }},
		{"not unique", func(m *Module, c *Computation, p, n, r *Instruction) { r.name = "n" }},
		{"malformed", func(m *Module, c *Computation, p, n, r *Instruction) { r.name = "a b" }},
		{"not unique", func(m *Module, c *Computation, p, n, r *Instruction) { m.AddComputation("x").name = "main" }},
		{"not of it", func(m *Module, c *Computation, p, n, r *Instruction) { n.comp = nil }},
		{"id 0", func(m *Module, c *Computation, p, n, r *Instruction) { n.id = 0 }},
		{"is the root of computation main but not in it", func(m *Module, c *Computation, p, n, r *Instruction) {
			d := m.AddComputation("d")
			c.root = d.Add("x", op.Parameter, vec, nil, &op.ParameterAttrs{})
		}},
		{"operand 0 is nil", func(m *Module, c *Computation, p, n, r *Instruction) { n.operands[0] = nil }},
		{"is not of computation d", func(m *Module, c *Computation, p, n, r *Instruction) {
			m.AddComputation("d").Add("x", op.Negate, vec, []*Instruction{p}, nil)
		}},
		{"no valid opcode", func(m *Module, c *Computation, p, n, r *Instruction) { n.code = op.Invalid }},
		{"attributes of type", func(m *Module, c *Computation, p, n, r *Instruction) { n.attrs = &op.UnaryAttrs{} }},
		{"attributes of type", func(m *Module, c *Computation, p, n, r *Instruction) { p.attrs = nil }},
		{"attributes of type", func(m *Module, c *Computation, p, n, r *Instruction) {
			p.attrs = (*op.ParameterAttrs)(nil)
		}},
		{"expects no called computations", func(m *Module, c *Computation, p, n, r *Instruction) {
			n.called = []*Computation{c}
		}},
		{"expects 1 called computations, got 0", func(m *Module, c *Computation, p, n, r *Instruction) {
			c.Add("x", op.Call, vec, []*Instruction{p}, &op.CallAttrs{})
		}},
		{"expects at least one computation", func(m *Module, c *Computation, p, n, r *Instruction) {
			c.Add("x", op.Conditional, vec, []*Instruction{p}, nil)
		}},
		{"called computation 0 is not in the module", func(m *Module, c *Computation, p, n, r *Instruction) {
			c.Add("x", op.Call, vec, []*Instruction{p}, &op.CallAttrs{}, NewModule("y").AddComputation("z"))
		}},
		{"users recorded", func(m *Module, c *Computation, p, n, r *Instruction) { p.users = p.users[:1] }},
		{"users recorded", func(m *Module, c *Computation, p, n, r *Instruction) { n.users = append(n.users, r) }},
		{"users recorded", func(m *Module, c *Computation, p, n, r *Instruction) { p.users[0] = p }},
		{"control-predecessors", func(m *Module, c *Computation, p, n, r *Instruction) {
			r.rare().ctrlPreds = []*Instruction{n}
		}},
		{"control-predecessors", func(m *Module, c *Computation, p, n, r *Instruction) {
			r.rare().ctrlSuccs = []*Instruction{n}
		}},
		{"parameter number 1 is not in [0, 1)", func(m *Module, c *Computation, p, n, r *Instruction) {
			p.attrs = &op.ParameterAttrs{Number: 1}
		}},
		{"parameter number 0 is that of %p already", func(m *Module, c *Computation, p, n, r *Instruction) {
			c.Add("q", op.Parameter, vec, nil, &op.ParameterAttrs{})
		}},
		{"depends on itself", func(m *Module, c *Computation, p, n, r *Instruction) { n.SetOperand(0, r) }},
		{"depends on itself", func(m *Module, c *Computation, p, n, r *Instruction) { n.SetOperand(0, n) }},
		{"depends on itself", func(m *Module, c *Computation, p, n, r *Instruction) { p.AddControlPredecessor(r) }},
		{"calls itself", func(m *Module, c *Computation, p, n, r *Instruction) {
			c.Add("x", op.Call, vec, []*Instruction{p}, &op.CallAttrs{}, c)
		}},
		{"in front of its operand %n", func(m *Module, c *Computation, p, n, r *Instruction) {
			m.IsScheduled = true
			c.SetOrder([]*Instruction{p, r, n})
		}},
		{"in front of its control predecessor %r", func(m *Module, c *Computation, p, n, r *Instruction) {
			m.IsScheduled = true
			x := c.Add("x", op.Negate, vec, []*Instruction{p}, nil)
			x.AddControlPredecessor(r)
			c.SetOrder([]*Instruction{p, x, n, r})
		}},
	}
	for k, tc := range cases {
		err := broken(tc.breakIt)
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("case %d: %v", k, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("case %d: got error %v, want %q", k, err, tc.want)
		}
	}
}

// TestCallCircles checks that circles of many calls are found in bounded time, and
// that walks over such a module end.
func TestCallCircles(t *testing.T) {
	const n = 3000
	m := NewModule("m")
	for range n {
		c := m.AddComputation("c")
		c.Add("p", op.Parameter, vec, nil, &op.ParameterAttrs{})
	}
	comps := m.Computations()
	m.SetEntry(comps[0])
	for k, c := range comps {
		for _, to := range []int{k + 1, k + 2, k / 2} {
			c.Add("x", op.Call, vec, c.Params(), &op.CallAttrs{}, comps[to%n])
		}
	}
	if got := len(m.PostOrder()); got != n {
		t.Errorf("PostOrder has %d computations, want %d", got, n)
	}
	if err := Verify(m, VerifyOptions{}); err == nil || !strings.Contains(err.Error(), "calls itself") {
		t.Errorf("got error %v, want a call circle", err)
	}
}

// chain returns a module of n instructions, each the negation of the one in front.
func chain(n int) *Module {
	m := NewModule("m")
	c := m.AddComputation("main")
	m.SetEntry(c)
	i := c.Add("p", op.Parameter, vec, nil, &op.ParameterAttrs{})
	for range n {
		i = c.Add("n", op.Negate, vec, []*Instruction{i}, nil)
	}
	return m
}

func TestLongChain(t *testing.T) {
	const n = 100_000
	m := chain(n)
	if got := len(m.Entry().PostOrder()); got != n+1 {
		t.Errorf("post-order has %d instructions, want %d", got, n+1)
	}
	if err := Verify(m, VerifyOptions{}); err != nil {
		t.Error(err)
	}
	if d := Diff(m, m.Clone()); d != "" {
		t.Error(d)
	}
}

// TestDeepCalls checks calls that are nested deeply.
func TestDeepCalls(t *testing.T) {
	const n = 20_000
	m := NewModule("m")
	var below *Computation
	for range n {
		c := m.AddComputation("c")
		p := c.Add("p", op.Parameter, vec, nil, &op.ParameterAttrs{})
		if below != nil {
			c.Add("x", op.Call, vec, []*Instruction{p}, &op.CallAttrs{}, below)
		}
		below = c
	}
	m.SetEntry(below)
	if err := Verify(m, VerifyOptions{}); err != nil {
		t.Error(err)
	}
	if d := Diff(m, m.Clone()); d != "" {
		t.Error(d)
	}
}

func BenchmarkVerify(b *testing.B) {
	m := chain(40_000)
	for b.Loop() {
		if err := Verify(m, VerifyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClone(b *testing.B) {
	m := chain(40_000)
	for b.Loop() {
		m.Clone()
	}
}
