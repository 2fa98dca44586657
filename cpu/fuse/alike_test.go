package fuse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

// layer is a softmax of rows that are scaled by numbers, in a module of several.
const layer = `
  scale%[1]s = f32[8,100] broadcast(p%[1]s), dimensions={1}
  scaled%[1]s = f32[8,100] multiply(x%[1]s, scale%[1]s)
  high%[1]s = f32[8] reduce(scaled%[1]s, low), dimensions={1}, to_apply=larger
  highs%[1]s = f32[8,100] broadcast(high%[1]s), dimensions={0}
  below%[1]s = f32[8,100] subtract(scaled%[1]s, highs%[1]s)
  exp%[1]s = f32[8,100] exponential(below%[1]s)
  sum%[1]s = f32[8] reduce(exp%[1]s, zero), dimensions={1}, to_apply=add
  sums%[1]s = f32[8,100] broadcast(sum%[1]s), dimensions={0}
  out%[1]s = f32[8,100] divide(exp%[1]s, sums%[1]s)
`

// layersOf is a module of two layers, a and b, the second of which is edited by pairs of what is replaced by what, and
// the specs of their kernels.
func layersOf(t *testing.T, edits ...string) (a, b fuse.Spec) {
	t.Helper()
	second := strings.NewReplacer(edits...).Replace(fmt.Sprintf(layer, "b"))
	m, err := hlotext.Parse(`HloModule m
larger { l = f32[] parameter(0) r = f32[] parameter(1) ROOT m = f32[] maximum(l, r) }
add { l = f32[] parameter(0) r = f32[] parameter(1) ROOT s = f32[] add(l, r) }
ENTRY main {
  xa = f32[8,100] parameter(0)
  pa = f32[100] parameter(1)
  xb = f32[8,100] parameter(2)
  pb = f32[100] parameter(3)
  short = f32[8] parameter(4)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  one = f32[] constant(1)`+fmt.Sprintf(layer, "a")+second+`
  ROOT t = (f32[8,100], f32[8,100]) tuple(outa, outb)
}`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	of := func(root *hlo.Instruction) fuse.Spec {
		return fuse.Spec{Name: root.Name(), Dims: []int{8, 100}, Inner: []bool{false, true}, Code: true,
			Roots: []fuse.Root{{Ref: fuse.Ref{Inst: root}}},
			InMemory: func(i *hlo.Instruction) bool {
				return i.Code() == op.Parameter || strings.HasPrefix(i.Name(), "stored")
			}}
	}
	return of(m.Entry().Root().Operand(0)), of(m.Entry().Root().Operand(1))
}

// TestAlike: the nest of a layer that is like another is a copy of that, with names of its own; where something differs
// that the nest depends on, it is none.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
		alike bool
	}{
		{"same", nil, true},
		{"another order of operands", []string{"(xb, scaleb)", "(scaleb, xb)"}, false},
		{"another operation", []string{"subtract(", "add("}, false},
		{"another attribute", []string{"broadcast(pb), dimensions={1}", "broadcast(short), dimensions={0}"}, false},
		{"another constant", []string{"(expb, zero)", "(expb, one)"}, false},
		{"another reducer", []string{"to_apply=add", "to_apply=larger"}, false},
		{"less is read", []string{"broadcast(pb), dimensions={1}", "broadcast(one), dimensions={}"}, false},
		{"the same is read twice", []string{"multiply(xb, scaleb)", "multiply(xb, xb)"}, false},
		{"a value is in memory", []string{"expb", "storedb"}, false},
		{"a value has another user", []string{"  sumsb", "  other = f32[8,100] negate(belowb)\n  sumsb"}, false},
	} {
		a, b := layersOf(t, c.edits...)
		var memory fuse.Alike
		if _, ok := memory.Match(&a, &a); !ok {
			t.Errorf("%s: a spec is not like itself", c.name)
		}
		if twins, ok := memory.Match(&a, &b); ok != c.alike {
			t.Errorf("%s: expects %v, got %v", c.name, c.alike, ok)
		} else if ok {
			checkCopy(t, a, b, twins)
		}
	}
}

// checkCopy checks that the nest of b that is a copy of that of a is the one that is made of b.
func checkCopy(t *testing.T, a, b fuse.Spec, twins fuse.Twins) {
	t.Helper()
	if a.Outline() != b.Outline() {
		t.Errorf("%s and %s have different outlines", a.Name, b.Name)
	}
	first, err := fuse.Build(a)
	if err != nil {
		t.Fatal(err)
	}
	text := first.Nest.String()
	want, err := fuse.Build(b)
	if err != nil {
		t.Fatal(err)
	}
	got := first.Again(twins, b.Name)
	if got.Nest.String() != want.Nest.String() || !slices.Equal(got.Buffers, want.Buffers) {
		t.Errorf("expects %v\n%s, got %v\n%s", want.Buffers, want.Nest, got.Buffers, got.Nest)
	}
	got.Nest.Buffers[0].Stream, got.Nest.Accesses[0].Offset = true, 1
	got.Nest.Root.EachLoop(func(l *loop.Loop) { l.Body = nil })
	if first.Nest.String() != text || first.Nest.Buffers[0].Stream {
		t.Errorf("expects that changes of a copy leave\n%s, got\n%s", text, first.Nest)
	}
}
