package hlo_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// TestNumbers: a name that is taken gets the lowest number not yet given; what is released may be taken again, whatever
// its number.
func TestNumbers(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	for _, step := range []struct{ name, want string }{
		{"x", "x"}, {"x", "x.1"}, {"x.1", "x.2"}, {"x.9000", "x.9000"}, {"x.9000", "x.3"}, {"x.-7", "x.-7"},
		{"x.-7", "x.4"}, {"x.007", "x.7"}, {"y.0", "y.0"}, {"y", "y.1"}, {"x.6", "x.6"}, {"x", "x.5"}, {"x", "x.8"},
	} {
		if got := b.add(step.name, p).Name(); got != step.want {
			t.Errorf("%s: expected %s, got %s", step.name, step.want, got)
		}
	}
	for _, name := range []string{"x.9000", "x.-7", "x.2", "x"} {
		for _, i := range b.c.Instructions() {
			if i.Name() == name {
				b.c.Remove(i)
			}
		}
		if got := b.add(name, p).Name(); got != name {
			t.Errorf("%s is free: got %s", name, got)
		}
	}
}

// TestCloneNames: a clone has the name of what it is made from where that is free, in the same module and in others.
func TestCloneNames(t *testing.T) {
	b, other := newBuilder(), newBuilder()
	p, q := b.param("p"), other.param("p")
	x := b.add("x.3", p)
	for _, step := range []struct {
		to   *hlo.Computation
		from *hlo.Instruction
		want string
	}{{b.c, x, "x.0"}, {b.c, x, "x.1"}, {other.c, x, "x.3"}, {other.c, x, "x.0"}, {other.c, p, "p.1"}} {
		operand := p
		if step.to == other.c {
			operand = q
		}
		operands := []*hlo.Instruction{operand}
		if step.from.Code() == op.Parameter {
			operands = nil
		}
		if got := step.to.AddClone(step.from, operands).Name(); got != step.want {
			t.Errorf("clone of %s: expected %s, got %s", step.from.Name(), step.want, got)
		}
	}
}

// TestRemoved: what was removed is gone for all who look, at once too; others keep their order.
func TestRemoved(t *testing.T) {
	b := newBuilder()
	p := b.param("p")
	var list []*hlo.Instruction
	for k := range 100 {
		list = append(list, b.add(fmt.Sprintf("x%d", k), p))
	}
	last := b.add("last", p)
	b.c.SetRoot(last)
	mark := b.c.NumIDs()
	for k, i := range list {
		if k != 7 && k != 42 {
			b.c.Remove(i)
		}
	}
	added := b.add("added", last)
	if got := b.c.AddedSince(mark); len(got) != 1 || got[0] != added {
		t.Errorf("added since: got %s", names(got))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := names(b.c.Instructions()); got != "p x7 x42 last added" {
				t.Errorf("expected p x7 x42 last added, got %s", got)
			}
		})
	}
	all.Wait()
	b.verify(t)
	defer func() {
		if recover() == nil {
			t.Error("x0 is removed twice")
		}
	}()
	b.c.Remove(list[0])
}
