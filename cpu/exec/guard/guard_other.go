//go:build !unix

package guard

// Guarded says whether this platform has pages without access. Elsewhere the buffers are plain slices.
const Guarded = false

func fenced(n int) (mem []byte, free func(), err error) { return make([]byte, n), func() {}, nil }
