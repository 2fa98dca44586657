package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// scatterText is a program that adds rows of a width to those of an array that indices name.
func scatterText(ty string, rows, updates, width int) string {
	return fmt.Sprintf(`HloModule scatter
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]d,%[4]d] parameter(0)
  i = s32[%[3]d,1] parameter(1)
  u = %[1]s[%[3]d,%[4]d] parameter(2)
  ROOT r = %[1]s[%[2]d,%[4]d] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
}
`, ty, rows, updates, width)
}

// TestScatterThreads: a scatter whose windows are cut into parts adds in the evaluator's order for any number of
// threads.
func TestScatterThreads(t *testing.T) {
	for n, width := range []int{31, 64, 96, 128, 250} {
		ty := []string{"f32", "f64", "s32"}[n%3]
		prog, err := xla.Parse("scatter.hlo", []byte(scatterText(ty, 20, 300, width)))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 1))
		var args []literal.Literal
		for _, q := range prog.Module().Entry().Params() {
			args = append(args, someOf(r, q.Shape()))
		}
		for k := range args[1].Len() {
			args[1].SetInt(k, int64(r.IntN(24)-2)) // some are outside
		}
		want, err := interp.New(t.Context(), interp.Options{}).Instruction(prog.Module().Entry().Root(), args)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 2, 3, 5} {
			pool := exec.NewPool(threads)
			p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Run(t.Context(), args, nil)
			pool.Close()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s, rows of %d, %d threads: other bits than the evaluator's", ty, width, threads)
			}
		}
	}
}

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
