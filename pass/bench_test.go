package pass_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/pass"
)

// BenchmarkPipeline runs the pipeline over models.
func BenchmarkPipeline(b *testing.B) {
	for _, name := range []string{"resnet50_keras_jax_f32", "gemma3_1b_flax_call", "hlo_llama31_8b_bf16_1x8"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join(hlotest.Shared(b), "models", name+".hlo"))
			if err != nil {
				b.Skip(err)
			}
			m, err := hlotext.Parse(string(data), hlotext.ParseOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				b.StopTimer()
				c := m.Clone()
				b.StartTimer()
				if _, err := pass.Run(b.Context(), c, pass.Options{Evaluate: evaluate}, pass.Pipeline()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
