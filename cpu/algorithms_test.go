package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
)

// BenchmarkAlgorithms measures compiled programs with machine code where there is some: bench/ALGORITHMS.md.
func BenchmarkAlgorithms(b *testing.B) {
	fft := func(kind, in, out, length string) string {
		return fmt.Sprintf("HloModule m\nENTRY e {\n  p = %s parameter(0)\n  ROOT r = %s fft(p), fft_type=%s, "+
			"fft_length={%s}\n}\n", in, out, kind, length)
	}
	for _, c := range []struct{ name, text string }{
		{"fft_2^20", fft("FFT", "c64[1048576]", "c64[1048576]", "1048576")},
		{"fft_1024x1024", fft("FFT", "c64[1024,1024]", "c64[1024,1024]", "1024")},
		{"fft_1024x1024_c128", fft("FFT", "c128[1024,1024]", "c128[1024,1024]", "1024")},
		{"rfft_1024x1024", fft("RFFT", "f32[1024,1024]", "c64[1024,513]", "1024")},
		{"fft_1000000", fft("FFT", "c64[1000000]", "c64[1000000]", "1000000")},
		{"fft_1024x997", fft("FFT", "c64[1024,997]", "c64[1024,997]", "997")},
		{"scatter_add_65536x64", scatterText("f32", 10000, 65536, 64)},
		{"philox_4M", "HloModule m\nENTRY e {\n  s = u64[2] parameter(0)\n  ROOT r = (u64[2], u32[4194304]) " +
			"rng-bit-generator(s), algorithm=rng_philox\n}\n"},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkText(b, c.text) })
	}
}

func benchmarkText(b *testing.B, text string) {
	prog, err := xla.Parse("bench.hlo", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	pool := exec.NewPool(0)
	defer pool.Close()
	p, err := cpu.Compile(b.Context(), prog.Module(), cpu.Options{Pool: pool})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	var args []literal.Literal
	for _, q := range prog.Module().Entry().Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := p.Run(b.Context(), args, nil); err != nil {
			b.Fatal(err)
		}
	}
}
