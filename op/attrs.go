package op

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Attrs is an attribute struct: a pointer to one of the types of this file. The
// structs are immutable once an instruction has them and are shared by clones.
//
// A field's tag `hlo:"name,flag..."` gives its name in HLO text. Fields print in
// their order, zero values are left out. Flags:
//
//	required  text must give it; it is always printed
//	always    text may leave it out; it is always printed
//	after     it prints behind the called computations
//	late      it prints behind statistics, in the common part of the instruction
//	silent    it is read and kept but not printed
//	count     1 is the default as well as 0; it is printed from 2 on
//	true      of a TriState: unset is printed as true
//	bare      the field is not an attribute but the instruction's argument, `parameter(0)`, `constant(1)`
type Attrs interface{ isAttrs() }

// UnaryAttrs are the attributes of the elementary functions.
type UnaryAttrs struct {
	ResultAccuracy ResultAccuracy `hlo:"result_accuracy,late"`
}

// AllGatherAttrs are those of all-gather and all-gather-start.
type AllGatherAttrs struct {
	ChannelID          OptInt        `hlo:"channel_id"`
	ReplicaGroups      ReplicaGroups `hlo:"replica_groups,always"`
	ConstrainLayout    bool          `hlo:"constrain_layout"`
	Dimensions         []int         `hlo:"dimensions,required"` // one entry: the dimension that grows
	UseGlobalDeviceIDs bool          `hlo:"use_global_device_ids"`
}

// AllReduceAttrs are those of all-reduce and all-reduce-start.
type AllReduceAttrs struct {
	ChannelID          OptInt        `hlo:"channel_id"`
	ReplicaGroups      ReplicaGroups `hlo:"replica_groups,always"`
	ConstrainLayout    bool          `hlo:"constrain_layout"`
	UseGlobalDeviceIDs bool          `hlo:"use_global_device_ids"`
	Mode               Word          `hlo:"mode,silent"`
}

// ReduceScatterAttrs are those of reduce-scatter.
type ReduceScatterAttrs struct {
	ChannelID          OptInt        `hlo:"channel_id"`
	ReplicaGroups      ReplicaGroups `hlo:"replica_groups,always"`
	ConstrainLayout    bool          `hlo:"constrain_layout"`
	UseGlobalDeviceIDs bool          `hlo:"use_global_device_ids"`
	Dimensions         []int         `hlo:"dimensions,required"` // one entry: the dimension that is split
}

// AllToAllAttrs are those of all-to-all.
type AllToAllAttrs struct {
	ChannelID       OptInt        `hlo:"channel_id"`
	ReplicaGroups   ReplicaGroups `hlo:"replica_groups,always"`
	ConstrainLayout bool          `hlo:"constrain_layout"`
	Dimensions      []int         `hlo:"dimensions"` // the split dimension; nil: the tuple form
}

// RaggedAllToAllAttrs are those of ragged-all-to-all.
type RaggedAllToAllAttrs struct {
	ChannelID     OptInt        `hlo:"channel_id"`
	ReplicaGroups ReplicaGroups `hlo:"replica_groups,always"`
	Dimensions    []int         `hlo:"dimensions,silent"`
}

// CollectiveBroadcastAttrs are those of collective-broadcast.
type CollectiveBroadcastAttrs struct {
	ChannelID      OptInt        `hlo:"channel_id"`
	ReplicaGroups  ReplicaGroups `hlo:"replica_groups,always"`
	HasDynamicRoot bool          `hlo:"has_dynamic_root"`
}

// CollectivePermuteAttrs are those of collective-permute and collective-permute-start.
type CollectivePermuteAttrs struct {
	ChannelID         OptInt  `hlo:"channel_id"`
	SourceTargetPairs [][]int `hlo:"source_target_pairs,required"` // pairs {source, target}
	SliceSizes        [][]int `hlo:"slice_sizes"`                  // of the in-place form
}

// AsyncAttrs are those of async-start, async-update and async-done. Update and done take theirs
// from their start. Sugar (`custom-call-start`) is a way of printing, not an attribute.
type AsyncAttrs struct {
	ExecutionThread string           `hlo:"async_execution_thread"` // "" = the main thread
	Aliasing        []OutputAliasing `hlo:"output_to_operand_aliasing"`
}

// BatchNormAttrs are those of the three batch-norm operations.
type BatchNormAttrs struct {
	Epsilon      float32 `hlo:"epsilon,required"`
	FeatureIndex int     `hlo:"feature_index,required"`
}

// BroadcastAttrs are those of broadcast.
type BroadcastAttrs struct {
	// Dimensions[i] is the result dimension that operand dimension i becomes.
	Dimensions []int `hlo:"dimensions,always"`
}

// CallAttrs are those of call.
type CallAttrs struct {
	IsComposite bool `hlo:"is_composite,after"`
}

// CholeskyAttrs are those of cholesky.
type CholeskyAttrs struct {
	Lower bool `hlo:"lower"`
}

// TriangularSolveAttrs are those of triangular-solve.
type TriangularSolveAttrs struct {
	LeftSide     bool          `hlo:"left_side"`
	Lower        bool          `hlo:"lower"`
	UnitDiagonal bool          `hlo:"unit_diagonal"`
	TransposeA   TransposeKind `hlo:"transpose_a"`
}

// CompareAttrs are those of compare. Type is printed where it is not the default of the operands' type.
type CompareAttrs struct {
	Direction Direction      `hlo:"direction,required"`
	Type      ComparisonType `hlo:"type"` // ComparisonDefault: by the operands' element type
}

// ConcatenateAttrs are those of concatenate.
type ConcatenateAttrs struct {
	Dimensions []int `hlo:"dimensions,required"` // one entry
}

// ConstantAttrs hold the value of a constant.
type ConstantAttrs struct {
	Value literal.Literal `hlo:"value,bare"`
}

// ConvolutionAttrs are those of convolution.
type ConvolutionAttrs struct {
	Window            Window          `hlo:"window"`
	DimLabels         DimLabels       `hlo:"dim_labels,required"`
	FeatureGroupCount int             `hlo:"feature_group_count,count"` // 0 and 1: one group
	BatchGroupCount   int             `hlo:"batch_group_count,count"`   // 0 and 1: one group
	Kind              Word            `hlo:"convolution_kind"`          // fprop, wgrad, dgrad; "" = not told
	OperandPrecision  []Precision     `hlo:"operand_precision"`
	Algorithm         Word            `hlo:"algorithm"` // "" = unset
	Sparsity          *SparsityConfig `hlo:"sparsity_config"`
}

// CopyStartAttrs are those of copy-start.
type CopyStartAttrs struct {
	CrossProgramPrefetchIndex OptInt `hlo:"cross_program_prefetch_index"`
}

// CustomCallAttrs are those of custom-call.
type CustomCallAttrs struct {
	Window            Window           `hlo:"window"`
	DimLabels         DimLabels        `hlo:"dim_labels"`
	FeatureGroupCount int              `hlo:"feature_group_count,count"`
	BatchGroupCount   int              `hlo:"batch_group_count,count"`
	OperandPrecision  []Precision      `hlo:"operand_precision"`
	Algorithm         Word             `hlo:"algorithm"`
	PaddingType       Word             `hlo:"padding_type"` // PADDING_VALID, PADDING_SAME
	Target            string           `hlo:"custom_call_target,required"`
	OperandLayouts    *OperandLayouts  `hlo:"operand_layout_constraints"`
	HasSideEffect     bool             `hlo:"custom_call_has_side_effect"`
	Literal           literal.Literal  `hlo:"literal"`
	Aliasing          []OutputAliasing `hlo:"output_to_operand_aliasing"`
	Schedule          Word             `hlo:"schedule"`    // SCHEDULE_LATEST, SCHEDULE_EARLIEST
	APIVersion        Word             `hlo:"api_version"` // API_VERSION_TYPED_FFI, ...
}

// DomainAttrs are those of domain.
type DomainAttrs struct {
	Domain DomainSpec `hlo:"domain,required"`
}

// DotAttrs are those of dot and scaled-dot. The sizes of paired dimensions are equal.
type DotAttrs struct {
	LHSBatch         []int           `hlo:"lhs_batch_dims"`
	LHSContracting   []int           `hlo:"lhs_contracting_dims,always"`
	RHSBatch         []int           `hlo:"rhs_batch_dims"`
	RHSContracting   []int           `hlo:"rhs_contracting_dims,always"`
	OperandPrecision []Precision     `hlo:"operand_precision"`
	Algorithm        Word            `hlo:"algorithm"`
	Sparsity         *SparsityConfig `hlo:"sparsity_config"`
}

// RaggedDotAttrs are those of ragged-dot.
type RaggedDotAttrs struct {
	LHSBatch         []int       `hlo:"lhs_batch_dims"`
	LHSContracting   []int       `hlo:"lhs_contracting_dims,always"`
	RHSBatch         []int       `hlo:"rhs_batch_dims"`
	RHSContracting   []int       `hlo:"rhs_contracting_dims,always"`
	LHSRagged        []int       `hlo:"lhs_ragged_dims"`
	RHSGroup         []int       `hlo:"rhs_group_dims"`
	OperandPrecision []Precision `hlo:"operand_precision"`
	Algorithm        Word        `hlo:"algorithm"`
}

// DynamicSliceAttrs are those of dynamic-slice.
type DynamicSliceAttrs struct {
	SliceSizes []int `hlo:"dynamic_slice_sizes,required"`
}

// FftAttrs are those of fft.
type FftAttrs struct {
	Type   FftType `hlo:"fft_type,required"`
	Length []int   `hlo:"fft_length,required"`
}

// FusionAttrs are those of fusion.
type FusionAttrs struct {
	Kind     Word             `hlo:"kind,required"` // kLoop, kInput, kOutput, kCustom
	Aliasing []OutputAliasing `hlo:"output_to_operand_aliasing"`
}

// GatherAttrs are those of gather.
type GatherAttrs struct {
	OffsetDims               []int `hlo:"offset_dims,required"`
	CollapsedSliceDims       []int `hlo:"collapsed_slice_dims,required"`
	StartIndexMap            []int `hlo:"start_index_map,required"`
	OperandBatchingDims      []int `hlo:"operand_batching_dims"`
	StartIndicesBatchingDims []int `hlo:"start_indices_batching_dims"`
	IndexVectorDim           int   `hlo:"index_vector_dim,required"`
	SliceSizes               []int `hlo:"slice_sizes,required"`
	IndicesAreSorted         bool  `hlo:"indices_are_sorted"`
}

// ScatterAttrs are those of scatter.
type ScatterAttrs struct {
	UpdateWindowDims           []int `hlo:"update_window_dims,required"`
	InsertedWindowDims         []int `hlo:"inserted_window_dims,required"`
	ScatterDimsToOperandDims   []int `hlo:"scatter_dims_to_operand_dims,required"`
	InputBatchingDims          []int `hlo:"input_batching_dims"`
	ScatterIndicesBatchingDims []int `hlo:"scatter_indices_batching_dims"`
	IndexVectorDim             int   `hlo:"index_vector_dim,required"`
	IndicesAreSorted           bool  `hlo:"indices_are_sorted"`
	UniqueIndices              bool  `hlo:"unique_indices"`
}

// DimensionAttrs are those of get-dimension-size and set-dimension-size.
type DimensionAttrs struct {
	Dimensions []int `hlo:"dimensions,required"` // one entry
}

// GetTupleElementAttrs are those of get-tuple-element.
type GetTupleElementAttrs struct {
	Index int `hlo:"index,required"`
}

// InfeedAttrs are those of infeed.
type InfeedAttrs struct {
	Config string `hlo:"infeed_config"`
}

// OutfeedAttrs are those of outfeed.
type OutfeedAttrs struct {
	Shape  shape.Shape `hlo:"outfeed_shape"`
	Config string      `hlo:"outfeed_config"`
}

// IotaAttrs are those of iota.
type IotaAttrs struct {
	Dimension int `hlo:"iota_dimension,required"`
}

// MapAttrs are those of map.
type MapAttrs struct {
	Dimensions []int `hlo:"dimensions,always"`
}

// PadAttrs are those of pad.
type PadAttrs struct {
	Padding Padding `hlo:"padding,required"`
}

// ParameterAttrs are those of parameter.
type ParameterAttrs struct {
	Number      int    `hlo:"number,bare"`
	Replication []bool `hlo:"parameter_replication"` // one entry a leaf; nil: not told
}

// ChannelAttrs are those of send, send-done, recv and recv-done.
type ChannelAttrs struct {
	ChannelID      OptInt `hlo:"channel_id"`
	IsHostTransfer bool   `hlo:"is_host_transfer"`
}

// ReduceAttrs are those of reduce.
type ReduceAttrs struct {
	Dimensions []int `hlo:"dimensions,required"`
}

// ReducePrecisionAttrs are those of reduce-precision.
type ReducePrecisionAttrs struct {
	ExponentBits int `hlo:"exponent_bits,required"`
	MantissaBits int `hlo:"mantissa_bits,required"`
}

// WindowAttrs are those of reduce-window and select-and-scatter.
type WindowAttrs struct {
	Window Window `hlo:"window"`
}

// ReshapeAttrs are those of reshape.
type ReshapeAttrs struct {
	InferredDimension OptInt `hlo:"inferred_dimension"`
}

// ReverseAttrs are those of reverse.
type ReverseAttrs struct {
	Dimensions []int `hlo:"dimensions,required"`
}

// RngAttrs are those of rng.
type RngAttrs struct {
	Distribution Distribution `hlo:"distribution,required"`
}

// RngBitGeneratorAttrs are those of rng-bit-generator.
type RngBitGeneratorAttrs struct {
	Algorithm RngAlgorithm `hlo:"algorithm,required"`
}

// RngStateAttrs are those of rng-get-and-update-state.
type RngStateAttrs struct {
	Delta int `hlo:"delta,required"`
}

// ScanAttrs are those of scan.
type ScanAttrs struct {
	Dimensions    []int    `hlo:"dimensions,required"` // one entry
	NumCarries    int      `hlo:"num_carries,required"`
	IsReverse     bool     `hlo:"is_reverse"`
	IsAssociative TriState `hlo:"is_associative,always"`
}

// SliceAttrs are those of slice.
type SliceAttrs struct {
	Slice SliceRanges `hlo:"slice,required"`
}

// SortAttrs are those of sort.
type SortAttrs struct {
	Dimensions []int `hlo:"dimensions,required"` // one entry
	IsStable   bool  `hlo:"is_stable"`
}

// TopKAttrs are those of topk.
type TopKAttrs struct {
	K        int      `hlo:"k,required"`
	Largest  TriState `hlo:"largest,always,true"` // unset means true
	IsStable TriState `hlo:"is_stable"`
}

// TransposeAttrs are those of transpose: result dimension i is operand dimension Dimensions[i].
type TransposeAttrs struct {
	Dimensions []int `hlo:"dimensions,required"`
}

func (*UnaryAttrs) isAttrs()               {}
func (*AllGatherAttrs) isAttrs()           {}
func (*AllReduceAttrs) isAttrs()           {}
func (*ReduceScatterAttrs) isAttrs()       {}
func (*AllToAllAttrs) isAttrs()            {}
func (*RaggedAllToAllAttrs) isAttrs()      {}
func (*CollectiveBroadcastAttrs) isAttrs() {}
func (*CollectivePermuteAttrs) isAttrs()   {}
func (*AsyncAttrs) isAttrs()               {}
func (*BatchNormAttrs) isAttrs()           {}
func (*BroadcastAttrs) isAttrs()           {}
func (*CallAttrs) isAttrs()                {}
func (*CholeskyAttrs) isAttrs()            {}
func (*TriangularSolveAttrs) isAttrs()     {}
func (*CompareAttrs) isAttrs()             {}
func (*ConcatenateAttrs) isAttrs()         {}
func (*ConstantAttrs) isAttrs()            {}
func (*ConvolutionAttrs) isAttrs()         {}
func (*CopyStartAttrs) isAttrs()           {}
func (*CustomCallAttrs) isAttrs()          {}
func (*DomainAttrs) isAttrs()              {}
func (*DotAttrs) isAttrs()                 {}
func (*RaggedDotAttrs) isAttrs()           {}
func (*DynamicSliceAttrs) isAttrs()        {}
func (*FftAttrs) isAttrs()                 {}
func (*FusionAttrs) isAttrs()              {}
func (*GatherAttrs) isAttrs()              {}
func (*ScatterAttrs) isAttrs()             {}
func (*DimensionAttrs) isAttrs()           {}
func (*GetTupleElementAttrs) isAttrs()     {}
func (*InfeedAttrs) isAttrs()              {}
func (*OutfeedAttrs) isAttrs()             {}
func (*IotaAttrs) isAttrs()                {}
func (*MapAttrs) isAttrs()                 {}
func (*PadAttrs) isAttrs()                 {}
func (*ParameterAttrs) isAttrs()           {}
func (*ChannelAttrs) isAttrs()             {}
func (*ReduceAttrs) isAttrs()              {}
func (*ReducePrecisionAttrs) isAttrs()     {}
func (*WindowAttrs) isAttrs()              {}
func (*ReshapeAttrs) isAttrs()             {}
func (*ReverseAttrs) isAttrs()             {}
func (*RngAttrs) isAttrs()                 {}
func (*RngBitGeneratorAttrs) isAttrs()     {}
func (*RngStateAttrs) isAttrs()            {}
func (*ScanAttrs) isAttrs()                {}
func (*SliceAttrs) isAttrs()               {}
func (*SortAttrs) isAttrs()                {}
func (*TopKAttrs) isAttrs()                {}
func (*TransposeAttrs) isAttrs()           {}
