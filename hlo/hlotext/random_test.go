package hlotext_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestRandomModules prints random modules in all forms that read back, and reads them.
func TestRandomModules(t *testing.T) {
	for seed := range uint64(400) {
		m := hlotest.Generate(rand.New(rand.NewPCG(seed, 2)), hlotest.GenerateOptions{Instructions: 30})
		options := hlotext.Long()
		options.PlainAsync = true // sugar has no room for the names inside
		text := hlotext.String(m, options)
		if strings.Contains(text, "padding=\n") {
			continue // what XLA prints for a scalar, and nobody can read
		}
		again, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if d := hlo.Diff(m, again); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
		if err := hlo.Verify(again, hlo.VerifyOptions{}); err != nil {
			t.Errorf("seed %d: does not verify when read back: %v", seed, err)
		}
	}
}
