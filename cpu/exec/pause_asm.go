//go:build amd64 || arm64

package exec

// pause executes the processor's hint for spinning loops n times, n > 0.
func pause(n uint32)
