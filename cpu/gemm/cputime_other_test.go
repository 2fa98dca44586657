//go:build !linux

package gemm

import "time"

// started is when the clock of cpuTime began.
var started = time.Now()

// cpuTime is the time so far, where the system does not count that of the processor.
func cpuTime() time.Duration { return time.Since(started) }
