//go:build !linux

package peak

import "time"

// started is when the clock of CPUTime began.
var started = time.Now()

// CPUTime is the time so far, where the system does not count that of the processor.
func CPUTime() time.Duration { return time.Since(started) }
