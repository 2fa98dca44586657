package vmath

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// interval is where the arguments of a benchmark are: where the function does its usual work.
type interval struct{ low, high float64 }

var usual = map[string]interval{
	"log": {0.01, 100}, "log2": {0.01, 100}, "log1p": {-0.9, 10}, "rsqrt": {0.01, 100}, "acosh": {1, 100},
	"asin": {-1, 1}, "acos": {-1, 1}, "atanh": {-1, 1}, "erf": {-3, 3}, "erfc": {-3, 3}, "tanh": {-4, 4},
	"pow": {0.01, 20},
}

// BenchmarkFunctions is how many elements a function does on blocks in the first cache: in a nanosecond, and in a cycle
// of a processor that needs three for a product of integers; the rate in a nanosecond that it is to reach, and the
// share of it.
func BenchmarkFunctions(b *testing.B) {
	perNano := cyclesPerNano()
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
		for _, name := range []string{"avx2", "avx512"} {
			if _, ok := targets()[name]; !ok {
				continue
			}
			for i := range functions {
				f := &functions[i]
				b.Run(fmt.Sprintf("%s/%v/%s", f.name, m, name), func(b *testing.B) {
					benchFunction(b, f.name, name, m, 1, f.body(), perNano)
				})
			}
			for i := range binaries {
				f := &binaries[i]
				b.Run(fmt.Sprintf("%s/%v/%s", f.name, m, name), func(b *testing.B) {
					benchFunction(b, f.name, name, m, 2, f.body(), perNano)
				})
			}
		}
	}
}

func benchFunction(b *testing.B, f, target string, m loop.Mem, inputs int, body body, perNano float64) {
	to := targets()[target]
	if to.AVX512 && exec.Host().SplitUnits() {
		to = targets()["avx512 split"]
	}
	k := assemble(b, nestOf(m, inputs, body, to), to)
	at, ok := usual[f]
	if !ok {
		at = interval{-10, 10}
	}
	r := rand.New(rand.NewPCG(3, 4))
	perElement := 0.0
	if m == loop.MemF32 {
		perElement = timeBlocks[float32](b, k, inputs, func() float64 { return at.low + (at.high-at.low)*r.Float64() })
	} else {
		perElement = timeBlocks[float64](b, k, inputs, func() float64 { return at.low + (at.high-at.low)*r.Float64() })
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1/perElement, "elem/ns")
	b.ReportMetric(1/perElement/perNano, "elem/cycle")
	if a := aim(f, target, m); a != 0 {
		b.ReportMetric(a, "aim")
		b.ReportMetric(1/perElement/a, "share")
	}
}

// timeBlocks is the least time of an element in nanoseconds, of many runs.
func timeBlocks[T float32 | float64](b *testing.B, k kernel, inputs int, x func() float64) float64 {
	y := make([]T, block)
	args := make([][]T, inputs)
	for n := range args {
		args[n] = make([]T, block)
		for j := range args[n] {
			args[n][j] = T(x())
		}
	}
	bufs := bytesOf(append(args, y))
	least := time.Hour
	for b.Loop() {
		start := time.Now()
		for range repeats {
			if err := k.run(bufs); err != nil {
				b.Fatal(err)
			}
		}
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds()) / (block * repeats)
}

// repeats is how many runs are timed as one.
const repeats = 8

// cyclesPerNano measures the clock by products that wait for each other.
func cyclesPerNano() float64 {
	const products, latency = 100_000, 3
	least := time.Hour
	for range 50 {
		start := time.Now()
		x := uint64(start.Nanosecond()) | 1
		for range products {
			x *= x
		}
		if x == 0 {
			return 0
		}
		least = min(least, time.Since(start))
	}
	return products * latency / float64(least.Nanoseconds())
}
