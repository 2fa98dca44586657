//go:build !amd64 && !arm64

package exec

import "runtime"

// pause lets other goroutines run: there is no hint to the processor here.
func pause(uint32) { runtime.Gosched() }
