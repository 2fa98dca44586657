package op

import (
	"math"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func iotaOf(t *testing.T, dims, reshape, transpose []int) Devices {
	t.Helper()
	d, err := NewIota(dims, reshape, transpose)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func labels(t *testing.T, s string) DimLabels {
	t.Helper()
	d, err := ParseDimLabels(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mesh(t *testing.T, devices Devices, axes ...MeshAxis) Mesh {
	t.Helper()
	m, err := NewMesh(axes, devices)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ints(t *testing.T, values ...int32) literal.Literal {
	t.Helper()
	l, err := literal.FromSlice(shape.Make(shape.S32, len(values)), values)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// window returns a window with the given sizes that is otherwise trivial, changed by set.
func window(set func(d []WindowDim), sizes ...int) Window {
	w := UnitWindow(len(sizes))
	for i, s := range sizes {
		w.Dims[i].Size = s
	}
	if set != nil {
		set(w.Dims)
	}
	return w
}

// TestAttrsText has the attributes of XLA's own prints, called computations shown as |.
func TestAttrsText(t *testing.T) {
	ab := mesh(t, Devices{}, MeshAxis{"a", 2}, MeshAxis{"b", 4})
	transposed := iotaOf(t, []int{2, 4}, []int{4, 2}, []int{1, 0})
	pair := ReplicaGroups{Groups: [][]int{{0, 1}}}
	two := ReplicaGroups{Groups: [][]int{{0, 1}, {2, 3}}}
	f32x4 := shape.Make(shape.F32, 4)
	tests := []struct {
		attrs Attrs
		want  string
	}{
		{nil, "|"},
		{&UnaryAttrs{}, "|"},
		{&UnaryAttrs{ResultAccuracy{Mode: "highest"}}, "|, result_accuracy={mode=highest}"},
		{&UnaryAttrs{ResultAccuracy{HasTolerance: true, RTol: 1e-5, ULPs: 2}},
			"|, result_accuracy={tolerance={atol=0,rtol=1e-05,ulps=2}}"},
		{&AllGatherAttrs{ReplicaGroups: pair, Dimensions: []int{1}}, ", replica_groups={{0,1}}, dimensions={1}|"},
		{&AllGatherAttrs{ChannelID: Some(3), ReplicaGroups: pair, Dimensions: []int{1}, UseGlobalDeviceIDs: true},
			", channel_id=3, replica_groups={{0,1}}, dimensions={1}, use_global_device_ids=true|"},
		{&AllReduceAttrs{ReplicaGroups: two}, ", replica_groups={{0,1},{2,3}}|"},
		{&AllReduceAttrs{ChannelID: Some(1), ReplicaGroups: two, ConstrainLayout: true, UseGlobalDeviceIDs: true,
			Mode: "flattened_id"},
			", channel_id=1, replica_groups={{0,1},{2,3}}, constrain_layout=true, use_global_device_ids=true|"},
		{&AllReduceAttrs{}, ", replica_groups={}|"},
		{&AllReduceAttrs{ChannelID: Some(1), ReplicaGroups: ReplicaGroups{Tiles: &transposed},
			UseGlobalDeviceIDs: true},
			", channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), use_global_device_ids=true|"},
		{&AllReduceAttrs{ReplicaGroups: ReplicaGroups{Mesh: &ab, Axes: []AxisRef{{Name: "b"}}}},
			", replica_groups=mesh['a'=2,'b'=4] {'b'}|"},
		{&ReduceScatterAttrs{ChannelID: Some(2), ReplicaGroups: pair, UseGlobalDeviceIDs: true, Dimensions: []int{0}},
			", channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, dimensions={0}|"},
		{&AllToAllAttrs{ReplicaGroups: pair, Dimensions: []int{0}}, ", replica_groups={{0,1}}, dimensions={0}|"},
		{&AllToAllAttrs{ChannelID: Some(2), ReplicaGroups: pair}, ", channel_id=2, replica_groups={{0,1}}|"},
		{&RaggedAllToAllAttrs{ReplicaGroups: pair, Dimensions: []int{0}}, ", replica_groups={{0,1}}|"},
		{&CollectiveBroadcastAttrs{ReplicaGroups: ReplicaGroups{Groups: [][]int{{1, 0}}}}, ", replica_groups={{1,0}}|"},
		{&CollectiveBroadcastAttrs{HasDynamicRoot: true}, ", replica_groups={}, has_dynamic_root=true|"},
		{&CollectivePermuteAttrs{ChannelID: Some(1), SourceTargetPairs: [][]int{{0, 1}, {1, 0}}},
			", channel_id=1, source_target_pairs={{0,1},{1,0}}|"},
		{&CollectivePermuteAttrs{SourceTargetPairs: [][]int{{0, 1}}, SliceSizes: [][]int{{1, 4}}},
			", source_target_pairs={{0,1}}, slice_sizes={{1,4}}|"},
		{&CollectivePermuteAttrs{}, ", source_target_pairs={}|"},
		{&AsyncAttrs{}, "|"},
		{&AsyncAttrs{ExecutionThread: "t"}, `, async_execution_thread="t"|`},
		{&AsyncAttrs{Aliasing: []OutputAliasing{{OutputIndex: []int{1, 0}, OperandIndex: []int{2}}}},
			", output_to_operand_aliasing={{1,0}: (0, {2})}|"},
		{&BatchNormAttrs{Epsilon: 0.001, FeatureIndex: 2}, ", epsilon=0.001, feature_index=2|"},
		{&BatchNormAttrs{Epsilon: 1e-5}, ", epsilon=1e-05, feature_index=0|"},
		{&BroadcastAttrs{Dimensions: []int{1}}, ", dimensions={1}|"},
		{&BroadcastAttrs{}, ", dimensions={}|"},
		{&CallAttrs{}, "|"},
		{&CallAttrs{IsComposite: true}, "|, is_composite=true"},
		{&CholeskyAttrs{Lower: true}, ", lower=true|"},
		{&CholeskyAttrs{}, "|"},
		{&TriangularSolveAttrs{LeftSide: true, Lower: true, UnitDiagonal: true, TransposeA: TransposeA},
			", left_side=true, lower=true, unit_diagonal=true, transpose_a=TRANSPOSE|"},
		{&TriangularSolveAttrs{LeftSide: true, TransposeA: NoTranspose}, ", left_side=true, transpose_a=NO_TRANSPOSE|"},
		{&TriangularSolveAttrs{TransposeA: Adjoint}, ", transpose_a=ADJOINT|"},
		{&TriangularSolveAttrs{}, "|"},
		{&CompareAttrs{Direction: LT}, ", direction=LT|"},
		{&CompareAttrs{Direction: GE, Type: ComparisonTotalOrder}, ", direction=GE, type=TOTALORDER|"},
		{&CompareAttrs{Direction: EQ, Type: ComparisonFloat}, ", direction=EQ|"},
		{&ConcatenateAttrs{Dimensions: []int{1}}, ", dimensions={1}|"},
		{&ConstantAttrs{Value: literal.New(shape.Make(shape.F32))}, "|"},
		{&ConvolutionAttrs{Window: window(func(d []WindowDim) {
			d[0].PaddingLow, d[0].PaddingHigh, d[1].PaddingLow, d[1].PaddingHigh = 1, 1, 1, 1
		}, 3, 3), DimLabels: labels(t, "b01f_01io->b01f")},
			", window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f|"},
		{&ConvolutionAttrs{DimLabels: labels(t, "bf_io->bf")}, ", dim_labels=bf_io->bf|"},
		{&ConvolutionAttrs{Window: window(func(d []WindowDim) {
			d[0].Stride, d[1].PaddingLow, d[1].PaddingHigh, d[0].BaseDilation, d[0].Reversal = 2, 1, 2, 2, true
		}, 3, 3), DimLabels: labels(t, "b01f_01io->b01f"), FeatureGroupCount: 2, BatchGroupCount: 1,
			OperandPrecision: []Precision{PrecisionHighest, PrecisionDefault}},
			", window={size=3x3 stride=2x1 pad=0_0x1_2 lhs_dilate=2x1 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, " +
				"feature_group_count=2, operand_precision={highest,default}|"},
		{&ConvolutionAttrs{Window: window(nil, 3), DimLabels: labels(t, "b0f_0io->b0f"), BatchGroupCount: 2,
			Kind: "fprop"},
			", window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2, convolution_kind=fprop|"},
		{&ConvolutionAttrs{DimLabels: labels(t, "bf_io->bf"), Sparsity: &SparsityConfig{
			LHS: &Sparsity{A: 2, B: 4, Dimension: 1, Stride: 1, Idx: 2}, RHS: &Sparsity{A: 1, B: 2}}},
			", dim_labels=bf_io->bf, sparsity_config={lhs={sparsity=2x4 dimension=1 stride=1 idx=2} " +
				"rhs={sparsity=1x2 dimension=0 stride=0 idx=0}}|"},
		{&CopyStartAttrs{}, "|"},
		{&CopyStartAttrs{Some(0)}, ", cross_program_prefetch_index=0|"},
		{&CustomCallAttrs{Target: "my_target"}, `, custom_call_target="my_target"|`},
		{&CustomCallAttrs{Target: "my_target", OperandLayouts: &OperandLayouts{[]shape.Shape{f32x4, f32x4}},
			HasSideEffect: true, Aliasing: []OutputAliasing{{OutputIndex: []int{0}},
				{Operand: 1, OperandIndex: []int{2, 3}}},
			Schedule: "SCHEDULE_LATEST", APIVersion: "API_VERSION_TYPED_FFI"},
			`, custom_call_target="my_target", operand_layout_constraints={f32[4]{0}, f32[4]{0}}, ` +
				`custom_call_has_side_effect=true, output_to_operand_aliasing={{0}: (0, {}), {}: (1, {2,3})}, ` +
				`schedule=SCHEDULE_LATEST, api_version=API_VERSION_TYPED_FFI|`},
		{&CustomCallAttrs{Window: window(nil, 3, 3), DimLabels: labels(t, "b01f_01io->b01f"), FeatureGroupCount: 1,
			BatchGroupCount: 1, OperandPrecision: []Precision{PrecisionHighest, PrecisionHighest},
			PaddingType: "PADDING_SAME", Target: "conv"},
			`, window={size=3x3}, dim_labels=b01f_01io->b01f, operand_precision={highest,highest}, ` +
				`padding_type=PADDING_SAME, custom_call_target="conv"|`},
		{&CustomCallAttrs{Target: "a\"b\\\n\x01é'", OperandLayouts: &OperandLayouts{}},
			`, custom_call_target="a\"b\\\n\001\303\251\'", operand_layout_constraints={}|`},
		{&CustomCallAttrs{Target: "t", Literal: ints(t, 1, 2)}, `, custom_call_target="t", literal=s32[2]{0} {1, 2}|`},
		{&CustomCallAttrs{Target: "t", Literal: literal.MakeTuple(ints(t, 1), ints(t))},
			`, custom_call_target="t", literal=( s32[1]{0} {1}, s32[0]{0} {} )|`},
		{&DomainAttrs{DomainSpec{"sharding", &Sharding{Kind: ShardingMaximal},
			&Sharding{Kind: ShardingMaximal, Device: 1}}},
			`, domain={kind="sharding", entry={maximal device=0}, exit={maximal device=1}}|`},
		{&DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{0}},
			", lhs_contracting_dims={1}, rhs_contracting_dims={0}|"},
		{&DotAttrs{LHSBatch: []int{0}, LHSContracting: []int{2}, RHSBatch: []int{0}, RHSContracting: []int{1},
			OperandPrecision: []Precision{PrecisionHigh, PrecisionHighest}, Algorithm: "dot_bf16_bf16_f32_x3"},
			", lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, " +
				"operand_precision={high,highest}, algorithm=dot_bf16_bf16_f32_x3|"},
		{&DotAttrs{OperandPrecision: []Precision{0, 0}}, ", lhs_contracting_dims={}, rhs_contracting_dims={}|"},
		{&RaggedDotAttrs{LHSContracting: []int{1}, RHSContracting: []int{1}, LHSRagged: []int{0}, RHSGroup: []int{0}},
			", lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}|"},
		{&DynamicSliceAttrs{[]int{2, 4}}, ", dynamic_slice_sizes={2,4}|"},
		{&FftAttrs{IRFFT, []int{8}}, ", fft_type=IRFFT, fft_length={8}|"},
		{&FftAttrs{FFT, []int{8}}, ", fft_type=FFT, fft_length={8}|"},
		{&FusionAttrs{Kind: "kCustom", Aliasing: []OutputAliasing{{}}},
			", kind=kCustom, output_to_operand_aliasing={{}: (0, {})}|"},
		{&GatherAttrs{OffsetDims: []int{2}, CollapsedSliceDims: []int{1}, StartIndexMap: []int{1},
			OperandBatchingDims:      []int{0},
			StartIndicesBatchingDims: []int{0}, IndexVectorDim: 2, SliceSizes: []int{1, 1, 4}, IndicesAreSorted: true},
			", offset_dims={2}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, " +
				"start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1,4}, indices_are_sorted=true|"},
		{&ScatterAttrs{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1},
			", update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1|"},
		{&ScatterAttrs{UpdateWindowDims: []int{2}, InsertedWindowDims: []int{1}, ScatterDimsToOperandDims: []int{1},
			InputBatchingDims: []int{0}, ScatterIndicesBatchingDims: []int{0}, IndexVectorDim: 2,
			IndicesAreSorted: true, UniqueIndices: true},
			", update_window_dims={2}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, " +
				"input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, " +
				"indices_are_sorted=true, unique_indices=true|"},
		{&DimensionAttrs{[]int{1}}, ", dimensions={1}|"},
		{&GetTupleElementAttrs{}, ", index=0|"},
		{&InfeedAttrs{"cfg"}, `, infeed_config="cfg"|`},
		{&InfeedAttrs{}, "|"},
		{&OutfeedAttrs{f32x4, "cfg"}, `, outfeed_shape=f32[4]{0}, outfeed_config="cfg"|`},
		{&IotaAttrs{1}, ", iota_dimension=1|"},
		{&MapAttrs{[]int{0}}, ", dimensions={0}|"},
		{&MapAttrs{}, ", dimensions={}|"},
		{&PadAttrs{Padding{{1, 1, 0}, {0, -1, 0}}}, ", padding=1_1x0_-1|"},
		{&PadAttrs{Padding{{1, 1, 1}, {0, -1, 0}}}, ", padding=1_1_1x0_-1_0|"},
		{&ParameterAttrs{Number: 3}, "|"},
		{&ParameterAttrs{Replication: []bool{true, false}}, ", parameter_replication={true,false}|"},
		{&ParameterAttrs{Replication: []bool{}}, ", parameter_replication={}|"},
		{&ChannelAttrs{ChannelID: Some(15), IsHostTransfer: true}, ", channel_id=15, is_host_transfer=true|"},
		{&ChannelAttrs{}, "|"},
		{&ReduceAttrs{[]int{1}}, ", dimensions={1}|"},
		{&ReducePrecisionAttrs{5, 10}, ", exponent_bits=5, mantissa_bits=10|"},
		{&WindowAttrs{window(func(d []WindowDim) { d[0].Stride, d[0].PaddingLow, d[1].PaddingHigh = 2, 1, 1 }, 3, 3)},
			", window={size=3x3 stride=2x1 pad=1_0x0_1}|"},
		{&WindowAttrs{window(func(d []WindowDim) { d[1].BaseDilation, d[0].WindowDilation = 2, 2 }, 2, 1)},
			", window={size=2x1 lhs_dilate=1x2 rhs_dilate=2x1}|"},
		{&WindowAttrs{}, "|"},
		{&ReshapeAttrs{}, "|"},
		{&ReshapeAttrs{Some(1)}, ", inferred_dimension=1|"},
		{&ReverseAttrs{[]int{0, 1}}, ", dimensions={0,1}|"},
		{&RngAttrs{RngUniform}, ", distribution=rng_uniform|"},
		{&RngAttrs{RngNormal}, ", distribution=rng_normal|"},
		{&RngBitGeneratorAttrs{RngThreeFry}, ", algorithm=rng_three_fry|"},
		{&RngBitGeneratorAttrs{}, ", algorithm=rng_default|"},
		{&RngStateAttrs{4096}, ", delta=4096|"},
		{&ScanAttrs{[]int{0}, 1, true, True}, ", dimensions={0}, num_carries=1, is_reverse=true, is_associative=true|"},
		{&ScanAttrs{[]int{0}, 1, false, Unset}, ", dimensions={0}, num_carries=1, is_associative=false|"},
		{&SliceAttrs{SliceRanges{{2, 6, 1}, {0, 4, 1}}}, ", slice={[2:6], [0:4]}|"},
		{&SliceAttrs{SliceRanges{{1, 10, 3}, {0, 4, 1}}}, ", slice={[1:10:3], [0:4:1]}|"},
		{&SliceAttrs{}, ", slice={}|"},
		{&SortAttrs{[]int{0}, true}, ", dimensions={0}, is_stable=true|"},
		{&SortAttrs{[]int{1}, false}, ", dimensions={1}|"},
		{&TopKAttrs{K: 3}, ", k=3, largest=true|"},
		{&TopKAttrs{3, False, False}, ", k=3, largest=false, is_stable=false|"},
		{&TransposeAttrs{[]int{1, 0}}, ", dimensions={1,0}|"},
	}
	ctx := &PrintContext{Operands: []shape.Shape{f32x4}}
	covered := map[*plan]bool{}
	for _, test := range tests {
		covered[planOf(test.attrs)] = true
		got := AppendAttrs(nil, test.attrs, BeforeCalls, ctx)
		got = append(got, '|')
		got = AppendAttrs(got, test.attrs, AfterCalls, ctx)
		got = AppendAttrs(got, test.attrs, LatePart, ctx)
		if string(got) != test.want {
			t.Errorf("%T\n got %s\nwant %s", test.attrs, got, test.want)
		}
	}
	for typ, p := range plansByType {
		if !covered[p] {
			t.Errorf("no text of %v here", typ)
		}
	}
}

func TestComparisonTypeText(t *testing.T) {
	tests := []struct {
		operand shape.ElementType
		typ     ComparisonType
		want    string
	}{
		{shape.F32, ComparisonFloat, ""},
		{shape.C64, ComparisonFloat, ""},
		{shape.BF16, ComparisonTotalOrder, ", type=TOTALORDER"},
		{shape.S8, ComparisonSigned, ""},
		{shape.S8, ComparisonUnsigned, ", type=UNSIGNED"},
		{shape.U32, ComparisonUnsigned, ""},
		{shape.Pred, ComparisonUnsigned, ""},
		{shape.U32, ComparisonSigned, ", type=SIGNED"},
		{shape.F32, ComparisonDefault, ""},
		{shape.Invalid, ComparisonFloat, ", type=FLOAT"},
	}
	for _, test := range tests {
		ctx := &PrintContext{}
		if test.operand != shape.Invalid {
			ctx.Operands = []shape.Shape{shape.Make(test.operand, 2)}
		}
		got := string(AppendAttrs(nil, &CompareAttrs{EQ, test.typ}, BeforeCalls, ctx))
		if want := ", direction=EQ" + test.want; got != want {
			t.Errorf("%v %v: got %q, want %q", test.operand, test.typ, got, want)
		}
	}
}

func TestAppendFloat(t *testing.T) {
	tests := []struct {
		f    float64
		want string
	}{
		{0, "0"}, {0.001, "0.001"}, {1e-5, "1e-05"}, {0.1, "0.1"}, {123456, "123456"}, {1234567, "1.23457e+06"},
		{1e100, "1e+100"}, {math.Inf(1), "inf"}, {math.Inf(-1), "-inf"}, {math.NaN(),
			"nan"}, {float64(float32(1e-3)), "0.001"},
	}
	for _, test := range tests {
		if got := string(AppendFloat(nil, test.f)); got != test.want {
			t.Errorf("AppendFloat(%g) = %q, want %q", test.f, got, test.want)
		}
	}
}

func TestAttrsTextTakesItsDestination(t *testing.T) {
	a := &GatherAttrs{OffsetDims: []int{1}, SliceSizes: []int{1, 4}}
	dst := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { dst = AppendAttrs(dst[:0], a, BeforeCalls, nil) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
