package builder_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
)

// A replay builds a module that was read from text again, each instruction by the function
// that stands for it in replays.
type replay struct {
	b *builder.Builder // of the computation at work
	// differs is the first instruction whose shape is not what the text says.
	differs error
	comps   map[*hlo.Computation]builder.Computation
	ops     map[*hlo.Instruction]builder.Op
}

// errShape says that a result has not the shape that the text gives it.
var errShape = errors.New("shape")

// rebuild returns m as the functions of the package build it. The error is errShape if
// they make a value of another shape than the text has.
func rebuild(m *hlo.Module) (*hlo.Module, error) {
	b := builder.NewWith(m.Name, builder.Options{NoMetadata: true, Replicas: m.Replicas, Partitions: m.Partitions})
	r := &replay{b: b, comps: map[*hlo.Computation]builder.Computation{}, ops: map[*hlo.Instruction]builder.Op{}}
	for _, c := range m.PostOrder() {
		r.b = b
		if c != m.Entry() {
			r.b = b.SubBuilder(c.Name())
		}
		root := r.computation(c)
		if c == m.Entry() {
			got, err := b.Build(root)
			return got, cmp.Or(err, r.differs)
		}
		r.comps[c] = r.b.Computation(root)
	}
	return nil, errors.New("no entry computation")
}

// computation adds the instructions of c and returns the root.
func (r *replay) computation(c *hlo.Computation) builder.Op {
	for _, i := range c.PostOrder() {
		f := replayOf(i.Code())
		if f == nil {
			panic(fmt.Sprintf("no replay of %v", i.Code()))
		}
		var operands []builder.Op
		for _, o := range i.Operands() {
			operands = append(operands, r.ops[o])
		}
		x := f(r, i, operands).Named(i.Name())
		r.ops[i] = x
		if x.IsValid() && !x.Shape().EqualIgnoringLayout(i.Shape()) {
			r.differs = cmp.Or(r.differs, fmt.Errorf("%%%s: %w: want %v, got %v", i.Name(), errShape, i.Shape(), x.Shape()))
		} else if x.IsValid() {
			x.Instruction().SetShape(i.Shape()) // layouts as in the text
		}
		for _, p := range i.ControlPredecessors() {
			r.ops[i].After(r.ops[p])
		}
	}
	return r.ops[c.Root()]
}

// called returns the computations that i calls.
func (r *replay) called(i *hlo.Instruction) []builder.Computation {
	var list []builder.Computation
	for _, c := range i.Called() {
		list = append(list, r.comps[c])
	}
	return list
}

// cases calls f for every case in the folder dir of the shared data that holds HLO text.
func cases(t *testing.T, dir string, f func(t *testing.T, path string, c *golden.Case, m *hlo.Module)) {
	root := filepath.Join(hlotest.Shared(t), dir)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txtar") {
			return err
		}
		all, err := golden.ReadAll(path)
		if err != nil || all[0].Module == "" {
			return err
		}
		c := all[0]
		m, err := hlotext.Parse(c.Module, hlotext.ParseOptions{})
		if err != nil {
			return nil // the parser refuses it
		}
		name, _ := filepath.Rel(root, path)
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) { f(t, path, c, m) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReplayConformance(t *testing.T) { replayCases(t, "conformance/hlo") }

func TestReplaySeeds(t *testing.T) { replayCases(t, "conformance/seeds") }

// replayCases rebuilds every case. The result is the same module; or, where a function adds
// other instructions, one that evaluates to the same.
func replayCases(t *testing.T, dir string) {
	same, evaluated, refused, apart := 0, 0, 0, 0
	cases(t, dir, func(t *testing.T, _ string, c *golden.Case, m *hlo.Module) {
		verified := hlo.Verify(m, hlo.VerifyOptions{})
		got, err := rebuild(m)
		if c.MustFail && verified != nil {
			refused++
			if err == nil {
				t.Errorf("built, expected an error: %v", verified)
			}
			return
		}
		if errors.Is(err, errShape) {
			apart++
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		d := hlo.Diff(plain(m, m), plain(got, m))
		switch {
		case d == "":
			same++
		case runCase(t, c, got):
			evaluated++
		default:
			apart++
			t.Logf("not compared: %s", d)
		}
	})
	t.Logf("%d the same, %d with the same value, %d refused, %d not compared", same, evaluated, refused, apart)
}

// plain returns m without what the builder has no part in, and with the name of the entry
// computation of like.
func plain(m, like *hlo.Module) *hlo.Module {
	m = m.Clone()
	m.Entry().SetName(like.Entry().Name())
	m.Config = hlo.Config{Replicas: max(1, m.Replicas), Partitions: max(1, m.Partitions)}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			i.Metadata = nil
			if x := retupled(i); x != nil {
				name := i.Name()
				i.SetName("old")
				x.SetName(name)
				i.ReplaceAllUsesWith(x)
			}
		}
		removeDead(c)
	}
	return m
}

// retupled returns the value of which the tuple i has all elements in order, or nil.
func retupled(i *hlo.Instruction) *hlo.Instruction {
	if i.Code() != op.Tuple || len(i.Operands()) == 0 {
		return nil
	}
	var x *hlo.Instruction
	for k, e := range i.Operands() {
		if e.Code() != op.GetTupleElement || attrsOf[op.GetTupleElementAttrs](e).Index != k || k > 0 && e.Operand(0) != x {
			return nil
		}
		x = e.Operand(0)
	}
	if len(x.Shape().Elems) != len(i.Operands()) {
		return nil
	}
	return x
}

// removeDead takes the tuples and their elements that nobody uses out of c.
func removeDead(c *hlo.Computation) {
	for _, i := range slices.Backward(slices.Clone(c.PostOrder())) {
		if (i.Code() == op.Tuple || i.Code() == op.GetTupleElement) && len(i.Users()) == 0 && !i.IsRoot() {
			c.Remove(i)
		}
	}
}
