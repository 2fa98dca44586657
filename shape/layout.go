package shape

import (
	"math"
	"slices"
)

// Layout says how the elements of an array lie in memory. The fields after Tiles
// are carried through text and proto; only ElementBits and the order change where
// an element lies.
type Layout struct {
	// MinorToMajor is a permutation of the dimensions, the fastest-varying first.
	MinorToMajor []int
	// Tiles are applied one after the other; each tile covers the minor-most
	// dimensions of what the tile before it gives.
	Tiles []Tile
	// TailPadding is L(n): the size is padded to a multiple of n elements; 0 or 1: no padding.
	TailPadding int
	// IndexType #(t) and PointerType *(t) are used by sparse and nested buffers; Invalid: absent.
	IndexType, PointerType ElementType
	// ElementBits is E(n), the size of an element in bits when packed; 0: elements lie in bytes of their own.
	ElementBits int
	// MemorySpace is S(n); 0: default, 1: VMEM, 5: host.
	MemorySpace int
	// SplitConfigs is SC(dim:i,j)...: where a dimension is split over memories.
	SplitConfigs []SplitConfig
	// Physical is P(shape), the physical shape of a sparse array; nil: absent.
	Physical *Shape
	// DynamicMetadataPrefix is M(bytes), in front of an array with dynamic dimensions.
	DynamicMetadataPrefix int
}

// Combine is the entry of a tile that merges its dimension into the next more
// minor one, written "*".
const Combine = math.MinInt

// Tile is one T(...) of a layout: the sizes of a block, major to minor.
type Tile struct{ Dims []int }

// SplitConfig says that dimension Dim is split at the given indices.
type SplitConfig struct {
	Dim     int
	Indices []int
}

// descending holds maxShared-1 .. 0; its tails are the default orders of low ranks.
var descending = defaultOrder(maxShared)

const maxShared = 16

func defaultOrder(rank int) []int {
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	return order
}

// DefaultMinorToMajor returns rank-1, ..., 0: the order of a row-major array. The
// slice may be shared and is not to be changed.
func DefaultMinorToMajor(rank int) []int {
	if rank <= maxShared {
		return descending[maxShared-rank : maxShared : maxShared]
	}
	return defaultOrder(rank)
}

// DefaultLayout returns the layout of a row-major array of the given rank: what a
// nil Shape.Layout stands for.
func DefaultLayout(rank int) *Layout {
	return &Layout{MinorToMajor: defaultOrder(rank)}
}

// MakeLayout returns a layout with the given order and no other property.
func MakeLayout(minorToMajor ...int) *Layout { return &Layout{MinorToMajor: minorToMajor} }

// IsDefault reports whether l is the default layout of its rank; nil is.
func (l *Layout) IsDefault() bool {
	return l == nil || l.IsRowMajor() && !l.hasProperties()
}

// IsRowMajor reports whether the order of l is descending, whatever its other
// properties; nil is.
func (l *Layout) IsRowMajor() bool {
	if l == nil {
		return true
	}
	for i, d := range l.MinorToMajor {
		if d != len(l.MinorToMajor)-1-i {
			return false
		}
	}
	return true
}

// Normalize returns l, or nil where l is the default layout, so that shapes with
// the same layout hold the same value.
func (l *Layout) Normalize() *Layout {
	if l.IsDefault() {
		return nil
	}
	return l
}

// Equal reports whether l and m describe the same layout; nil stands for the
// default layout of any rank.
func (l *Layout) Equal(m *Layout) bool {
	if l == nil || m == nil {
		return l.IsDefault() && m.IsDefault()
	}
	return slices.Equal(l.MinorToMajor, m.MinorToMajor) &&
		slices.EqualFunc(l.Tiles, m.Tiles, func(a, b Tile) bool { return slices.Equal(a.Dims, b.Dims) }) &&
		max(l.TailPadding, 1) == max(m.TailPadding, 1) &&
		l.IndexType == m.IndexType && l.PointerType == m.PointerType &&
		l.ElementBits == m.ElementBits && l.MemorySpace == m.MemorySpace &&
		slices.EqualFunc(l.SplitConfigs, m.SplitConfigs, SplitConfig.equal) &&
		equalPhysical(l.Physical, m.Physical) && l.DynamicMetadataPrefix == m.DynamicMetadataPrefix
}

func (c SplitConfig) equal(d SplitConfig) bool {
	return c.Dim == d.Dim && slices.Equal(c.Indices, d.Indices)
}

func equalPhysical(a, b *Shape) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// Clone returns a copy of l that shares nothing with it; nil for nil.
func (l *Layout) Clone() *Layout {
	if l == nil {
		return nil
	}
	m := *l
	m.MinorToMajor = slices.Clone(l.MinorToMajor)
	m.Tiles = slices.Clone(l.Tiles)
	for i, t := range m.Tiles {
		m.Tiles[i].Dims = slices.Clone(t.Dims)
	}
	m.SplitConfigs = slices.Clone(l.SplitConfigs)
	for i, c := range m.SplitConfigs {
		m.SplitConfigs[i].Indices = slices.Clone(c.Indices)
	}
	if l.Physical != nil {
		p := l.Physical.Clone()
		m.Physical = &p
	}
	return &m
}

// MinorToMajor returns the order of the dimensions of an array in memory, the
// fastest-varying first; it is never nil for an array. The slice is not to be
// changed. It is nil for other shapes.
func (s Shape) MinorToMajor() []int {
	if !s.IsArray() {
		return nil
	}
	if s.Layout == nil {
		return DefaultMinorToMajor(len(s.Dims))
	}
	if s.Layout.MinorToMajor == nil {
		return []int{}
	}
	return s.Layout.MinorToMajor
}

// HasDefaultLayout reports whether s and everything in it has the default layout.
func (s Shape) HasDefaultLayout() bool {
	if s.Layout != nil && !s.Layout.IsDefault() {
		return false
	}
	for _, e := range s.Elems {
		if !e.HasDefaultLayout() {
			return false
		}
	}
	return true
}

// WithDefaultLayouts returns s with the default layout in every array of it.
func (s Shape) WithDefaultLayouts() Shape {
	if s.HasDefaultLayout() && s.Layout == nil && len(s.Elems) == 0 {
		return s
	}
	s.Layout = nil
	elems := make([]Shape, len(s.Elems))
	for i, e := range s.Elems {
		elems[i] = e.WithDefaultLayouts()
	}
	if len(elems) > 0 {
		s.Elems = elems
	}
	return s
}
