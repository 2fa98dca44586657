// Package passtest tests transformations of HLO by text: a module before, the module after,
// and the values of both, which the evaluator computes on random arguments.
//
// A file is a txtar archive of cases. Each starts with a section of its name that says in
// words what it shows; a line "tolerance: ..." there is the rule of comparison (exact where
// there is none), and "arguments: small" asks for arguments that are small integers, whose
// sums are exact in any order:
//
//	-- hit --
//	x + 0 is x for integers.
//	-- hit/before.hlo --
//	-- hit/after.hlo --
//	-- near_miss --
//	-- near_miss/before.hlo --
//
// A case without after.hlo must not change. XLA_UPDATE=1 writes after.hlo of those that have one.
package passtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Apply is a transformation: it changes m and reports whether it did.
type Apply func(ctx context.Context, m *hlo.Module) (changed bool, err error)

// Files runs the cases of the files that match glob, a sub-test a case, with the
// transformation that apply gives for a file by its base name without extension. A test
// whose cases are all of one kind, hits or near misses, fails.
func Files(t *testing.T, glob string, apply func(t *testing.T, name string) Apply) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", glob, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) { runFile(t, file, apply(t, name)) })
	}
}

// testCase is one case of a file.
type testCase struct {
	name, words   string
	before, after string
	hasAfter      bool
	afterAt       int // the section of after
}

func runFile(t *testing.T, file string, apply Apply) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[bool]int{}
	for _, c := range casesOf(t, archive) {
		kinds[c.hasAfter]++
		t.Run(c.name, func(t *testing.T) {
			got := c.run(t, apply)
			if c.hasAfter && hlotest.Update() {
				archive.Files[c.afterAt].Data = []byte(got)
			} else if c.hasAfter && got != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
		})
	}
	if kinds[true] == 0 || kinds[false] == 0 {
		t.Errorf("expects hits and near misses, got %d and %d", kinds[true], kinds[false])
	}
	if hlotest.Update() {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func casesOf(t *testing.T, archive *txtar.Archive) []*testCase {
	var list []*testCase
	for k, f := range archive.Files {
		text := strings.ReplaceAll(string(f.Data), "\r\n", "\n")
		name, part, inCase := strings.Cut(f.Name, "/")
		switch {
		case !inCase:
			list = append(list, &testCase{name: name, words: text})
		case len(list) == 0 || list[len(list)-1].name != name:
			t.Fatalf("section %s: expects a section %s in front", f.Name, name)
		case part == "before.hlo":
			list[len(list)-1].before = text
		case part == "after.hlo":
			c := list[len(list)-1]
			c.after, c.hasAfter, c.afterAt = text, true, k
		default:
			t.Fatalf("section %s: expects before.hlo or after.hlo, got %s", f.Name, part)
		}
	}
	return list
}

// run applies the transformation and returns the text of the result.
func (c *testCase) run(t *testing.T, apply Apply) string {
	m, err := hlotext.Parse(c.before, hlotext.ParseOptions{File: c.name})
	if err != nil {
		t.Fatal(err)
	}
	before := text(m)
	o, err := c.options()
	if err != nil {
		t.Fatal(err)
	}
	after, changed, err := Check(t.Context(), m, apply, o)
	if err != nil {
		if after != nil {
			t.Logf("after:\n%s", text(after))
		}
		t.Fatal(err)
	}
	got := text(after)
	if changed != c.hasAfter {
		t.Errorf("changed: got %v, want %v", changed, c.hasAfter)
	}
	if !changed && got != before {
		t.Errorf("changed without a word; got\n%s\nwant\n%s", got, before)
	}
	return got
}

// text is the form of the files: all that tells programs apart, without metadata.
func text(m *hlo.Module) string {
	return hlotext.String(m, hlotext.Options{LargeConstants: true, OmitPercent: true, OmitLayouts: true,
		OmitMetadata: true, OmitProgramShape: true, PlainAsync: true, OmitIndexComments: true})
}

// Options say how Check compares.
type Options struct {
	Seed      uint64
	Tolerance literal.Tolerance
	// Small: arguments are small integers, whose sums and products are exact.
	Small bool
	// Handlers run custom calls; cases of files have those of LAPACK.
	Handlers ffi.Registry
}

func (c *testCase) options() (o Options, err error) {
	o.Handlers = lapack.Handlers()
	for line := range strings.Lines(c.words) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case key == "tolerance":
			if o.Tolerance, err = literal.ParseTolerance(value); err != nil {
				return o, err
			}
		case key == "arguments" && value == "small":
			o.Small = true
		}
	}
	return o, nil
}

// Check applies a transformation to a copy of m, which must verify before and after, and
// compares the values of both on random arguments. It returns the copy, also with an error.
func Check(ctx context.Context, m *hlo.Module, apply Apply, o Options) (after *hlo.Module, changed bool, err error) {
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		return nil, false, fmt.Errorf("before: %w", err)
	}
	after = m.Clone()
	if changed, err = apply(ctx, after); err != nil {
		return after, changed, err
	}
	if err := hlo.Verify(after, hlo.VerifyOptions{}); err != nil {
		return after, changed, fmt.Errorf("after: %w", err)
	}
	args := Arguments(m, o)
	want, err := evaluate(ctx, m, args, o)
	if err != nil {
		return after, changed, fmt.Errorf("before: %w", err)
	}
	got, err := evaluate(ctx, after, args, o)
	if err != nil {
		return after, changed, fmt.Errorf("after: %w", err)
	}
	return after, changed, literal.Compare(got, want, o.Tolerance)
}

// Arguments returns random arguments for m.
func Arguments(m *hlo.Module, o Options) []literal.Literal {
	rng := rand.New(rand.NewPCG(o.Seed, 7))
	if !o.Small {
		return hlotest.Arguments(rng, m)
	}
	var args []literal.Literal
	for _, s := range m.EntrySignature().Params {
		args = append(args, small(rng, s))
	}
	return args
}

// small returns small integers of shape s.
func small(rng *rand.Rand, s shape.Shape) literal.Literal {
	if s.IsTuple() {
		elems := make([]literal.Literal, len(s.Elems))
		for k, e := range s.Elems {
			elems[k] = small(rng, e)
		}
		return literal.MakeTuple(elems...)
	}
	s.Layout = nil
	l, least := literal.New(s), -4
	if s.Type.IsUnsigned() || s.Type == shape.Pred {
		least = 0
	}
	for i := range l.Len() {
		l.SetInt(i, int64(rng.IntN(9)+least))
	}
	return l
}

func evaluate(ctx context.Context, m *hlo.Module, args []literal.Literal, o Options) (literal.Literal, error) {
	host := ffi.NewHost()
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.Infeed {
				_ = host.Infeed(0).Put(literal.New(i.Shape().Elems[0])) // an open queue takes it
			}
		}
	}
	return interp.Run(ctx, m, args, interp.Options{Seed: o.Seed, Host: host, Handlers: o.Handlers})
}
