package hlopb

import "github.com/goxla/xla/op"

// rawSharding is an OpSharding as the proto has it.
type rawSharding struct {
	kind          int
	dims, devices []int
	tuple         []op.Sharding
	replicateLast bool
	metadata      []rawMetadata
	last          []int
	iota          op.IotaForm
	grouped       bool
	group         int
	groupKind     int
	named         *rawNamed
}

// The numbers of OpSharding.Type.
const (
	protoReplicated = iota
	protoMaximal
	protoTuple
	protoOther
	protoManual
	protoUnknown
	protoUnreduced
)

// rawNamed is a NamedShardingProto.
type rawNamed struct {
	mesh       rawMesh
	dims       []rawDimSharding
	replicated []rawAxis
	unreduced  []rawAxis
	manual     []rawAxis
	metadata   []rawMetadata
	reduction  op.Word
}

type rawDimSharding struct {
	axes   []rawAxis
	closed bool
}

// rawMesh is a MeshProto. Without axes it is one device, or empty.
type rawMesh struct {
	axes    []op.MeshAxis
	devices []int
	iota    *op.IotaForm
}

// rawAxis is an AxisRefProto: an axis by its place in the mesh.
type rawAxis struct {
	axis int
	part *op.AxisRef // its Pre and Size
}

type rawIotaGroups struct {
	groups, size int
	iota         op.IotaForm
}

type rawMeshGroups struct {
	mesh rawMesh
	axes []rawAxis
}

func (s *schema) fillShardings() {
	type sharding = rawSharding
	s.sharding.fill(
		row(1, "type", number(), func(t *sharding) *int { return &t.kind }),
		row(3, "tile_assignment_dimensions", numbers(), func(t *sharding) *[]int { return &t.dims }),
		row(4, "tile_assignment_devices", numbers(), func(t *sharding) *[]int { return &t.devices }),
		row(5, "tuple_shardings", listOf(s.shardings()), func(t *sharding) *[]op.Sharding { return &t.tuple }),
		row(6, "replicate_on_last_tile_dim", flag(), func(t *sharding) *bool { return &t.replicateLast }),
		row(7, "metadata", list(&s.metadata), func(t *sharding) *[]rawMetadata { return &t.metadata }),
		row(8, "last_tile_dims", numbers(), func(t *sharding) *[]int { return &t.last }),
		row(9, "iota_reshape_dims", numbers(), func(t *sharding) *[]int { return &t.iota.Reshape }),
		row(10, "iota_transpose_perm", numbers(), func(t *sharding) *[]int { return &t.iota.Transpose }),
		row(11, "is_shard_group", flag(), func(t *sharding) *bool { return &t.grouped }),
		row(12, "shard_group_id", number(), func(t *sharding) *int { return &t.group }),
		row(13, "shard_group_type", number(), func(t *sharding) *int { return &t.groupKind }),
		row(14, "named_sharding", optional(&s.named), func(t *sharding) **rawNamed { return &t.named }),
	)
	s.named.fill(
		row(2, "mesh", single(&s.mesh), func(t *rawNamed) *rawMesh { return &t.mesh }),
		row(3, "dim_shardings", list(&s.dimSharding), func(t *rawNamed) *[]rawDimSharding { return &t.dims }),
		row(4, "replicated_axes", list(&s.axisRef), func(t *rawNamed) *[]rawAxis { return &t.replicated }),
		row(5, "unreduced_axes", list(&s.axisRef), func(t *rawNamed) *[]rawAxis { return &t.unreduced }),
		row(6, "metadata", list(&s.metadata), func(t *rawNamed) *[]rawMetadata { return &t.metadata }),
		row(7, "manual_axes", list(&s.axisRef), func(t *rawNamed) *[]rawAxis { return &t.manual }),
		row(8, "reduction_op", word("unreduced"), func(t *rawNamed) *op.Word { return &t.reduction }),
	)
	s.dimSharding.fill(
		row(1, "axes", list(&s.axisRef), func(t *rawDimSharding) *[]rawAxis { return &t.axes }),
		row(2, "is_closed", flag(), func(t *rawDimSharding) *bool { return &t.closed }),
	)
	s.fillMeshes()
	s.fillGroups()
}

func (s *schema) fillMeshes() {
	s.axis.fill(
		row(1, "name", text(), func(t *op.MeshAxis) *string { return &t.Name }),
		row(2, "size", number(), func(t *op.MeshAxis) *int { return &t.Size }),
	)
	s.iota.fill(
		row(1, "reshape_dims", numbers(), func(t *op.IotaForm) *[]int { return &t.Reshape }),
		row(2, "transpose_perm", numbers(), func(t *op.IotaForm) *[]int { return &t.Transpose }),
	)
	s.mesh.fill(
		row(1, "axes", list(&s.axis), func(t *rawMesh) *[]op.MeshAxis { return &t.axes }),
		row(2, "device_ids", numbers(), func(t *rawMesh) *[]int { return &t.devices }),
		row(3, "iota_transform", optional(&s.iota), func(t *rawMesh) **op.IotaForm { return &t.iota }),
	)
	var part message[op.AxisRef]
	part.fill(
		row(1, "pre_size", number(), func(t *op.AxisRef) *int { return &t.Pre }),
		row(2, "size", number(), func(t *op.AxisRef) *int { return &t.Size }),
	)
	s.axisRef.fill(
		row(1, "mesh_axis_index", number(), func(t *rawAxis) *int { return &t.axis }),
		row(2, "sub_axis_info", optional(&part), func(t *rawAxis) **op.AxisRef { return &t.part }),
	)
}

// fillGroups sets the tables of replica groups.
func (s *schema) fillGroups() {
	s.group.fill(row(1, "replica_ids", numbers(), func(t *[]int) *[]int { return t }))
	s.groups.fill(row(1, "replica_groups", list(&s.group), func(t *[][]int) *[][]int { return t }))
	s.iotaGroups.fill(
		row(1, "num_replica_groups", number(), func(t *rawIotaGroups) *int { return &t.groups }),
		row(2, "num_devices_per_group", number(), func(t *rawIotaGroups) *int { return &t.size }),
		row(3, "iota_reshape_dims", numbers(), func(t *rawIotaGroups) *[]int { return &t.iota.Reshape }),
		row(4, "iota_transpose_perm", numbers(), func(t *rawIotaGroups) *[]int { return &t.iota.Transpose }),
	)
	s.meshGroups.fill(
		row(1, "mesh", single(&s.mesh), func(t *rawMeshGroups) *rawMesh { return &t.mesh }),
		row(2, "axes", list(&s.axisRef), func(t *rawMeshGroups) *[]rawAxis { return &t.axes }),
	)
}
