package stablehlo

// StructAttr is an attribute with named parts, such as #stablehlo.dot<...>: a pointer
// to one of the structs of this file. Its fields carry their names as in text in the
// tag mlir; "omitempty" says that text leaves a field out that has its zero value.
// [StructOf] returns the fields of a name.
type StructAttr interface {
	Attribute
	// StructName returns dialect and name: "stablehlo.dot".
	StructName() string
}

// DotDims is #stablehlo.dot<...>, the dimensions of dot_general. Spec: dot_general.
type DotDims struct {
	LHSBatching    []int64 `mlir:"lhs_batching_dimensions,omitempty"`
	RHSBatching    []int64 `mlir:"rhs_batching_dimensions,omitempty"`
	LHSContracting []int64 `mlir:"lhs_contracting_dimensions,omitempty"`
	RHSContracting []int64 `mlir:"rhs_contracting_dimensions,omitempty"`
}

// RaggedDotDims is #chlo.ragged_dot<...>.
type RaggedDotDims struct {
	LHSBatching    []int64 `mlir:"lhs_batching_dimensions,omitempty"`
	RHSBatching    []int64 `mlir:"rhs_batching_dimensions,omitempty"`
	LHSContracting []int64 `mlir:"lhs_contracting_dimensions,omitempty"`
	RHSContracting []int64 `mlir:"rhs_contracting_dimensions,omitempty"`
	LHSRagged      []int64 `mlir:"lhs_ragged_dimensions,omitempty"`
	RHSGroup       []int64 `mlir:"rhs_group_dimensions,omitempty"`
}

// GatherDims is #stablehlo.gather<...>. Spec: gather.
type GatherDims struct {
	OffsetDims           []int64 `mlir:"offset_dims,omitempty"`
	CollapsedSliceDims   []int64 `mlir:"collapsed_slice_dims,omitempty"`
	OperandBatchingDims  []int64 `mlir:"operand_batching_dims,omitempty"`
	StartIndicesBatching []int64 `mlir:"start_indices_batching_dims,omitempty"`
	StartIndexMap        []int64 `mlir:"start_index_map,omitempty"`
	IndexVectorDim       int64   `mlir:"index_vector_dim,omitempty"`
}

// ScatterDims is #stablehlo.scatter<...>. Spec: scatter.
type ScatterDims struct {
	UpdateWindowDims       []int64 `mlir:"update_window_dims,omitempty"`
	InsertedWindowDims     []int64 `mlir:"inserted_window_dims,omitempty"`
	InputBatchingDims      []int64 `mlir:"input_batching_dims,omitempty"`
	ScatterIndicesBatching []int64 `mlir:"scatter_indices_batching_dims,omitempty"`
	ScatterDimsToOperand   []int64 `mlir:"scatter_dims_to_operand_dims,omitempty"`
	IndexVectorDim         int64   `mlir:"index_vector_dim,omitempty"`
}

// ConvDims is #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, written as three lists
// of dimension labels; the names stand in the form <raw name = value, ...> only.
// Spec: convolution.
type ConvDims struct {
	InputBatch          int64   `mlir:"input_batch_dimension"`
	InputFeature        int64   `mlir:"input_feature_dimension"`
	InputSpatial        []int64 `mlir:"input_spatial_dimensions"`
	KernelInputFeature  int64   `mlir:"kernel_input_feature_dimension"`
	KernelOutputFeature int64   `mlir:"kernel_output_feature_dimension"`
	KernelSpatial       []int64 `mlir:"kernel_spatial_dimensions"`
	OutputBatch         int64   `mlir:"output_batch_dimension"`
	OutputFeature       int64   `mlir:"output_feature_dimension"`
	OutputSpatial       []int64 `mlir:"output_spatial_dimensions"`
}

// ChannelHandle is #stablehlo.channel_handle<handle = 1, type = 0>. Spec: all_gather.
type ChannelHandle struct {
	Handle int64 `mlir:"handle"`
	Type   int64 `mlir:"type"`
}

// OutputOperandAlias is #stablehlo.output_operand_alias<...>: an output of a custom
// call that shares its buffer with an operand. Spec: custom_call.
type OutputOperandAlias struct {
	OutputTupleIndices  []int64 `mlir:"output_tuple_indices"`
	OperandIndex        int64   `mlir:"operand_index"`
	OperandTupleIndices []int64 `mlir:"operand_tuple_indices"`
}

// TypeExtensions is the encoding of a tensor type that gives upper bounds to dynamic
// sizes: #stablehlo.bounds<4, ?> or #stablehlo.type_extensions<bounds = [4, ?]>.
// [Dynamic] stands for no bound.
type TypeExtensions struct {
	Bounds []int64 `mlir:"bounds"`
}

// DotAlgorithm is #stablehlo.dot_algorithm<...>: how exactly a dot_general computes.
// Spec: dot_general.
type DotAlgorithm struct {
	LHSPrecisionType           Type  `mlir:"lhs_precision_type"`
	RHSPrecisionType           Type  `mlir:"rhs_precision_type"`
	AccumulationType           Type  `mlir:"accumulation_type"`
	LHSComponentCount          int64 `mlir:"lhs_component_count"`
	RHSComponentCount          int64 `mlir:"rhs_component_count"`
	NumPrimitiveOperations     int64 `mlir:"num_primitive_operations"`
	AllowImpreciseAccumulation bool  `mlir:"allow_imprecise_accumulation"`
}

// ResultAccuracy is #stablehlo.result_accuracy<...>: the accuracy asked of an
// elementary function. Spec: exponential.
type ResultAccuracy struct {
	Atol float64  `mlir:"atol,omitempty"`
	Rtol float64  `mlir:"rtol,omitempty"`
	Ulps int64    `mlir:"ulps,omitempty"`
	Mode EnumAttr `mlir:"mode"` // of ResultAccuracyMode
}

// SubAxisInfo is the part (PreSize)Size of a mesh axis.
type SubAxisInfo struct {
	PreSize, Size int64
}

// AxisRef is #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, an axis of a mesh
// or a part of it; SubAxis is nil for the whole axis.
type AxisRef struct {
	Name    string       `mlir:"name"`
	SubAxis *SubAxisInfo `mlir:"sub_axis_info,omitempty"`
}

// ReplicaGroupMeshAxes is #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [...]>:
// replica groups given as the axes of a mesh along which devices talk.
type ReplicaGroupMeshAxes struct {
	Mesh Attribute  `mlir:"mesh"` // *SymbolRef or *Mesh
	Axes *ArrayAttr `mlir:"axes"` // of *AxisRef
}

// MeshAxis is #stablehlo.mesh_axis<name = "x", size = 2>.
type MeshAxis struct {
	Name string `mlir:"name"`
	Size int64  `mlir:"size"`
}

// Mesh is #stablehlo.mesh<axes = [...], device_ids = ...>; DeviceIDs is nil where the
// devices are in order.
type Mesh struct {
	Axes      *ArrayAttr `mlir:"axes"`                 // of *MeshAxis
	DeviceIDs Attribute  `mlir:"device_ids,omitempty"` // *DenseElements of i64
}

func (*DotDims) isAttribute()              {}
func (*RaggedDotDims) isAttribute()        {}
func (*GatherDims) isAttribute()           {}
func (*ScatterDims) isAttribute()          {}
func (*ConvDims) isAttribute()             {}
func (*ChannelHandle) isAttribute()        {}
func (*OutputOperandAlias) isAttribute()   {}
func (*TypeExtensions) isAttribute()       {}
func (*DotAlgorithm) isAttribute()         {}
func (*ResultAccuracy) isAttribute()       {}
func (*AxisRef) isAttribute()              {}
func (*ReplicaGroupMeshAxes) isAttribute() {}
func (*MeshAxis) isAttribute()             {}
func (*Mesh) isAttribute()                 {}

// StructName returns "stablehlo.dot".
func (*DotDims) StructName() string { return "stablehlo.dot" }

// StructName returns "chlo.ragged_dot".
func (*RaggedDotDims) StructName() string { return "chlo.ragged_dot" }

// StructName returns "stablehlo.gather".
func (*GatherDims) StructName() string { return "stablehlo.gather" }

// StructName returns "stablehlo.scatter".
func (*ScatterDims) StructName() string { return "stablehlo.scatter" }

// StructName returns "stablehlo.conv".
func (*ConvDims) StructName() string { return "stablehlo.conv" }

// StructName returns "stablehlo.channel_handle".
func (*ChannelHandle) StructName() string { return "stablehlo.channel_handle" }

// StructName returns "stablehlo.output_operand_alias".
func (*OutputOperandAlias) StructName() string { return "stablehlo.output_operand_alias" }

// StructName returns "stablehlo.type_extensions".
func (*TypeExtensions) StructName() string { return "stablehlo.type_extensions" }

// StructName returns "stablehlo.dot_algorithm".
func (*DotAlgorithm) StructName() string { return "stablehlo.dot_algorithm" }

// StructName returns "stablehlo.result_accuracy".
func (*ResultAccuracy) StructName() string { return "stablehlo.result_accuracy" }

// StructName returns "stablehlo.axis_ref".
func (*AxisRef) StructName() string { return "stablehlo.axis_ref" }

// StructName returns "stablehlo.replica_group_mesh_axes".
func (*ReplicaGroupMeshAxes) StructName() string { return "stablehlo.replica_group_mesh_axes" }

// StructName returns "stablehlo.mesh_axis".
func (*MeshAxis) StructName() string { return "stablehlo.mesh_axis" }

// StructName returns "stablehlo.mesh".
func (*Mesh) StructName() string { return "stablehlo.mesh" }
