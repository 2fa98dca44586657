package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestTurnedWhere: machine code turns rows that are reduced where that gains something, counted in several dimensions
// if the last one is short.
func TestTurnedWhere(t *testing.T) {
	const text = `HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] %[3]s(a, b) }
ENTRY main {
  x = f32[%[1]s,%[2]d] parameter(0)
  zero = f32[] constant(0)
  s = f32[%[1]s] reduce(x, zero), dimensions={%[4]d}, to_apply=f
  t = f32[%[1]s,%[2]d] broadcast(s), dimensions={%[5]s}
  d = f32[%[1]s,%[2]d] divide(x, t)
  ROOT r = (f32[%[1]s]) tuple(s)
}`
	for _, c := range []struct {
		rows       string
		elements   int
		by         string
		whole      bool // what rows are divided by it is stored
		wide, want bool
	}{
		{"6,20,30", 6, "add", false, true, true}, {"6,20,30", 6, "add", false, false, true},
		{"6,20,30", 8, "add", false, true, false}, {"6,20,30", 8, "add", false, false, false},
		{"3600", 8, "add", false, false, false}, {"6,20,30", 8, "add", true, true, true},
		{"6,20,30", 12, "maximum", false, true, true}, {"6,20,30", 16, "maximum", false, true, false},
		{"6,20,30", 16, "maximum", false, false, true}, {"6,20,30", 3, "maximum", true, true, true},
		{"6,20,30", 3, "maximum", true, false, false}, {"3600", 3, "maximum", true, false, false},
		{"6,5", 6, "add", false, true, false},
	} {
		rank := strings.Count(c.rows, ",") + 1
		program := fmt.Sprintf(text, c.rows, c.elements, c.by, rank, "0,1,2"[:2*rank-1])
		if c.whole {
			program = strings.ReplaceAll(program, fmt.Sprintf("(f32[%s]) tuple(s)", c.rows),
				fmt.Sprintf("(f32[%s,%d]) tuple(d)", c.rows, c.elements))
		}
		m, err := hlotext.Parse(program, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := specOf(m.Entry().Root().Operand(0))
		s.Code, s.Wide = true, c.wide
		kernel, err := fuse.Build(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(kernel.Nest.String(), "buffer turned"); got != c.want {
			t.Errorf("%+v: turned: %t", c, got)
		}
	}
}

// TestTurnedProducts: of rows that fill vectors, sums of products are not turned, as little as sums of what is in
// memory; those of differences are, and those of narrow numbers where rows are short.
func TestTurnedProducts(t *testing.T) {
	const text = `HloModule m
f { a = %[1]s[] parameter(0) b = %[1]s[] parameter(1) ROOT r = %[1]s[] add(a, b) }
ENTRY main {
  x = %[1]s[40,10,%[2]d] parameter(0)
  w = %[1]s[%[2]d] parameter(1)
  v = %[1]s[40,10,%[2]d] broadcast(w), dimensions={2}
  y = %[1]s[40,10,%[2]d] %[3]s(x, v)
  zero = %[1]s[] constant(0)
  ROOT s = %[1]s[40,10] reduce(y, zero), dimensions={2}, to_apply=f
}`
	for _, c := range []struct {
		ty       string
		elements int
		by       string
		want     bool
	}{
		{"f32", 16, "multiply", false}, {"f32", 6, "multiply", true}, {"f32", 16, "subtract", true},
		{"f16", 64, "multiply", false}, {"f16", 40, "multiply", true},
	} {
		_, kernel := codeOf(t, fmt.Sprintf(text, c.ty, c.elements, c.by), true)
		if got := strings.Contains(kernel.Nest.String(), "buffer turned"); got != c.want {
			t.Errorf("%+v: turned: %t", c, got)
		}
	}
}
