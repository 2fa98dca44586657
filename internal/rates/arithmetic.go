package rates

import (
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/peak"
)

// arithmetic measures the multiply-adds: many at once, and one after another.
func (r *Rates) arithmetic(pool *exec.Pool, tier exec.Tier) error {
	if tier == exec.Portable {
		return nil
	}
	many, err := peak.NewFMA(tier)
	if err != nil {
		return err
	}
	one, err := peak.NewChain(tier)
	if err != nil {
		return err
	}
	began := time.Now()
	clock := func() time.Duration { return time.Since(began) }
	for time.Since(began) < 2*burst {
		r.GFlops = max(r.GFlops, many.Rate(pool, pool.Threads(), clock)/1e9)
	}
	r.LatencyNS = one.Latency(clock)
	return nil
}
