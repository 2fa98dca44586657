package simplify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/simplify"
)

// testCase is one case of testdata/FAMILY.txtar. Its section is named RULE/hit or
// RULE/miss, with a number behind where there are several, and holds the instructions of
// the entry computation; prelude has the reducers that they may call. A hit is followed
// by RULE/hit/after, what the rule alone makes of it. RULE/hit-inexact is a hit with all
// options set, whose values may differ in the last bits. The line of comment in front of a
// miss says why the rule must not fire.
type testCase struct {
	name, rule  string
	hit         bool
	inexact     bool
	text, after string
}

// prelude holds the computations that cases call.
const prelude = `
sum { lhs = f32[] parameter(0) rhs = f32[] parameter(1) ROOT out = f32[] add(lhs, rhs) }
top { lhs = f32[] parameter(0) rhs = f32[] parameter(1) ROOT out = f32[] maximum(lhs, rhs) }
sum_s32 { lhs = s32[] parameter(0) rhs = s32[] parameter(1) ROOT out = s32[] add(lhs, rhs) }
top_s32 { lhs = s32[] parameter(0) rhs = s32[] parameter(1) ROOT out = s32[] maximum(lhs, rhs) }
before { lhs = f32[] parameter(0) rhs = f32[] parameter(1) ROOT out = pred[] compare(lhs, rhs), direction=LT }
moved { lhs = f32[] parameter(0) rhs = f32[] parameter(1) same = f32[] copy(lhs) ROOT out = f32[] add(same, rhs) }
poly { lhs = f32[] parameter(0) rhs = f32[] parameter(1) two = f32[] constant(2)
  twice = f32[] multiply(lhs, two) ROOT out = f32[] subtract(twice, rhs) }
pair { lhs = f32[] parameter(0) lhs_at = s32[] parameter(1) rhs = f32[] parameter(2) rhs_at = s32[] parameter(3)
  above = pred[] compare(lhs, rhs), direction=GT value = f32[] select(above, lhs, rhs)
  at = s32[] select(above, lhs_at, rhs_at) ROOT out = (f32[], s32[]) tuple(value, at) }
`

// module returns the module of a case.
func module(t *testing.T, text string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse("HloModule m\n"+prelude+"ENTRY e {\n"+text+"\n}\n", hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m.RemoveUnused()
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatal(err)
	}
	return m
}

// readCases returns the cases of a family.
func readCases(t *testing.T, family string) (path string, archive *txtar.Archive, cases []testCase) {
	t.Helper()
	path = filepath.Join("testdata", family+".txtar")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive = txtar.Parse(data)
	for _, f := range archive.Files {
		parts := strings.Split(f.Name, "/")
		if parts[len(parts)-1] == "after" {
			cases[len(cases)-1].after = string(f.Data)
			continue
		}
		c := testCase{name: f.Name, rule: parts[0], text: string(f.Data)}
		c.hit, c.inexact = strings.HasPrefix(parts[1], "hit"), strings.HasPrefix(parts[1], "hit-inexact")
		cases = append(cases, c)
	}
	return path, archive, cases
}

// TestRules runs every case of every family.
func TestRules(t *testing.T) {
	for _, family := range simplify.Families() {
		t.Run(family.Name, func(t *testing.T) { testFamily(t, family) })
	}
}

func testFamily(t *testing.T, family simplify.Family) {
	path, archive, cases := readCases(t, family.Name)
	rules := map[string]simplify.Rule{}
	for _, r := range family.Rules {
		rules[r.Name] = r
	}
	got := &txtar.Archive{Comment: archive.Comment}
	for _, c := range cases {
		got.Files = append(got.Files, txtar.File{Name: c.name, Data: []byte(c.text)})
		rule, ok := rules[c.rule]
		if !ok {
			t.Errorf("%s: there is no rule %s", c.name, c.rule)
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			after := runCase(t, c, rule)
			if c.hit {
				got.Files = append(got.Files, txtar.File{Name: c.name + "/after", Data: []byte(after)})
			}
			if c.hit && after != c.after && !hlotest.Update() {
				t.Errorf("got\n%s\nwant\n%s", after, c.after)
			}
		})
	}
	if hlotest.Update() && !t.Failed() {
		if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runCase applies the rule alone, then all rules, and compares the values. It does so to clones, which share
// attributes with the module: that stays as it is.
func runCase(t *testing.T, c testCase, rule simplify.Rule) (after string) {
	before := module(t, c.text)
	m, all, text := before.Clone(), before.Clone(), entryText(before)
	o := simplify.Options{AllowExcessPrecision: c.inexact, AllowReassociation: c.inexact}
	fired := apply(t, m, o, []simplify.Rule{rule})
	if len(fired) > 0 != c.hit {
		t.Fatalf("the rule fires %d times, want hit %t:\n%s", len(fired), c.hit, entryText(m))
	}
	compareModules(t, before, m, c.inexact)
	apply(t, all, o, allRules())
	compareModules(t, before, all, c.inexact)
	if got := entryText(before); got != text {
		t.Errorf("the module that was cloned was\n%s\nand is\n%s", text, got)
	}
	return entryText(m)
}

func allRules() []simplify.Rule {
	var list []simplify.Rule
	for _, f := range simplify.Families() {
		list = append(list, f.Rules...)
	}
	return list
}

// apply applies rules until none does, removes what is dead, verifies, and returns the
// names of the rules in the order in which they fired.
func apply(t *testing.T, m *hlo.Module, o simplify.Options, rules []simplify.Rule) (fired []string) {
	t.Helper()
	const limit = 2000
	for changed := true; changed; {
		changed = false
		for _, c := range m.PostOrder() {
			if wrapped(m, c) {
				continue
			}
			for _, i := range c.PostOrder() {
				if len(i.Users()) == 0 && !i.IsRoot() {
					continue
				}
				if name := applyTo(i, o, rules); name != "" {
					fired, changed = append(fired, name), true
				}
			}
			clean(c)
			c.SetOrder(c.DataOrder())
		}
		if len(fired) > limit {
			t.Fatalf("the rules go on without end: %v\n%s", fired[len(fired)-20:], entryText(m))
		}
	}
	m.RemoveUnused()
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatalf("after %v: %v\n%s", fired, err, entryText(m))
	}
	return fired
}

// wrapped reports whether c is what an asynchronous pair runs, which is to stay one operation.
func wrapped(m *hlo.Module, c *hlo.Computation) bool {
	for _, d := range m.Computations() {
		for _, i := range d.Instructions() {
			if i.Code() == op.AsyncStart && i.Called()[0] == c {
				return true
			}
		}
	}
	return false
}

// applyTo tries the rules on i and returns the name of the one that fires.
func applyTo(i *hlo.Instruction, o simplify.Options, rules []simplify.Rule) string {
	for _, r := range rules {
		if to := r.Apply(i, o); to != nil {
			i.ReplaceAllUsesWith(to)
			return r.Name
		}
	}
	return ""
}

// clean removes what nobody uses.
func clean(c *hlo.Computation) {
	order := c.PostOrder()
	for _, i := range slices.Backward(order) {
		if len(i.Users()) == 0 && !i.IsRoot() && i.Code() != op.Parameter && !i.Code().Info().Has(op.SideEffect) {
			c.Remove(i)
		}
	}
}

// entryText returns the entry computation.
func entryText(m *hlo.Module) string {
	text := string(hlotext.AppendComputation(nil, m.Entry(), hlotext.ShortParsable()))
	return strings.TrimRight(text, "\n") + "\n"
}

// compareModules runs both modules on the same random arguments.
func compareModules(t *testing.T, a, b *hlo.Module, inexact bool) {
	t.Helper()
	for seed := range int64(6) {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		var args []literal.Literal
		for _, p := range a.Entry().Params() {
			args = append(args, randomLiteral(rng, p.Shape(), !inexact))
		}
		want, err := interp.Run(context.Background(), a, args, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := interp.Run(context.Background(), b, args, interp.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, entryText(b))
		}
		err = sameBits(got, want)
		if inexact {
			err = literal.Compare(got, want, literal.RelativeToLargest(1e-2))
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\nbecame\n%s", seed, err, entryText(a), entryText(b))
		}
	}
}

// sameBits compares the bits of two literals, where all NaNs are the same.
func sameBits(got, want literal.Literal) error {
	if !got.Shape().EqualIgnoringLayout(want.Shape()) {
		return fmt.Errorf("got shape %v, want %v", got.Shape(), want.Shape())
	}
	if want.Shape().IsTuple() {
		for k := range want.Elems() {
			if err := sameBits(got.Elems()[k], want.Elems()[k]); err != nil {
				return fmt.Errorf("{%d}: %w", k, err)
			}
		}
		return nil
	}
	if !want.Shape().IsArray() || literal.Equal(got, want) {
		return nil
	}
	return literal.Compare(withoutNaN(got), withoutNaN(want), literal.Tolerance{})
}

// withoutNaN returns l with the default NaN in the place of every one.
func withoutNaN(l literal.Literal) literal.Literal {
	l = l.Clone()
	f, ok := literal.FloatFormat(l.Type().Component())
	switch {
	case l.Type().IsComplex():
		for k := range l.Len() {
			v := l.ComplexAt(k)
			l.SetComplex(k, complex(cleanNaN(real(v)), cleanNaN(imag(v))))
		}
	case ok:
		for k := range l.Len() {
			if f.IsNaN(l.BitsAt(k)) {
				l.SetBits(k, f.NaN)
			}
		}
	}
	return l
}

// TestEveryRuleHasCases asks for a hit and a near miss of every rule, and for rules of
// different names.
func TestEveryRuleHasCases(t *testing.T) {
	seen := map[string]bool{}
	for _, family := range simplify.Families() {
		_, _, cases := readCases(t, family.Name)
		for _, r := range family.Rules {
			if seen[r.Name] || r.Doc == "" {
				t.Errorf("rule %s: there twice, or without a Doc", r.Name)
			}
			seen[r.Name] = true
			for _, hit := range []bool{true, false} {
				if !slices.ContainsFunc(cases, func(c testCase) bool { return c.rule == r.Name && c.hit == hit }) {
					t.Errorf("rule %s has no case with hit %t in testdata/%s.txtar", r.Name, hit, family.Name)
				}
			}
		}
	}
}

// TestRandomModules runs all rules on random modules.
func TestRandomModules(t *testing.T) {
	count := 300
	if testing.Short() {
		count = 40
	}
	for seed := range count {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		m := hlotest.Generate(rng, hlotest.GenerateOptions{})
		before := m.Clone()
		if drawsNumbers(m) {
			continue
		}
		if len(apply(t, m, simplify.Options{}, allRules())) > 0 {
			compareRandom(t, rng, before, m)
		}
	}
}

// drawsNumbers reports whether m takes random numbers from a common state, so that its
// values depend on the order of the instructions.
func drawsNumbers(m *hlo.Module) bool {
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.Rng || i.Code() == op.RngGetAndUpdateState {
				return true
			}
		}
	}
	return false
}

// compareRandom leaves out what only the arguments of the generator can run.
func compareRandom(t *testing.T, rng *rand.Rand, a, b *hlo.Module) {
	t.Helper()
	args := hlotest.Arguments(rng, a)
	want, err := interp.Run(context.Background(), a, args, interp.Options{})
	if err != nil {
		return
	}
	got, err := interp.Run(context.Background(), b, args, interp.Options{})
	if err == nil {
		err = sameBits(got, want)
	}
	if err != nil {
		t.Fatalf("%v\n%s\nbecame\n%s", err, entryText(a), entryText(b))
	}
}
