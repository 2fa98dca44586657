package op

// ShardingKind is the form of a sharding.
type ShardingKind uint8

// The kinds.
const (
	ShardingReplicated ShardingKind = iota
	ShardingManual
	ShardingUnknown
	ShardingUnreduced
	ShardingMaximal // the whole on one device
	ShardingTiled   // split by a tile assignment
	ShardingTuple   // one sharding a leaf
	ShardingNamed   // axes of a mesh (version 3)
)

// Sharding says how a value is spread over devices. Text forms: facts of
// HloSharding versions 1 (device list), 2 (iota) and 3 (mesh).
type Sharding struct {
	Kind   ShardingKind
	Device int     // of ShardingMaximal
	Tiles  Devices // of ShardingTiled
	// Last is what the trailing tile dimensions of ShardingTiled mean: last_tile_dims, or
	// last_tile_dim_replicate for the one entry SubgroupReplicated.
	Last  []SubgroupKind
	Elems []Sharding // of ShardingTuple
	Named *NamedSharding
	Group ShardGroup
	// Metadata is the text of each metadata entry, without braces. A tuple has none of its own.
	Metadata []string
}

// SubgroupKind is the meaning of a trailing dimension of a tile assignment.
type SubgroupKind uint8

// The subgroup kinds.
const (
	SubgroupReplicated SubgroupKind = iota
	SubgroupManual
	SubgroupUnknown
	SubgroupUnreduced
)

// ShardGroup is shard_as or shard_like with a group id.
type ShardGroup struct {
	As, Like bool
	ID       int
}

// Devices is an array of device ids: Dims and either the explicit IDs (row-major)
// or an Iota form. With neither the ids are 0, 1, ... in order.
type Devices struct {
	Dims []int
	IDs  []int
	Iota *IotaForm
}

// NamedSharding is a version-3 sharding: for each dimension the mesh axes that split it.
// Without Dims, no axes at all print as "replicated", all axes in Unreduced or Manual as those words.
type NamedSharding struct {
	Mesh       Mesh
	Dims       []DimSharding
	Replicated []AxisRef
	Unreduced  []AxisRef
	// UnreducedOp is the reduction of unreduced=max{..}: max or min; "" is the sum.
	UnreducedOp Word
	Manual      []AxisRef
}

// DimSharding is the split of one dimension. Open: more axes may be added ("?").
type DimSharding struct {
	Axes []AxisRef
	Open bool
}

// Mesh is a named arrangement of devices, one axis a dimension of Devices. A mesh without axes is
// the empty mesh, or with MaximalDevice one single device.
type Mesh struct {
	Axes    []MeshAxis
	Devices Devices
	// MaximalDevice is the device of a maximal_mesh.
	MaximalDevice OptInt
}

// MeshAxis is one axis of a mesh.
type MeshAxis struct {
	Name string
	Size int
}

// AxisRef names a mesh axis or, where Size > 0, the part 'name':(Pre)Size of it.
type AxisRef struct {
	Name      string
	Pre, Size int
}

// IotaForm is the form <=[Reshape]T(Transpose): the ids 0..product-1, shaped as
// Reshape, transposed, and read in row-major order. Transpose nil: in order.
type IotaForm struct{ Reshape, Transpose []int }

// ReplicaGroups is replica_groups: an explicit list, an iota form, or axes of a
// mesh. The zero value is one group of all.
type ReplicaGroups struct {
	Groups [][]int
	Tiles  *Devices // iota form with two dimensions: [groups, size]<=...
	Mesh   *Mesh    // with Axes
	Axes   []AxisRef
}
