//go:build !linux || !amd64

package exec

// requestTiles refuses: only Linux has a known way to ask.
func requestTiles() error { return ErrNoAMX }
