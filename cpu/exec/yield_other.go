//go:build !linux

package exec

import "runtime"

// yield lets other goroutines run: nothing is known here that lets other threads do.
func yield() { runtime.Gosched() }
