package pass_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/internal/passtest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// pipeline runs the whole pipeline and verifies after every pass that changed something.
func pipeline(ctx context.Context, m *hlo.Module) (bool, error) {
	var broken error
	o := pass.Options{Evaluate: evaluate, Trace: func(name string, m *hlo.Module) {
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil && broken == nil {
			broken = fmt.Errorf("after %s: %w\n%s", name, err, hlotext.String(m, hlotext.ShortParsable()))
		}
	}}
	changed, err := pass.Run(ctx, m, o, pass.Pipeline())
	return changed, errors.Join(err, broken)
}

// TestGoldenCases: results after the pipeline are those recorded.
func TestGoldenCases(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of programs")
	}
	client, err := xla.NewClient(xla.Options{Handlers: golden.Handlers()})
	if err != nil {
		t.Fatal(err)
	}
	files := caseFiles(t)
	n, changed := 0, 0
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.MustFail {
				continue
			}
			c.Transform = func(ctx context.Context, m *hlo.Module) error {
				ch, err := pipeline(ctx, m)
				if ch {
					changed++
				}
				return err
			}
			n++
			if err := c.Run(t.Context(), client); err != nil {
				t.Errorf("%s#%s: %v", filepath.Base(file), c.Name, err)
			}
		}
	}
	if t.Logf("%d cases, of which the pipeline changed %d", n, changed); changed < n/50 {
		t.Errorf("the pipeline changed %d of %d programs", changed, n)
	}
}

// caseFiles returns the files of all golden cases, the project's own among them.
func caseFiles(t *testing.T) []string {
	shared := hlotest.Shared(t)
	var files []string
	for _, glob := range []string{filepath.Join(shared, "conformance", "hlo", "*", "*.txtar"),
		filepath.Join(shared, "conformance", "seeds", "*.txtar"),
		filepath.Join(hlotest.Root(t), "testdata", "ops", "*.txtar")} {
		list, err := filepath.Glob(glob)
		if err != nil || len(list) == 0 {
			t.Fatalf("no cases in %s (%v)", glob, err)
		}
		files = append(files, list...)
	}
	return files
}

// inexact are operations that the pipeline replaces by others with another rounding.
var inexact = map[op.Code]bool{op.BatchNormTraining: true, op.BatchNormGrad: true, op.BatchNormInference: true,
	op.Convolution: true}

// randomModule returns a random program, and whether its value may not depend on rounding.
func randomModule(seed uint64) (m *hlo.Module, isExact bool) {
	m = hlotest.Generate(rand.New(rand.NewPCG(seed, 11)), hlotest.GenerateOptions{Instructions: 4 + int(seed%28)})
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if inexact[i.Code()] {
				return m, false
			}
		}
	}
	return m, true
}

// TestRandomModules: random programs give the same bits after the pipeline.
func TestRandomModules(t *testing.T) {
	count := uint64(500)
	if testing.Short() {
		count = 50
	}
	for seed := range count {
		if m, isExact := randomModule(seed); isExact && !sameBits(t, m, seed, pipeline) {
			return
		}
	}
}

// TestEachPass: so do they after each pass alone, where the order of effects is stated.
func TestEachPass(t *testing.T) {
	count := uint64(40)
	if testing.Short() {
		count = 4
	}
	for _, p := range pass.All() {
		t.Run(p.Name, func(t *testing.T) {
			apply := func(ctx context.Context, m *hlo.Module) (bool, error) {
				return pass.Run(ctx, m, pass.Options{Evaluate: evaluate}, pass.EffectOrder(), p)
			}
			for seed := range count {
				if m, isExact := randomModule(1000 + seed); isExact && !sameBits(t, m, seed, apply) {
					return
				}
			}
		})
	}
}

// sameBits reports whether m and what apply makes of it give the same values.
func sameBits(t *testing.T, m *hlo.Module, seed uint64, apply passtest.Apply) bool {
	after, _, err := passtest.Check(t.Context(), m, apply, passtest.Options{Seed: seed})
	if err == nil {
		return true
	}
	t.Errorf("seed %d: %v\nbefore\n%s", seed, err, hlotext.String(m, hlotext.Full()))
	if after != nil {
		t.Errorf("after\n%s", hlotext.String(after, hlotext.Full()))
	}
	return false
}

// TestCorpus: the pipeline ends on every program of XLA's tests, in good time, and leaves one
// that verifies and that it does not change again.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus", "hlo", "ok", "*.hlo"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	n := 0
	for k, file := range files {
		if testing.Short() && k%20 != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := hlotext.Parse(string(data), hlotext.ParseOptions{File: filepath.Base(file)})
		if err != nil || hlo.Verify(m, hlo.VerifyOptions{}) != nil {
			continue
		}
		n++
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("took a minute"))
		if _, err := pipeline(ctx, m); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		if changed, err := pipeline(ctx, m); changed || err != nil {
			t.Errorf("%s: a second time: changed %v, %v", filepath.Base(file), changed, err)
		}
		cancel()
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("%d of %d programs", n, len(files))
}
