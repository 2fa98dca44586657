package hlo_test

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

func TestCloneRandomModules(t *testing.T) {
	for seed := range uint64(60) {
		m := hlotest.Generate(rand.New(rand.NewPCG(seed, 1)), hlotest.GenerateOptions{Instructions: 40})
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c := m.Clone()
		if d := hlo.Diff(m, c); d != "" {
			t.Fatalf("seed %d: clone differs: %s", seed, d)
		}
		before := hlotext.String(m, hlotext.Long())
		if after := hlotext.String(c, hlotext.Long()); after != before {
			t.Fatalf("seed %d: the clone prints as\n%s\nnot\n%s", seed, after, before)
		}
		root := c.Entry().Root()
		root.SetName("other")
		root.BackendConfig = "{}"
		c.Entry().Instructions()[0].Metadata = &hlo.Metadata{OpName: "x"}
		c.Entry().SetRoot(c.Entry().Instructions()[0])
		if hlotext.String(m, hlotext.Long()) != before {
			t.Fatalf("seed %d: an edit of the clone changed the original", seed)
		}
		if hlo.Diff(m, c) == "" {
			t.Fatalf("seed %d: an edit of the clone is no difference", seed)
		}
	}
}

func TestCloneWith(t *testing.T) {
	b := newBuilder()
	p, q := b.param("p"), b.param("q")
	s := b.add("s", p, q)
	n := b.add("n", s)
	n.AddControlPredecessor(p)
	multiply := func(to *hlo.Computation, i *hlo.Instruction, operands []*hlo.Instruction) *hlo.Instruction {
		if i != s {
			return nil
		}
		return to.Add("m", op.Multiply, i.Shape(), operands, nil)
	}
	copied := b.c.CloneWith("copy", multiply)
	want := `%copy (p.1: f32[4], q.1: f32[4]) -> f32[4] {
  %p.1 = f32[4]{0} parameter(0)
  %q.1 = f32[4]{0} parameter(1)
  %m = f32[4]{0} multiply(%p.1, %q.1)
  ROOT %n.1 = f32[4]{0} negate(%m), control-predecessors={%p.1}
}`
	if got := string(hlotext.AppendComputation(nil, copied, hlotext.Options{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.verify(t)
	if n := b.m.RemoveUnused(); n != 1 || len(b.m.Computations()) != 1 {
		t.Errorf("RemoveUnused took out %d computations, want 1", n)
	}
	if again := b.c.Clone("copy"); again.Name() != "copy" || again.Root().Name() != "n.2" {
		t.Errorf("names of removed computations are not free: %s, %s", again.Name(), again.Root().Name())
	}
}

func TestDiff(t *testing.T) {
	make := func() (builder, *hlo.Instruction) {
		b := newBuilder()
		p := b.param("p")
		n := b.add("n", p)
		b.add("r", n, p)
		return b, n
	}
	edits := map[string]func(builder, *hlo.Instruction){
		"module name":  func(b builder, n *hlo.Instruction) { b.m.Name = "x" },
		"replicas":     func(b builder, n *hlo.Instruction) { b.m.Replicas = 2 },
		"schedule":     func(b builder, n *hlo.Instruction) { b.m.IsScheduled = true },
		"alias":        func(b builder, n *hlo.Instruction) { b.m.InputOutputAlias = []hlo.Alias{{}} },
		"name":         func(b builder, n *hlo.Instruction) { n.SetName("x") },
		"shape":        func(b builder, n *hlo.Instruction) { n.SetShape(shape.Make(shape.F32, 5)) },
		"operand":      func(b builder, n *hlo.Instruction) { b.c.Root().SetOperand(1, n) },
		"root":         func(b builder, n *hlo.Instruction) { b.c.SetRoot(n) },
		"control":      func(b builder, n *hlo.Instruction) { b.c.Root().AddControlPredecessor(n) },
		"metadata":     func(b builder, n *hlo.Instruction) { n.Metadata = &hlo.Metadata{OpName: "x"} },
		"sharding":     func(b builder, n *hlo.Instruction) { n.Sharding = &op.Sharding{} },
		"frontend":     func(b builder, n *hlo.Instruction) { n.FrontendAttributes = []hlo.KeyValue{{Key: "k"}} },
		"thread":       func(b builder, n *hlo.Instruction) { b.c.ExecutionThread = "t" },
		"attributes":   func(b builder, n *hlo.Instruction) { b.c.Params()[0].SetAttrs(&op.ParameterAttrs{Number: 1}) },
		"instructions": func(b builder, n *hlo.Instruction) { b.add("x", n) },
		"computations": func(b builder, n *hlo.Instruction) { b.c.Clone("x") },
	}
	a, _ := make()
	for name, edit := range edits {
		b, n := make()
		if d := hlo.Diff(a.m, b.m); d != "" {
			t.Fatalf("equal modules differ: %s", d)
		}
		edit(b, n)
		if hlo.Equal(a.m, b.m) {
			t.Errorf("%s: no difference found", name)
		}
	}
	b, _ := make()
	b.m.Replicas, b.m.Partitions, b.m.PropagateToOutput = 1, 1, []bool{false}
	b.c.Root().Metadata = &hlo.Metadata{SourceLine: 1, StackFrameID: 7} // text does not show it
	if d := hlo.Diff(a.m, b.m); d != "" {
		t.Errorf("defaults that are written out: %s", d)
	}
}
