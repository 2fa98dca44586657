//go:build !linux

package exec

// cpuLimit returns 0: no limit is known.
func cpuLimit() float64 { return 0 }
