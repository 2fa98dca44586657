package exec

import "unsafe"

// copyBlock is what copyAhead copies a multiple of.
const copyBlock = 256

// copyAhead copies n bytes, a multiple of copyBlock that is not 0, and asks for the lines of the next kilobyte.
//
//go:noescape
func copyAhead(to, from unsafe.Pointer, n int)
