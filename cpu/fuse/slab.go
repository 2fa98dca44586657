package fuse

// slab is memory for short slices that are made by the thousand and live as long as one another.
type slab[T any] struct {
	free  []T
	piece []T // the last one, the end of which is free
}

// Sizes of the pieces that a slab consists of, in elements: from the first on each is twice the one before it.
const (
	firstPiece = 8
	mostPiece  = 128
)

// take returns n zero elements, never nil.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) || s.free == nil {
		s.piece = make([]T, max(n, min(max(2*len(s.piece), firstPiece), mostPiece)))
		s.free = s.piece
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}

// again returns s with nothing taken, in the memory of its last piece.
func (s *slab[T]) again() slab[T] {
	clear(s.piece[:len(s.piece)-len(s.free)])
	return slab[T]{free: s.piece, piece: s.piece}
}
