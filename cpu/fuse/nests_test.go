package fuse_test

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/tile"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// TestNests: the programs of testdata/nests.txtar become, each as a whole, the nests that stand behind them, and these
// compute what the evaluator does.
func TestNests(t *testing.T) {
	hlotest.Pairs(t, "testdata/nests.txtar", "nest", func(program txtar.File, want *txtar.File) {
		t.Run(program.Name, func(t *testing.T) {
			m, err := hlotext.Parse(string(program.Data), hlotext.ParseOptions{File: program.Name})
			if err != nil {
				t.Fatal(err)
			}
			kernel, err := fuse.Build(specOf(m.Entry().Root()))
			if err != nil {
				t.Fatal(err)
			}
			got := kernel.Nest.String()
			if hlotest.Update() {
				want.Data = []byte(got)
			}
			if got != string(want.Data) {
				t.Errorf("got\n%s\nexpected\n%s", got, want.Data)
			}
			for seed := range uint64(3) {
				execute(t, m, kernel, hlotest.Arguments(rand.New(rand.NewPCG(seed, 0)), m))
			}
		})
	})
}

// specOf is a region that is all that root is computed from but the parameters. Its inner dimensions are those of the
// first reduction.
func specOf(root *hlo.Instruction) fuse.Spec {
	s := fuse.Spec{Name: "nest", InMemory: func(i *hlo.Instruction) bool { return i.Code() == op.Parameter }}
	first := root.Shape()
	if first.IsTuple() {
		first = first.Elems[0]
	}
	s.Dims, s.Inner = first.Dims, make([]bool, first.Rank())
	for _, i := range root.Computation().PostOrder() {
		if i.Code() == op.Reduce {
			s.Dims = i.Operand(0).Shape().Dims
			s.Inner = make([]bool, len(s.Dims))
			for _, d := range i.Attrs().(*op.ReduceAttrs).Dimensions {
				s.Inner[d] = true
			}
			break
		}
	}
	for leaf := range max(1, len(root.Shape().Elems)) {
		s.Roots = append(s.Roots, fuse.Root{Ref: fuse.Ref{Inst: root, Leaf: leaf}})
	}
	return s
}

// codeOf is the module of text and the kernel of its root for machine code, with 32 vector registers if wide is set.
func codeOf(t *testing.T, text string, wide bool) (*hlo.Module, *fuse.Kernel) {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := specOf(m.Entry().Root())
	s.Code, s.Wide = true, wide
	kernel, err := fuse.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return m, kernel
}

// execute runs a kernel in the portable executor and compares its results with the evaluator's, bit by bit.
func execute(t *testing.T, m *hlo.Module, k *fuse.Kernel, args []literal.Literal) {
	t.Helper()
	want, err := interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args)
	if err != nil {
		t.Fatal(err)
	}
	leaves := []literal.Literal{want}
	if want.Shape().IsTuple() {
		leaves = want.Elems()
	}
	program, err := tile.Compile(k.Nest)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]literal.Literal, len(leaves))
	memory := make([][]byte, len(k.Buffers))
	for n, r := range k.Buffers {
		if p, ok := r.Inst.Attrs().(*op.ParameterAttrs); ok {
			memory[n] = args[p.Number].Bytes()
			continue
		}
		if r.Leaf < 0 {
			memory[n] = make([]byte, k.Nest.Buffers[n].Bytes)
			continue
		}
		got[r.Leaf] = literal.New(r.Shape())
		memory[n] = got[r.Leaf].Bytes()
	}
	if err := program.Run(memory, 0, program.Extent()); err != nil {
		t.Fatal(err)
	}
	for leaf, l := range leaves {
		if string(got[leaf].Bytes()) != string(l.Bytes()) {
			t.Errorf("result %d: expected %v, got %v", leaf, l, got[leaf])
		}
	}
}
