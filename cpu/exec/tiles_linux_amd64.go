//go:build !xla_emulate

package exec

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// See Documentation/arch/x86/xstate.rst of the Linux kernel.
const (
	archReqXcompPerm = 0x1023
	xfeatureTileData = 18
)

// requestTiles asks the kernel to let this process, with all its threads, use the tile registers.
// The kernel refuses if a thread's signal stack is too small for them; those of Go are large enough.
func requestTiles() error {
	_, _, errno := unix.RawSyscall(unix.SYS_ARCH_PRCTL, archReqXcompPerm, xfeatureTileData, 0)
	if errno != 0 {
		return fmt.Errorf("%w: arch_prctl: %w", ErrNoAMX, errno)
	}
	return nil
}
