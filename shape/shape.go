package shape

import (
	"fmt"
	"math"
	"slices"
)

// Unbounded is the size of a dimension of which not even an upper bound is known,
// written "?".
const Unbounded = math.MinInt

// Shape is the type of a value: an array, a tuple, a token, an opaque value or a
// buffer. The zero Shape is invalid.
type Shape struct {
	// Type is the element type of an array, or Tuple, Token, Opaque, Buffer.
	Type ElementType
	// Dims holds the size of each dimension of an array. For a bounded dynamic
	// dimension it is the bound; Unbounded where there is none.
	Dims []int
	// Dynamic tells which dimensions are dynamic; nil when none is.
	Dynamic []bool
	// Layout is the order in memory; nil means the default: descending
	// minor-to-major (row-major), no tiles, memory space 0.
	Layout *Layout
	// Elems holds the elements of a tuple, or the one array of a buffer.
	Elems []Shape
}

// Make returns an array shape with the default layout.
func Make(t ElementType, dims ...int) Shape { return Shape{Type: t, Dims: dims} }

// MakeTuple returns the tuple shape of elems.
func MakeTuple(elems ...Shape) Shape { return Shape{Type: Tuple, Elems: elems} }

// MakeToken returns the shape of a token.
func MakeToken() Shape { return Shape{Type: Token} }

// MakeDynamic returns an array shape whose dimension i is dynamic where dynamic[i]
// is set; dims then holds the bound, or Unbounded.
func MakeDynamic(t ElementType, dims []int, dynamic []bool) Shape {
	if !slices.Contains(dynamic, true) {
		dynamic = nil
	}
	return Shape{Type: t, Dims: dims, Dynamic: dynamic}
}

// IsArray reports whether s is an array.
//
//go:noinline
func (s Shape) IsArray() bool { return s.Type.IsArray() }

// IsTuple reports whether s is a tuple.
func (s Shape) IsTuple() bool { return s.Type == Tuple }

// IsToken reports whether s is a token.
func (s Shape) IsToken() bool { return s.Type == Token }

// IsScalar reports whether s is an array of rank 0.
func (s Shape) IsScalar() bool { return s.IsArray() && len(s.Dims) == 0 }

// Rank returns the number of dimensions.
func (s Shape) Rank() int { return len(s.Dims) }

// TrueRank returns the number of dimensions larger than 1. Spec: SHAPES.md, Shape.
func (s Shape) TrueRank() int {
	n := 0
	for _, d := range s.Dims {
		if d > 1 || d == Unbounded {
			n++
		}
	}
	return n
}

// Dimension returns the size of dimension i, where -1 is the last dimension, -2
// the one before it, to -rank.
func (s Shape) Dimension(i int) (int, error) {
	n := len(s.Dims)
	if i < -n || i >= n {
		return 0, fmt.Errorf("dimension %d is not in [%d, %d) of %v", i, -n, n, s)
	}
	if i < 0 {
		i += n
	}
	return s.Dims[i], nil
}

// IsDynamicDim reports whether dimension i is dynamic, bounded or not.
func (s Shape) IsDynamicDim(i int) bool {
	return s.Dims[i] == Unbounded || i < len(s.Dynamic) && s.Dynamic[i]
}

// IsStatic reports whether no dimension of s or of an element of s is dynamic.
//
//go:noinline
func (s Shape) IsStatic() bool { return isStatic(s.Dims, s.Dynamic, s.Elems) }

func isStatic(dims []int, dynamic []bool, elems []Shape) bool {
	for i, n := range dims {
		if n == Unbounded || i < len(dynamic) && dynamic[i] {
			return false
		}
	}
	for i := range elems {
		if !elems[i].IsStatic() {
			return false
		}
	}
	return true
}

// Elements returns the number of elements of an array, bounds taken for dynamic
// dimensions; it is an error if a dimension is unbounded or negative, or if the
// product does not fit an int.
func (s Shape) Elements() (int, error) {
	n, fits, empty := 1, true, false
	for i, d := range s.Dims {
		if d == Unbounded {
			return 0, fmt.Errorf("%v has no element count: dimension %d is unbounded", s, i)
		}
		if d < 0 {
			return 0, fmt.Errorf("%v has no element count: dimension %d has size %d", s, i, d)
		}
		empty = empty || d == 0
		if fits {
			n, fits = multiply(n, d)
		}
	}
	switch {
	case empty:
		return 0, nil
	case !fits:
		return 0, fmt.Errorf("%v has more than 2^63-1 elements", s)
	}
	return n, nil
}

// Size returns the number of elements of an array whose count is known to fit:
// after Elements or a verifier has accepted the shape. It is 0 where Elements fails.
//
//go:noinline
func (s Shape) Size() int {
	n, err := s.Elements()
	if err != nil {
		return 0
	}
	return n
}

// WithLayout returns s with another layout; nil is the default layout.
func (s Shape) WithLayout(l *Layout) Shape {
	s.Layout = l
	return s
}

// WithType returns s with another element type.
func (s Shape) WithType(t ElementType) Shape {
	s.Type = t
	return s
}

// Clone returns a copy of s that shares no slice and no layout with it.
func (s Shape) Clone() Shape {
	s.Dims = slices.Clone(s.Dims)
	s.Dynamic = slices.Clone(s.Dynamic)
	s.Layout = s.Layout.Clone()
	s.Elems = slices.Clone(s.Elems)
	for i, e := range s.Elems {
		s.Elems[i] = e.Clone()
	}
	return s
}

// Permute returns array s with its dimensions reordered: dimension i of the result
// is dimension perm[i] of s. The elements stay where they are in memory, so the
// layout is reordered too: f32[4,2]{1,0} by {1,0} is f32[2,4]{0,1}. The permutation
// must be one of the dimensions of s.
func (s Shape) Permute(perm []int) Shape {
	p := Shape{Type: s.Type, Dims: make([]int, len(perm))}
	if s.Dynamic != nil {
		p.Dynamic = make([]bool, len(perm))
	}
	place := make([]int, len(perm))
	for i, d := range perm {
		p.Dims[i], place[d] = s.Dims[d], i
		if s.Dynamic != nil {
			p.Dynamic[i] = s.Dynamic[d]
		}
	}
	l := &Layout{}
	if s.Layout != nil {
		*l = *s.Layout
	}
	l.MinorToMajor = make([]int, len(perm))
	for i, d := range s.MinorToMajor() {
		l.MinorToMajor[i] = place[d]
	}
	l.SplitConfigs = slices.Clone(l.SplitConfigs)
	for i, c := range l.SplitConfigs {
		l.SplitConfigs[i].Dim = place[c.Dim]
	}
	p.Layout = l.Normalize()
	return p
}
