package golden_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/golden"
)

const oneCase = `# The sum.
# tolerance: ulp=2
# source: definition
# replicas: 2
-- module.hlo --
ENTRY e {}
-- inputs.0 --
f32[] 1

f32[] 2
-- output.0 --
f32[] 3
-- inputs.1 --
-- output.1 --
()
`

const namedCases = `# add: sums.
# source: definition

-- plain --
Two numbers.
tolerance: ulp=3
-- plain/module.hlo --
ENTRY e { c = s32[] constant(1) ROOT r = s32[] add(c, c) }
-- plain/inputs --
-- plain/output --
s32[] 2
-- wrong --
The sum is another.
source: xla-cpu
-- wrong/module.hlo --
ENTRY e { c = s32[] constant(1) ROOT r = s32[] add(c, c) }
-- wrong/inputs --
-- wrong/output --
s32[] 3
-- types --
-- types/module.hlo --
ENTRY e { c = s32[] constant(1) d = s8[] constant(1) ROOT r = s32[] add(c, d) }
-- types/error --
operand 1
[add_c1]
-- words --
-- words/module.hlo --
ENTRY e { c = s32[] constant(1) d = s8[] constant(1) ROOT r = s32[] add(c, d) }
-- words/error --
operand 7
-- accepted --
Two numbers of one type.
-- accepted/module.hlo --
ENTRY e { c = s32[] constant(1) ROOT r = s32[] add(c, c) }
-- accepted/error --
operand 0
`

func TestParseOneCase(t *testing.T) {
	cases, err := golden.Parse([]byte(oneCase))
	if err != nil || len(cases) != 1 {
		t.Fatalf("got %d cases, %v", len(cases), err)
	}
	c := cases[0]
	got := fmt.Sprint(c.Name, "|", c.Title, "|", c.Source, "|", c.Replicas, c.Partitions, c.Tolerance, c.Devices)
	want := "|The sum.|definition|2 1 ulp=2 [{[f32[] 1 f32[] 2] [] [] f32[] 3} {[] [] [] ()}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParseAndRunNamedCases(t *testing.T) {
	cases, err := golden.Parse([]byte(namedCases))
	if err != nil {
		t.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp()})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cases {
		outcome := "passed"
		if err := c.Run(context.Background(), client); err != nil {
			outcome, _, _ = strings.Cut(err.Error(), "\n")
		}
		got = append(got, fmt.Sprintf("%s, %q, %s, %v: %s", c.Name, c.Title, c.Source, c.Tolerance, outcome))
	}
	want := []string{
		`plain, "Two numbers.", definition, ulp=3: passed`,
		`wrong, "The sum is another.", xla-cpu, exact: ` +
			`s32[]: 1 of 1 elements differ (tolerance exact): [] want 3, got 2 (off by 1)`,
		`types, "", definition, exact: passed`,
		`words, "", definition, exact: expects an error with "operand 7", got #words:1:59: ` +
			`%r: add: operand 1: expected the element type s32 of operand 0, got s8 [add_c1]`,
		`accepted, "Two numbers of one type.", definition, exact: ` +
			`expects the module to be refused: Two numbers of one type.; it was accepted`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# tolerance: much\n", "tolerance:"},
		{"# replicas: 0\n", "expects a number from 1 to 1024"},
		{"-- inputs.x --\n", `expects a device number, got "x"`},
		{"-- outputs --\n", "section outputs is unknown"},
		{"-- module.hlo --\n", "device 0 has no section output.0"},
		{"-- a --\n-- a/module.hlo --\nENTRY e {}\n", "a: device 0 has no section output.0"},
		{"-- a --\n-- a/output --\ns32[] 1\n", "a: no section a/module.hlo"},
		{"-- a/module.hlo --\n", "section a/module.hlo: expects a section a before it"},
		{"-- a --\n-- a/error --\n-- a --\n", "a: section error: expects words"},
		{"-- a --\n-- a --\n-- a/module.hlo --\n", "case a is there twice"},
		{"-- a --\n-- b --\n-- a/module.hlo --\n", "expects a section a before it"},
		{"-- a --\nsome words\ntolerance: 3\n-- a/module.hlo --\n", "a: tolerance:"},
		{"-- a --\n-- a/what --\n", "a: section what is unknown"},
	} {
		if _, err := golden.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}
