//go:build unix && !linux

package exec

// adviseHuge does nothing: these systems have no such advice, or decide by themselves.
func adviseHuge([]byte) {}
