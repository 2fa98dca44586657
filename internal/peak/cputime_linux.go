package peak

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime is the processor time of all threads so far.
func CPUTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
