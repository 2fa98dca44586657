package fuse

// slab is memory for short slices that are made by the thousand and live as long as one another.
type slab[T any] struct {
	free []T
	size int // of the last piece
}

// Sizes of the pieces that a slab consists of, in elements: from the first on each is twice the one before it.
const (
	firstPiece = 8
	mostPiece  = 128
)

// take returns n zero elements, never nil.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) || s.free == nil {
		s.size = min(max(2*s.size, firstPiece), mostPiece)
		s.free = make([]T, max(n, s.size))
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}
