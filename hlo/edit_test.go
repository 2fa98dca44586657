package hlo_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

var f32x4 = shape.Make(shape.F32, 4)

// builder makes small modules of unary and binary operations on f32[4].
type builder struct {
	m *hlo.Module
	c *hlo.Computation
}

func newBuilder() builder {
	m := hlo.NewModule("m")
	c := m.AddComputation("main")
	m.SetEntry(c)
	return builder{m, c}
}

func (b builder) param(name string) *hlo.Instruction {
	n := len(b.c.Params())
	return b.c.Add(name, op.Parameter, f32x4, nil, &op.ParameterAttrs{Number: n})
}

func (b builder) add(name string, operands ...*hlo.Instruction) *hlo.Instruction {
	codes := map[int]op.Code{1: op.Negate, 2: op.Add}
	return b.c.Add(name, codes[len(operands)], f32x4, operands, nil)
}

func names(list []*hlo.Instruction) string {
	var s []string
	for _, i := range list {
		s = append(s, i.Name())
	}
	return strings.Join(s, " ")
}

// verify fails the test unless m verifies.
func (b builder) verify(t *testing.T) {
	t.Helper()
	if err := hlo.Verify(b.m, hlo.VerifyOptions{}); err != nil {
		t.Error(err)
	}
}

func (b builder) wantUsers(t *testing.T, i *hlo.Instruction, want string) {
	t.Helper()
	if got := names(i.Users()); got != want {
		t.Errorf("users of %s: got %q, want %q", i.Name(), got, want)
	}
}

func TestUsers(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	n := b.add("n", p)
	s := b.add("s", p, p)
	r := b.add("r", n, s)
	b.wantUsers(t, p, "n s")
	s.SetOperand(0, n)
	b.wantUsers(t, p, "n s")
	s.SetOperand(1, n)
	b.wantUsers(t, p, "n")
	b.wantUsers(t, n, "r s")
	s.SetOperand(1, n) // the same once more
	b.wantUsers(t, n, "r s")
	b.verify(t)

	n.ReplaceAllUsesWith(p)
	b.wantUsers(t, p, "n r s")
	b.wantUsers(t, n, "")
	b.verify(t)
	b.c.Remove(n)
	b.wantUsers(t, p, "r s")
	if got := names(b.c.Instructions()); got != "p s r" {
		t.Errorf("instructions after removal: %s", got)
	}
	if n.Computation() != nil {
		t.Error("a removed instruction still has a computation")
	}
	if b.c.Root() != r {
		t.Errorf("root: got %s, want r", b.c.Root().Name())
	}
	b.verify(t)
}

func TestReplaceAllUses(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	a := b.add("a", p)
	wrap := b.add("wrap", a)
	user := b.add("user", a, wrap)
	b.c.SetRoot(a)
	a.ReplaceAllUsesWith(wrap)
	b.wantUsers(t, a, "wrap")
	b.wantUsers(t, wrap, "user")
	if b.c.Root() != wrap || user.Operand(0) != wrap {
		t.Error("the root or a user was not replaced")
	}
	a.ReplaceAllUsesWith(a)
	b.wantUsers(t, a, "wrap")
	b.verify(t)
}

func TestPrune(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	dead := b.add("dead", p)
	dead2 := b.add("dead2", dead, p)
	live := b.add("live", p)
	dead2.AddControlPredecessor(live)
	b.c.SetRoot(live)
	if n := b.c.Prune(func(i *hlo.Instruction) bool { return i == p || i == live }); n != 2 {
		t.Errorf("Prune took out %d instructions, want 2", n)
	}
	b.wantUsers(t, p, "live")
	if len(live.ControlSuccessors()) != 0 {
		t.Error("a control edge to a removed instruction is left")
	}
	if again := b.add("dead", p); again.Name() != "dead" {
		t.Errorf("the name of a removed instruction is not free: got %s", again.Name())
	}
	b.verify(t)
}

func TestRemoveAfterOthers(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	var list []*hlo.Instruction
	for range 20 {
		list = append(list, b.add("n", p))
	}
	b.c.SetRoot(p)
	for k := range list { // from both ends and the middle
		k = (k*7 + 3) % len(list)
		b.c.Remove(list[k])
		b.verify(t)
	}
	if len(b.c.Instructions()) != 1 || len(p.Users()) != 0 {
		t.Errorf("left: %s", names(b.c.Instructions()))
	}
}

func TestAppendOperandAndOrder(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	tuple := b.c.Add("t", op.Tuple, shape.MakeTuple(f32x4), []*hlo.Instruction{p}, nil)
	n := b.add("n", p)
	tuple.AppendOperand(n)
	tuple.AppendOperand(p)
	tuple.SetShape(shape.MakeTuple(f32x4, f32x4, f32x4))
	b.c.SetRoot(tuple)
	b.wantUsers(t, p, "t n")
	if got := names(b.c.PostOrder()); got != "p n t" {
		t.Errorf("post-order: %s", got)
	}
	b.m.IsScheduled = true
	if err := hlo.Verify(b.m, hlo.VerifyOptions{}); err == nil {
		t.Error("a schedule with an operand behind its user verifies")
	}
	b.c.SetOrder(b.c.PostOrder())
	b.c.SetOrder([]*hlo.Instruction{p, n, tuple})
	b.verify(t)
	b.c.Remove(b.add("x", n))
	b.verify(t)
}

func TestNames(t *testing.T) {
	m := hlo.NewModule("m")
	c := m.AddComputation("c")
	cases := []struct{ want, got string }{
		{"p", "p"}, {"p.1", "p"}, {"p.2", "p"}, {"x.5", "x.5"}, {"x.0", "x.5"}, {"x.1", "x"},
		{"a_b", "a b"}, {"_1", "11"}, {"f32_", "f32"}, {"negate", ""}, {"negate.1", ""},
	}
	for _, tc := range cases {
		if i := c.Add(tc.got, op.Negate, f32x4, nil, nil); i.Name() != tc.want {
			t.Errorf("Add(%q): got name %q, want %q", tc.got, i.Name(), tc.want)
		}
	}
	first := c.Instructions()[0]
	first.SetName("x.5")
	if first.Name() != "x.2" {
		t.Errorf("SetName to a taken name: got %s, want x.2", first.Name())
	}
	if again := c.Add("p", op.Negate, f32x4, nil, nil); again.Name() != "p" {
		t.Errorf("a name that was given up: got %s, want p", again.Name())
	}
	if d := m.AddComputation("c"); d.Name() != "c.1" {
		t.Errorf("second computation c: got %s", d.Name())
	}
}

func TestPostOrder(t *testing.T) {
	b := newBuilder()
	p, q := b.param("p"), b.param("q")
	b.add("unused", p)
	d := b.add("d", q)
	c := b.add("c", p)
	r := b.add("r", c, d)
	b.c.SetRoot(r)
	if got := names(b.c.PostOrder()); got != "p unused c q d r" {
		t.Errorf("post-order: %s", got)
	}
	e := b.add("e", q)
	f := b.add("f", q)
	r.AddControlPredecessor(e)
	r.AddControlPredecessor(f)
	f.AddControlPredecessor(b.add("g", q))
	r.AddControlPredecessor(f) // once is enough
	order := b.c.PostOrder()
	at := func(i *hlo.Instruction) int { return slices.Index(order, i) }
	if len(order) != 9 || at(e) > at(r) || at(f) > at(r) {
		t.Errorf("post-order with control edges: %s", names(order))
	}
	r.RemoveControlPredecessor(e)
	if got := names(r.ControlPredecessors()); got != "f" {
		t.Errorf("control predecessors: %s", got)
	}
	b.verify(t)
}

// TestEdits: an edit is of all whose operands, users, attributes, shape, called computations or control edges it
// changes, and of nothing else.
func TestEdits(t *testing.T) {
	b := newBuilder()
	p, q := b.param("p"), b.param("q")
	x := b.add("x", p, q)
	y := b.add("y", x)
	z := b.add("z", q)
	f := b.m.AddComputation("f")
	b.c.SetRoot(z)
	var call *hlo.Instruction
	for _, e := range []struct {
		name string
		edit func()
		of   []*hlo.Instruction
	}{
		{"nothing", func() { b.c.SetRoot(z) }, nil},
		{"operand", func() { y.SetOperand(0, z) }, []*hlo.Instruction{x, y, z}},
		{"another operand", func() { y.AppendOperand(p) }, []*hlo.Instruction{y, p}},
		{"replacement", func() { z.ReplaceAllUsesWith(x) }, []*hlo.Instruction{x, y, z}},
		{"root", func() { b.c.SetRoot(y) }, []*hlo.Instruction{x, y}},
		{"control", func() { y.AddControlPredecessor(z) }, []*hlo.Instruction{y, z}},
		{"no control", func() { y.RemoveControlPredecessor(z) }, []*hlo.Instruction{y, z}},
		{"removal", func() { b.c.Remove(z) }, []*hlo.Instruction{q}},
		{"shape", func() { x.SetShape(shape.Make(shape.F32, 2)) }, []*hlo.Instruction{x}},
		{"attributes", func() { p.SetAttrs(&op.ParameterAttrs{}) }, []*hlo.Instruction{p}},
		{"addition", func() { call = b.c.Add("call", op.Call, f32x4, []*hlo.Instruction{q}, nil, f) },
			[]*hlo.Instruction{q}},
		{"called", func() { call.SetCalled(0, f) }, nil},
	} {
		before := b.m.Edits()
		e.edit()
		if edited := b.c.Edited() > before; edited != (e.name != "nothing") {
			t.Errorf("%s: the computation is edited: %v", e.name, edited)
		}
		for _, i := range []*hlo.Instruction{p, q, x, y, z} {
			if got, want := i.Edited() > before, slices.Contains(e.of, i); got != want {
				t.Errorf("%s: expected that %s is edited to be %v, got %v", e.name, i.Name(), want, got)
			}
		}
	}
	if f.Edited() != 0 || !b.c.Calls() || f.Calls() || call.Edited() != b.m.Edits() {
		t.Errorf("expected the last edit, %d, to be of the call, got %d", b.m.Edits(), call.Edited())
	}
}

// TestReplaceEach: what is put in the place of an instruction has its users, or is the root; what is added on the way
// is not looked at.
func TestReplaceEach(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	x := b.add("x", p)
	y := b.add("y", x)
	b.c.SetRoot(y)
	twice := func(i *hlo.Instruction) *hlo.Instruction {
		if i.Code() != op.Negate {
			return nil
		}
		return b.add("", b.add("", i.Operand(0)))
	}
	if !b.m.ReplaceEach(twice) || x.Computation() != nil || y.Computation() != nil {
		t.Error("expected that both went")
	}
	b.verify(t)
	if n := len(b.c.Instructions()); n != 5 {
		t.Errorf("expected 5 instructions, got %d", n)
	}
	depth := 0
	for i := b.c.Root(); i != p; i = i.Operand(0) {
		depth++
	}
	if depth != 4 {
		t.Errorf("expected 4 instructions in a row, got %d", depth)
	}
	if b.m.ReplaceEach(func(*hlo.Instruction) *hlo.Instruction { return nil }) {
		t.Error("expected no change")
	}
}
