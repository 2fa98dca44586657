package shape

import (
	"fmt"
	"slices"
)

// Check returns an error if s is not a valid shape: an array with a negative size,
// a layout that CheckLayout refuses or more than 2^63-1 bytes; dimensions, a layout
// or elements where the kind of s has none; a buffer of anything but one array.
// Sizes may be unbounded. Spec: SHAPES.md, Shape; XLA's ValidateShape.
func (s Shape) Check() error {
	if s.IsArray() {
		return s.checkArray()
	}
	if len(s.Dims) > 0 || s.Layout != nil || s.Dynamic != nil {
		return fmt.Errorf("expected no dimensions and no layout for %v, got dimensions %v", s.Type, s.Dims)
	}
	switch s.Type {
	case Token, Opaque:
		if len(s.Elems) > 0 {
			return fmt.Errorf("expected no elements for %v, got %d", s.Type, len(s.Elems))
		}
	case Buffer:
		if len(s.Elems) != 1 || !s.Elems[0].IsArray() {
			return fmt.Errorf("expected one array in a buffer, got %v", s)
		}
	case Tuple:
	default:
		return fmt.Errorf("expected an element type, got %d", s.Type)
	}
	for i, e := range s.Elems {
		if err := e.Check(); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func (s Shape) checkArray() error {
	if len(s.Elems) > 0 {
		return fmt.Errorf("expected no elements in an array of %v, got %d", s.Type, len(s.Elems))
	}
	if s.Dynamic != nil && len(s.Dynamic) != len(s.Dims) {
		return fmt.Errorf("%v: expected %d dynamic flags, got %d", s, len(s.Dims), len(s.Dynamic))
	}
	for i, d := range s.Dims {
		if d < 0 && d != Unbounded {
			return fmt.Errorf("%v: dimension %d: expected a size of at least 0, got %d", s.Type, i, d)
		}
	}
	if err := CheckLayout(s.Dims, s.Layout); err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	if slices.Contains(s.Dims, Unbounded) {
		return nil
	}
	_, err := s.ByteSize()
	return err
}

// CheckLayout returns an error if l is not a layout for an array of the given
// sizes: the order is not a permutation of the dimensions, a tile is empty, has a
// size below 1 or ends in Combine, a type is not an integer type, a split is not
// inside its dimension, or a number is negative. A nil layout is valid.
func CheckLayout(dims []int, l *Layout) error {
	if l == nil {
		return nil
	}
	if len(l.MinorToMajor) != len(dims) {
		return fmt.Errorf("layout %v: minor_to_major has %d entries, expected %d", l, len(l.MinorToMajor), len(dims))
	}
	if err := CheckPermutation(l.MinorToMajor); err != nil {
		return fmt.Errorf("layout %v: minor_to_major: %w", l, err)
	}
	for _, t := range l.Tiles {
		if err := t.check(); err != nil {
			return fmt.Errorf("layout %v: %w", l, err)
		}
	}
	for _, c := range l.SplitConfigs {
		if err := c.check(dims); err != nil {
			return fmt.Errorf("layout %v: %w", l, err)
		}
	}
	return l.checkProperties()
}

// CheckPermutation returns an error unless order holds each of 0 .. len(order)-1 once.
func CheckPermutation(order []int) error {
	var few [32]bool
	seen := few[:]
	if len(order) > len(few) {
		seen = make([]bool, len(order))
	}
	for _, d := range order {
		if d < 0 || d >= len(order) || seen[d] {
			return fmt.Errorf("expected a permutation of 0..%d, got %v", len(order)-1, order)
		}
		seen[d] = true
	}
	return nil
}

func (t Tile) check() error {
	for _, d := range t.Dims {
		if d < 1 && d != Combine {
			return fmt.Errorf("tile %v: expected sizes of at least 1, got %d", t, d)
		}
	}
	if n := len(t.Dims); n == 0 || t.Dims[n-1] == Combine {
		return fmt.Errorf("tile %v: expected a size for the most minor dimension, got none", t)
	}
	return nil
}

func (c SplitConfig) check(dims []int) error {
	if c.Dim < 0 || c.Dim >= len(dims) {
		return fmt.Errorf("split: dimension %d is not in [0, %d)", c.Dim, len(dims))
	}
	before := 0
	for _, at := range c.Indices {
		if at < before || dims[c.Dim] != Unbounded && at > dims[c.Dim] {
			return fmt.Errorf("split of dimension %d: expected ascending indices up to %d, got %v",
				c.Dim, dims[c.Dim], c.Indices)
		}
		before = at
	}
	return nil
}

func (l *Layout) checkProperties() error {
	if min(l.TailPadding, l.ElementBits, l.MemorySpace, l.DynamicMetadataPrefix) < 0 {
		return fmt.Errorf("layout %v: expected numbers of at least 0", l)
	}
	for _, t := range []ElementType{l.IndexType, l.PointerType} {
		if t != Invalid && !t.IsInteger() {
			return fmt.Errorf("layout %v: expected integer types for indices and pointers, got %v", l, t)
		}
	}
	if l.Physical != nil {
		return l.Physical.Check()
	}
	return nil
}
