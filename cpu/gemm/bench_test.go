package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/peak"
	"github.com/goxla/xla/shape"
)

// shapes are M, N, K.
var shapes = [][3]int{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024},
	{2048, 2048, 2048}, {128, 768, 768}, {128, 3072, 768}, {1, 4096, 1024}}

// benchTier returns the tier that XLA_CPU_ISA names, or the highest; a benchmark of a machine without one is skipped.
func benchTier(b *testing.B) exec.Tier {
	b.Helper()
	tier, err := exec.HostTier(os.Getenv(exec.TierEnv))
	if err != nil {
		b.Fatal(err)
	}
	if tier == exec.Portable {
		b.Skipf("the tier is %v: it has no machine code", tier)
	}
	return tier
}

// BenchmarkF32 reports the median over samples of the fraction of the peak of multiply-adds that was measured
// right before and after each, by the time of the processor, so that it holds on a machine that has more to do.
// XLA_CPU_ISA chooses the tier.
func BenchmarkF32(b *testing.B) {
	tier := benchTier(b)
	for _, threads := range []int{1, 2} {
		for _, d := range shapes {
			for _, how := range []string{"b", "constant", "transposed"} {
				b.Run(fmt.Sprintf("%v/%dT/%dx%dx%d/%s", tier, threads, d[0], d[1], d[2], how), func(b *testing.B) {
					benchmark(b, tier, threads, d, how)
				})
			}
		}
	}
}

func benchmark(b *testing.B, tier exec.Tier, threads int, d [3]int, how string) {
	s := Spec{C: shape.F32, Constant: how == "constant"}
	layoutB := rowMajor
	if how == "transposed" {
		layoutB = columnMajor
	}
	s.A, _ = operand(shape.F32, rowMajor, 1, d[0], d[2], false)
	s.B, _ = operand(shape.F32, layoutB, 1, d[1], d[2], true)
	measure(b, s, tier, threads)
}

// BenchmarkTypes is BenchmarkF32 for other types, on one thread; the peak is that of f32.
func BenchmarkTypes(b *testing.B) {
	tier := benchTier(b)
	for _, ty := range types {
		for _, l := range []layout{rowMajor, columnMajor} {
			for _, d := range [][3]int{{512, 512, 512}, {1, 4096, 1024}} {
				b.Run(fmt.Sprintf("%v_%v_%v/%dx%dx%d/%d", ty[0], ty[1], ty[2], d[0], d[1], d[2], l), func(b *testing.B) {
					s := Spec{C: ty[2]}
					s.A, _ = operand(ty[0], rowMajor, 1, d[0], d[2], false)
					s.B, _ = operand(ty[1], l, 1, d[1], d[2], true)
					measure(b, s, tier, 1)
				})
			}
		}
	}
}

// BenchmarkBatch has the products of attention, 96 heads at once, and single small ones.
func BenchmarkBatch(b *testing.B) {
	tier := benchTier(b)
	for _, d := range [][4]int{{96, 128, 128, 64}, {96, 128, 64, 128}, {96, 1, 128, 64}, {1, 8, 8, 8}, {1, 16, 16, 16},
		{1, 32, 32, 32}, {1, 48, 48, 48}, {1, 100, 100, 100}, {1, 1000, 10, 300}} {
		for _, l := range []layout{rowMajor, columnMajor} {
			b.Run(fmt.Sprintf("%dx%dx%dx%d/%d", d[0], d[1], d[2], d[3], l), func(b *testing.B) {
				s := Spec{C: shape.F32}
				s.A, _ = operand(shape.F32, rowMajor, d[0], d[1], d[3], false)
				s.B, _ = operand(shape.F32, l, d[0], d[2], d[3], true)
				measure(b, s, tier, 1)
			})
		}
	}
}

// measure reports how fast s is.
func measure(b *testing.B, s Spec, tier exec.Tier, threads int) {
	pool := exec.NewPool(threads)
	defer pool.Close()
	batch, m, n, k := s.Batch(), s.M(), s.N(), s.K()
	config, err := HostConfig(tier.String(), threads)
	if err != nil {
		b.Fatal(err)
	}
	p, err := New(s, config)
	if err != nil {
		b.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		b.Fatal(err)
	}
	top, err := peak.NewFMA(tier)
	if err != nil {
		b.Skip(err)
	}
	args := Args{A: randomOf(b, s.A.Type, batch*m*k), B: randomOf(b, s.B.Type, batch*n*k),
		C:       memory(b, batch*m*n*s.C.ByteSize()),
		Scratch: memory(b, p.ScratchBytes())}
	if p.PackedBytes() > 0 {
		args.Packed = p.Prepack(args.B)
	}
	var j Job
	j.Run(pool, p, args)
	flops := 2 * float64(batch) * float64(m) * float64(n) * float64(k)
	runs := max(1, int(20e6/flops))
	var fractions, rates []float64
	for b.Loop() {
		before := top.Rate(pool, threads, peak.CPUTime)
		start := peak.CPUTime()
		for range runs {
			j.Run(pool, p, args)
		}
		rate := flops * float64(runs) / (peak.CPUTime() - start).Seconds()
		fractions = append(fractions, rate/max(before, top.Rate(pool, threads, peak.CPUTime)))
		rates = append(rates, rate)
	}
	slices.Sort(fractions)
	slices.Sort(rates)
	b.ReportMetric(fractions[len(fractions)/2], "of-peak")
	b.ReportMetric(fractions[len(fractions)*9/10], "of-peak-p90")
	b.ReportMetric(rates[len(rates)/2]/1e9, "GF/s/core")
	b.ReportMetric(0, "ns/op")
}

func memory(b *testing.B, n int) []byte {
	b.Helper()
	arena, err := exec.NewArena(n)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(arena.Close)
	return arena.Bytes()
}

func randomOf(b *testing.B, t shape.ElementType, n int) []byte {
	mem := memory(b, n*t.ByteSize())
	copy(mem, fill(rand.New(rand.NewPCG(1, 1)), t, n).Bytes())
	return mem
}

// BenchmarkPack reports the rate at which B is packed, in bytes of the result.
func BenchmarkPack(b *testing.B) {
	tier := benchTier(b)
	for _, d := range [][2]int{{512, 512}, {768, 768}, {1024, 1024}, {1000, 1000}, {3072, 768}, {2048, 2048}} {
		for _, l := range []layout{rowMajor, columnMajor} {
			b.Run(fmt.Sprintf("%dx%d/%d", d[0], d[1], l), func(b *testing.B) { benchmarkPack(b, tier, d[0], d[1], l) })
		}
	}
}

func benchmarkPack(b *testing.B, tier exec.Tier, n, k int, l layout) {
	s := Spec{C: shape.F32, Constant: true} // all panels are packed, wherever a run would
	s.A, _ = operand(shape.F32, rowMajor, 1, 1024, k, false)
	s.B, _ = operand(shape.F32, l, 1, n, k, true)
	p, err := New(s, Config{Tier: tier, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		b.Fatal(err)
	}
	from, to := randomOf(b, shape.F32, n*k), memory(b, p.batchBytes()+align)
	w := task{Job: &Job{p: p, b: pointer(from), packed: pointer(to), last: len(p.panels)}}
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := peak.CPUTime()
		for i := range p.packParts() * parts(len(p.panels), packPanels) {
			w.pack(i)
		}
		best = min(best, peak.CPUTime()-start)
	}
	b.ReportMetric(float64(p.batchBytes())/best.Seconds()/1e9, "GB/s")
	b.ReportMetric(0, "ns/op")
}
