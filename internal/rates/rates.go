package rates

import (
	"time"

	"github.com/goxla/xla/cpu/exec"
)

// Rates are what a number of threads can do.
type Rates struct {
	// GFlops is the most multiply-adds of f32, two operations each, in 10^9 a second; 0 where the tier
	// has no machine code.
	GFlops float64 `json:"gflops,omitempty"`
	// Copy has the bandwidth of a copy by the bytes that it touches, ascending.
	Copy []Bandwidth `json:"copy,omitempty"`
	// LatencyNS is the time from a multiply-add to the next one that needs its result, in nanoseconds.
	LatencyNS float64 `json:"latency_ns,omitempty"`
}

// Bandwidth is how fast so many bytes are copied again and again: half of them are read, half written, and
// all are counted.
type Bandwidth struct {
	Bytes int     `json:"bytes"`
	GBs   float64 `json:"gbs"`
}

// sizes are the bytes that the copies touch: from one that is in the first cache to one that is in none of a
// core's own.
var sizes = [...]int{16 << 10, 128 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 128 << 20}

// burst is how long each measurement repeats; the best repetition counts.
const (
	burst  = 8 * time.Millisecond
	fewest = 3 // repetitions
)

// Measure measures the rates of that many threads, in about a fifth of a second. It fails if there is no memory.
func Measure(tier exec.Tier, threads int) (Rates, error) {
	pool := exec.NewPool(threads)
	defer pool.Close()
	var r Rates
	if err := r.arithmetic(pool, tier); err != nil {
		return Rates{}, err
	}
	arena, err := exec.NewArena(sizes[len(sizes)-1])
	if err != nil {
		return Rates{}, err
	}
	defer arena.Close()
	for _, n := range sizes {
		r.Copy = append(r.Copy, Bandwidth{n, float64(n) / 1e9 / copying(pool, arena.Bytes()[:n])})
	}
	return r, nil
}

// At returns the bandwidth in 10^9 bytes a second for so many bytes: that of the measured size, or between two
// sizes a mean. It is 0 if nothing was measured.
func (r Rates) At(bytes float64) float64 {
	for i, b := range r.Copy {
		if bytes > float64(b.Bytes) {
			continue
		}
		if i == 0 {
			return b.GBs
		}
		low := r.Copy[i-1]
		part := (bytes - float64(low.Bytes)) / float64(b.Bytes-low.Bytes)
		return low.GBs + part*(b.GBs-low.GBs)
	}
	if n := len(r.Copy); n > 0 {
		return r.Copy[n-1].GBs
	}
	return 0
}

// Merge keeps the better of each rate of two measurements.
func (r Rates) Merge(other Rates) Rates {
	r.GFlops = max(r.GFlops, other.GFlops)
	if r.LatencyNS == 0 || other.LatencyNS > 0 && other.LatencyNS < r.LatencyNS {
		r.LatencyNS = other.LatencyNS
	}
	if len(r.Copy) != len(other.Copy) {
		r.Copy = other.Copy
		return r
	}
	merged := make([]Bandwidth, len(r.Copy))
	for i, b := range r.Copy {
		merged[i] = Bandwidth{b.Bytes, max(b.GBs, other.Copy[i].GBs)}
	}
	r.Copy = merged
	return r
}

// copying returns the seconds of a copy of the first half of each thread's part of mem to the second: at a time, or in
// parts, which Go copies through the caches, whichever is faster.
func copying(pool *exec.Pool, mem []byte) float64 {
	return min(copyingParts(pool, mem, len(mem)), copyingParts(pool, mem, throughCaches))
}

// throughCaches is how many bytes Go copies through the caches; it copies what is longer than 1 MB past them.
const throughCaches = 512 << 10

// copyingParts is copying, so many bytes at a time.
func copyingParts(pool *exec.Pool, mem []byte, most int) float64 {
	n := pool.Threads()
	part := len(mem) / n &^ 127
	times := max(1, (1<<20)/len(mem)) // so that the start of the threads does not count
	job := exec.JobFunc(func(_, lo, hi int) {
		for ; lo < hi; lo++ {
			p := mem[lo*part : (lo+1)*part]
			for range times {
				for at := 0; at < part/2; at += most {
					copy(p[part/2+at:], p[at:min(at+most, part/2)])
				}
			}
		}
	})
	return best(func() { pool.Run(n, 1, job) }) / float64(times)
}

// best returns the seconds of the fastest call of f.
func best(f func()) float64 {
	f()
	least := time.Duration(1 << 62)
	for n, start := 0, time.Now(); n < fewest || time.Since(start) < burst; n++ {
		from := time.Now()
		f()
		least = min(least, max(time.Since(from), 1))
	}
	return least.Seconds()
}
