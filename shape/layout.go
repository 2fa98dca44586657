package shape

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
	// ElementBits is E(n), the size of an element in bits when packed; 0: that of the type.
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
const Combine = -1 << 63

// Tile is one T(...) of a layout: the sizes of a block, major to minor.
type Tile struct{ Dims []int }

// SplitConfig says that dimension Dim is split at the given indices.
type SplitConfig struct {
	Dim     int
	Indices []int
}
