//go:build !linux

package literal

// adviseHuge does nothing: these systems have no such advice, or decide by themselves.
func adviseHuge([]byte) {}
