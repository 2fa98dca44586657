package simplify_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass/simplify"
)

// TestCorpus applies all rules to XLA's own test programs: each must come to an end and
// leave a module that verifies. Those that run fast are run on random arguments.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of modules")
	}
	changed, ran, counts := 0, 0, map[string]int{}
	for _, path := range sharedtest.Files(t, "corpus", "hlo", "ok", "*") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a, err := hlotext.Parse(string(data), hlotext.ParseOptions{})
		if err != nil || hlo.Verify(a, hlo.VerifyOptions{}) != nil {
			continue
		}
		b := a.Clone()
		var fired []string
		ok := t.Run(filepath.Base(path), func(t *testing.T) { fired = apply(t, b, simplify.Options{}, allRules()) })
		if !ok || len(fired) == 0 {
			continue
		}
		changed++
		for _, f := range fired {
			counts[f]++
		}
		if runBoth(t, path, a, b, fired) {
			ran++
		}
	}
	t.Logf("%d modules changed, by %d rules; %d of them run", changed, len(counts), ran)
}

// corpusTime and corpusBytes are how much a program may take to be run.
const (
	corpusTime  = 100 * time.Millisecond
	corpusBytes = 1 << 20
)

// runBoth compares the values of a and b, unless a takes too much or cannot run alone.
func runBoth(t *testing.T, path string, a, b *hlo.Module, fired []string) bool {
	var args []literal.Literal
	rng, bytes := rand.New(rand.NewPCG(7, 7)), 0
	for _, p := range a.Entry().Params() {
		size, err := p.Shape().ByteSize()
		if bytes += size; err != nil || bytes > corpusBytes || !p.Shape().IsStatic() {
			return false
		}
	}
	for _, p := range a.Entry().Params() {
		args = append(args, randomLiteral(rng, p.Shape(), true))
	}
	ctx, cancel := context.WithTimeout(context.Background(), corpusTime)
	defer cancel()
	want, err := interp.Run(ctx, a, args, interp.Options{MemoryLimit: 64 * corpusBytes})
	if err != nil {
		return false
	}
	got, err := interp.Run(context.Background(), b, args, interp.Options{})
	if err == nil {
		err = sameBits(got, want)
	}
	if err != nil {
		t.Errorf("%s: after %v: %v\n%s\nbecame\n%s", path, fired, err, entryText(a), entryText(b))
	}
	return true
}
