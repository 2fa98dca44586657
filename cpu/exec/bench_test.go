package exec

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// busy is a job that takes a given time in all.
type busy struct{ perElement time.Duration }

func (b busy) Do(worker, lo, hi int) {
	if b.perElement > 0 {
		occupy(time.Duration(hi-lo) * b.perElement)
	}
}

func occupy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// BenchmarkForkJoin is the cost of an empty job in as many chunks as threads: back to back, after 20 µs of
// other work by the caller, and after the workers have parked. The median is reported as p50-ns.
func BenchmarkForkJoin(b *testing.B) {
	for _, gap := range []struct {
		name string
		wait func()
	}{
		{"hot", func() {}},
		{"after20us", func() { occupy(20 * time.Microsecond) }},
		{"parked", func() { time.Sleep(10 * DefaultSpin) }},
	} {
		b.Run("pool/"+gap.name, func(b *testing.B) {
			p := NewPool(0)
			defer p.Close()
			var empty Job = busy{}
			median(b, gap.wait, func() { p.Run(p.Threads(), 1, empty) })
		})
		b.Run("goroutines/"+gap.name, func(b *testing.B) {
			threads := DefaultThreads()
			median(b, gap.wait, func() {
				var wg sync.WaitGroup
				for range threads - 1 {
					wg.Go(func() {})
				}
				wg.Wait()
			})
		})
	}
}

func median(b *testing.B, between, run func()) {
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for range b.N {
		between()
		start := time.Now()
		run()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2]), "p50-ns")
	b.ReportMetric(float64(times[len(times)*99/100]), "p99-ns")
}

// BenchmarkSpeedUp is how much faster the pool does work that takes a thread so long alone, in chunks of a
// quarter of a thread's share, with 20 µs of other work by the caller before each.
func BenchmarkSpeedUp(b *testing.B) {
	for _, serial := range []time.Duration{2, 5, 20, 50, 200} {
		serial *= time.Microsecond
		b.Run(fmt.Sprint(serial), func(b *testing.B) {
			p := NewPool(0)
			defer p.Close()
			n := p.Threads() * chunksPerThread
			var job Job = busy{serial / time.Duration(n)}
			times := make([]time.Duration, 0, b.N)
			for range b.N {
				occupy(20 * time.Microsecond)
				start := time.Now()
				p.Run(n, 1, job)
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(serial)/float64(times[len(times)/2]), "speed-up")
			b.ReportMetric(float64(serial)/float64(times[len(times)/10]), "p10-speed-up")
		})
	}
}

// steady is a job whose chunks take so many rounds of work that waits for nothing.
type steady struct {
	rounds int
	sum    [2]struct {
		x uint64
		_ [120]byte
	}
}

func (s *steady) Do(worker, lo, hi int) {
	x := s.sum[worker].x
	for range (hi - lo) * s.rounds {
		x = x*6364136223846793005 + 1442695040888963407
	}
	s.sum[worker].x = x
}

// BenchmarkHandOver is what a job of two threads, in so many chunks for each, takes longer than one of them does for
// its part.
func BenchmarkHandOver(b *testing.B) {
	for _, chunks := range []int{1, 4} {
		b.Run(fmt.Sprint(chunks), func(b *testing.B) {
			p := NewPool(2)
			p.Begin()
			defer p.Close()
			defer p.End()
			s := &steady{rounds: 4000 / chunks}
			time := func(run func()) float64 {
				times := make([]time.Duration, 0, b.N)
				for range b.N {
					start := time.Now()
					run()
					times = append(times, time.Since(start))
				}
				slices.Sort(times)
				return float64(times[len(times)/2])
			}
			one := time(func() { s.Do(0, 0, chunks) })
			b.ReportMetric(time(func() { p.Run(2*chunks, 1, s) })-one, "p50-ns")
		})
	}
}
