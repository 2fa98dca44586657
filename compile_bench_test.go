package xla_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/sharedtest"
)

// BenchmarkCompile compiles the programs of the shared manifest and their variants, from the verified module to machine
// code.
func BenchmarkCompile(b *testing.B) {
	variants, err := filepath.Glob("bench/variants/*.hlo")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range append(sharedtest.Files(b, "bench", "*.hlo"), variants...) {
		b.Run(filepath.Base(file), func(b *testing.B) {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			client := newClient(b, xla.Options{Backend: xla.CPU()})
			m := parse(b, string(text))
			b.ReportAllocs()
			for b.Loop() {
				exe, err := client.Compile(b.Context(), m)
				if err != nil {
					b.Fatal(err)
				}
				exe.Close()
			}
		})
	}
}
