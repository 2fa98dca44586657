//go:build !amd64 || (!linux && !xla_emulate)

package exec

// requestTiles refuses: only Linux has a known way to ask.
func requestTiles() error { return ErrNoAMX }
