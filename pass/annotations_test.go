package pass_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

const annotated = `HloModule m

ENTRY e {
  x = f32[3] parameter(0)
  y = f32[2] parameter(1)
  d = f32[3,2] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}, metadata={op_name="outer" source_line=7}
  ROOT n = f32[3,2] negate(d), metadata={op_name="minus"}
}
`

// TestAnnotations: everything that takes the place of an instruction has its metadata and
// position, and what has its value has its name.
func TestAnnotations(t *testing.T) {
	m, err := hlotext.Parse(annotated, hlotext.ParseOptions{File: "m.hlo"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pass.Run(t.Context(), m, pass.Options{}, pass.DotSimplifier()); err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, i := range m.Entry().Instructions() {
		if i.Code() == op.Parameter || i.Name() == "n" {
			continue
		}
		made++
		if i.Metadata == nil || i.Metadata.OpName != "outer" || i.Metadata.SourceLine != 7 || i.Pos.Line != 6 {
			t.Errorf("%s: metadata %+v, position %v", i.Name(), i.Metadata, i.Pos)
		}
	}
	if root := m.Entry().Root(); made < 4 || root.Operand(0).Name() != "d" || root.Metadata.OpName != "minus" {
		t.Errorf("%d instructions for %s; the root is %s", made, root.Operand(0).Name(), root.Name())
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Error(err)
	}
}

// TestSchedule: a schedule goes, and the order of draws that it gave stays.
func TestSchedule(t *testing.T) {
	const text = `HloModule m, is_scheduled=true

ENTRY e {
  lo = f32[] constant(0)
  hi = f32[] constant(1)
  b = f32[] rng(lo, hi), distribution=rng_uniform
  a = f32[] rng(lo, hi), distribution=rng_uniform
  ROOT t = (f32[], f32[]) tuple(a, b)
}
`
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed, err := pass.Run(t.Context(), m, pass.Options{}, pass.CSE())
	if err != nil || !changed || m.IsScheduled {
		t.Fatalf("changed %v, scheduled %v, %v", changed, m.IsScheduled, err)
	}
	a := m.Entry().Root().Operand(0)
	if p := a.ControlPredecessors(); len(p) != 1 || p[0].Name() != "b" {
		t.Errorf("%s runs after %v", a.Name(), p)
	}
}

// TestTripCount: counters of several types, directions and steps.
func TestTripCount(t *testing.T) {
	for _, c := range []struct {
		typ, init, step, limit, direction string
		want                              int64 // -1: not known
	}{
		{"s32", "0", "1", "10", "LT", 10}, {"s32", "0", "3", "10", "LT", 4}, {"s32", "0", "3", "9", "LE", 4},
		{"s32", "5", "-2", "0", "GT", 3}, {"s64", "10", "-5", "0", "GE", 3}, {"s32", "7", "1", "7", "EQ", 1},
		{"s32", "7", "1", "6", "EQ", 0}, {"u32", "0", "2", "8", "NE", 4}, {"u32", "0", "3", "8", "NE", -1},
		{"s8", "100", "10", "120", "LT", 2}, {"s8", "100", "10", "127", "LT", -1}, {"s32", "0", "0", "3", "LT", -1},
		{"s32", "9", "1", "3", "LT", 0}, {"s32", "0", "-1", "3", "LT", -1},
		{"u64", "0", "1", "18446744073709551615", "LT", -1},
		{"s64", "-9223372036854775808", "9223372036854775807", "9223372036854775806", "LT", 2},
	} {
		text := "HloModule m\n\ncond {\n  s = (T[]) parameter(0)\n  i = T[] get-tuple-element(s), index=0\n" +
			"  l = T[] constant(LIMIT)\n  ROOT c = pred[] compare(i, l), direction=DIR\n}\n\nbody {\n" +
			"  s = (T[]) parameter(0)\n  i = T[] get-tuple-element(s), index=0\n  k = T[] constant(STEP)\n" +
			"  j = T[] add(i, k)\n  ROOT r = (T[]) tuple(j)\n}\n\nENTRY e {\n  z = T[] constant(INIT)\n" +
			"  s = (T[]) tuple(z)\n  ROOT w = (T[]) while(s), condition=cond, body=body\n}\n"
		text = strings.NewReplacer("T[]", c.typ+"[]", "LIMIT", c.limit, "STEP", c.step, "INIT", c.init,
			"DIR", c.direction).Replace(text)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n, ok := pass.TripCount(m.Entry().Root())
		if !ok {
			n = -1
		}
		if n != c.want {
			t.Errorf("%+v: got %d", c, n)
		}
	}
}
