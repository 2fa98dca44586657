//go:build !amd64

package exec

// detect knows nothing of this processor: it runs the portable tier.
func detect() Features { return Features{} }
