package exec

import (
	"math"
	"runtime"
)

// DefaultThreads returns how many threads a program should use: GOMAXPROCS, or fewer where
// there are fewer processors or a limit on CPU time (Linux control groups). Part of a processor
// counts as a whole one.
func DefaultThreads() int {
	n := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	if limit := cpuLimit(); limit > 0 {
		n = min(n, int(math.Ceil(min(limit, float64(n)))))
	}
	return max(n, 1)
}
