//go:build !amd64

package exec

import "unsafe"

// copyBlock is what copyAhead copies a multiple of.
const copyBlock = 256

// copyAhead copies n bytes.
func copyAhead(to, from unsafe.Pointer, n int) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}
