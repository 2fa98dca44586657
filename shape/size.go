package shape

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// physical returns the tiling of array s and its number of elements in memory.
func (s Shape) physical() (tiling, int, error) {
	if !s.IsArray() {
		return tiling{}, 0, fmt.Errorf("expected an array, got %v", s)
	}
	if err := CheckLayout(s.Dims, s.Layout); err != nil {
		return tiling{}, 0, fmt.Errorf("%v: %w", s, err)
	}
	n, err := s.Elements()
	if err != nil || s.Layout == nil {
		return tiling{}, n, err
	}
	var t tiling
	if len(s.Layout.Tiles) > 0 {
		dims := make([]int, 0, len(s.Dims))
		for _, d := range slices.Backward(s.Layout.MinorToMajor) {
			dims = append(dims, s.Dims[d])
		}
		if t, err = newTiling(dims, s.Layout.Tiles); err != nil {
			return tiling{}, 0, err
		}
		if n, err = Make(s.Type, t.dims...).Elements(); err != nil {
			return tiling{}, 0, fmt.Errorf("%v with its padding: %w", s, err)
		}
	}
	n, ok := roundUp(n, max(s.Layout.TailPadding, 1))
	if !ok {
		return tiling{}, 0, fmt.Errorf("%v has more than 2^63-1 elements with its padding", s)
	}
	return t, n, nil
}

// roundUp returns n rounded up to a multiple of unit; ok is false if that does not
// fit an int.
func roundUp(n, unit int) (rounded int, ok bool) {
	rest := n % unit
	if rest == 0 {
		return n, true
	}
	return n + (unit - rest), n <= math.MaxInt-(unit-rest)
}

// PhysicalDims returns the sizes, major to minor, of the untiled row-major array
// that lies in memory as array s does with its tiles. Tail padding, which follows
// that array, does not count. It fails where NewIndexing does.
func (s Shape) PhysicalDims() ([]int, error) {
	t, _, err := s.physical()
	if err != nil {
		return nil, err
	}
	if len(t.steps) > 0 {
		return t.dims, nil
	}
	dims := make([]int, 0, len(s.Dims))
	for _, d := range slices.Backward(s.MinorToMajor()) {
		dims = append(dims, s.Dims[d])
	}
	return dims, nil
}

// PhysicalElements returns the number of elements that array s takes in memory,
// with the padding of tiles and of the tail. It fails where NewIndexing does.
func (s Shape) PhysicalElements() (int, error) {
	_, n, err := s.physical()
	return n, err
}

// ElementBits returns the bits that one element of array s takes in memory: what
// the layout says, or else the whole bytes of its type.
func (s Shape) ElementBits() int {
	if s.Layout != nil && s.Layout.ElementBits > 0 {
		return s.Layout.ElementBits
	}
	return s.Type.ByteSize() * 8
}

// ByteSize returns the bytes that s takes in memory, padding included, packed as
// its layout says. A dynamic array with a metadata prefix takes that as well. A
// tuple takes what its elements take together, a buffer what its array takes, and
// a token or an opaque value nothing. It fails if an array has an unbounded
// dimension or an invalid layout, or if the size does not fit an int.
func (s Shape) ByteSize() (int, error) {
	if s.IsArray() {
		return s.arrayBytes()
	}
	total := 0
	for _, e := range s.Elems {
		n, err := e.ByteSize()
		if err != nil {
			return 0, err
		}
		if total > math.MaxInt-n {
			return 0, fmt.Errorf("%v has more than 2^63-1 bytes", s)
		}
		total += n
	}
	return total, nil
}

func (s Shape) arrayBytes() (int, error) {
	n, err := s.PhysicalElements()
	if err != nil {
		return 0, err
	}
	prefix := 0
	if s.Layout != nil && !s.IsStatic() {
		prefix = s.Layout.DynamicMetadataPrefix
	}
	total, ok := packedBytes(n, s.ElementBits())
	if !ok || total > math.MaxInt-prefix {
		return 0, fmt.Errorf("%v has more than 2^63-1 bytes", s)
	}
	return total + prefix, nil
}

// multiply returns a*b for a, b >= 0; ok is false if that does not fit an int.
func multiply(a, b int) (product int, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int(lo), hi == 0 && lo <= math.MaxInt
}

// packedBytes returns the bytes that n elements of a number of bits take; ok is
// false if that does not fit an int.
func packedBytes(n, elementBits int) (total int, ok bool) {
	hi, lo := bits.Mul64(uint64(n), uint64(elementBits))
	lo, carry := bits.Add64(lo, 7, 0)
	hi += carry
	if hi >= 8 || (hi<<61|lo>>3) > math.MaxInt {
		return 0, false
	}
	return int(hi<<61 | lo>>3), true
}
