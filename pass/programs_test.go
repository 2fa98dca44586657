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
	files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "conformance", "hlo", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
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
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
	}
	if t.Logf("%d cases, of which the pipeline changed %d", n, changed); changed < n/50 {
		t.Errorf("the pipeline changed %d of %d programs", changed, n)
	}
}

// inexact are operations that the pipeline replaces by others with another rounding.
var inexact = map[op.Code]bool{op.BatchNormTraining: true, op.BatchNormGrad: true, op.BatchNormInference: true,
	op.Convolution: true}

// TestRandomModules: random programs give the same bits after the pipeline.
func TestRandomModules(t *testing.T) {
	count := uint64(500)
	if testing.Short() {
		count = 50
	}
	for seed := range count {
		m := hlotest.Generate(rand.New(rand.NewPCG(seed, 11)), hlotest.GenerateOptions{Instructions: 4 + int(seed%28)})
		isExact := true
		for _, c := range m.Computations() {
			for _, i := range c.Instructions() {
				isExact = isExact && !inexact[i.Code()]
			}
		}
		if !isExact {
			continue
		}
		text := hlotext.String(m, hlotext.Full())
		after, _, err := passtest.Check(t.Context(), m, pipeline, passtest.Options{Seed: seed})
		if err != nil {
			t.Errorf("seed %d: %v\nbefore\n%s", seed, err, text)
			if after != nil {
				t.Errorf("after\n%s", hlotext.String(after, hlotext.Full()))
			}
			return
		}
	}
}

// TestCorpus: the pipeline ends on every program of XLA's tests, in good time, and leaves one
// that verifies.
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
		cancel()
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("%d of %d programs", n, len(files))
}
