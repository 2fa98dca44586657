package op

import (
	"testing"

	"github.com/goxla/xla/shape"
)

// TestAttrsTextOfXLA has more instructions from XLA's own prints; TestAttrsText has one of each struct.
func TestAttrsTextOfXLA(t *testing.T) {
	ab := mesh(t, Devices{}, MeshAxis{"a", 2}, MeshAxis{"b", 4})
	pair := ReplicaGroups{Groups: [][]int{{0, 1}}}
	f32x4 := shape.Make(shape.F32, 4)
	one := &OperandLayouts{[]shape.Shape{f32x4}}
	padded := window(func(d []WindowDim) {
		d[0].PaddingLow, d[0].PaddingHigh, d[1].PaddingLow, d[1].PaddingHigh = 1, 1, 1, 1
	}, 3, 3)
	tests := []struct {
		attrs Attrs
		want  string
	}{
		{&AllReduceAttrs{ChannelID: Some(1), ReplicaGroups: ReplicaGroups{Mesh: &ab, Axes: []AxisRef{{Name: "b"}}},
			UseGlobalDeviceIDs: true},
			", channel_id=1, replica_groups=mesh['a'=2,'b'=4] {'b'}, use_global_device_ids=true"},
		{&AllToAllAttrs{ChannelID: Some(2), ReplicaGroups: pair, Dimensions: []int{0}},
			", channel_id=2, replica_groups={{0,1}}, dimensions={0}"},
		{&CollectivePermuteAttrs{SourceTargetPairs: [][]int{{0, 1}, {1, 0}}}, ", source_target_pairs={{0,1},{1,0}}"},
		{&CompareAttrs{Direction: NE}, ", direction=NE"},
		{&ConvolutionAttrs{Window: window(nil, 3), DimLabels: labels(t, "b0f_0io->b0f"), BatchGroupCount: 2},
			", window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2"},
		{&ConvolutionAttrs{Window: padded, DimLabels: labels(t, "b01f_01io->b01f"), Kind: "fprop"},
			", window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, convolution_kind=fprop"},
		{&CustomCallAttrs{Target: "my_target", OperandLayouts: &OperandLayouts{[]shape.Shape{f32x4, f32x4}},
			HasSideEffect: true, Aliasing: []OutputAliasing{{OutputIndex: []int{0}}},
			Schedule: "SCHEDULE_LATEST", APIVersion: "API_VERSION_TYPED_FFI"},
			`, custom_call_target="my_target", operand_layout_constraints={f32[4]{0}, f32[4]{0}}, ` +
				`custom_call_has_side_effect=true, output_to_operand_aliasing={{0}: (0, {})}, ` +
				`schedule=SCHEDULE_LATEST, api_version=API_VERSION_TYPED_FFI`},
		{&CustomCallAttrs{Window: padded, DimLabels: labels(t, "b01f_01io->b01f"),
			OperandPrecision: []Precision{PrecisionHighest,
				PrecisionHighest}, PaddingType: "PADDING_SAME", Target: "conv"},
			`, window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, operand_precision={highest,highest}, ` +
				`padding_type=PADDING_SAME, custom_call_target="conv"`},
		{&CustomCallAttrs{Target: "t", OperandLayouts: one},
			`, custom_call_target="t", operand_layout_constraints={f32[4]{0}}`},
		{&CustomCallAttrs{Target: "t", OperandLayouts: one, HasSideEffect: true,
			APIVersion: "API_VERSION_STATUS_RETURNING_UNIFIED"},
			`, custom_call_target="t", operand_layout_constraints={f32[4]{0}}, custom_call_has_side_effect=true, ` +
				`api_version=API_VERSION_STATUS_RETURNING_UNIFIED`},
		{&CustomCallAttrs{Target: "t", APIVersion: "API_VERSION_TYPED_FFI"},
			`, custom_call_target="t", api_version=API_VERSION_TYPED_FFI`},
		{&FftAttrs{RFFT, []int{8}}, ", fft_type=RFFT, fft_length={8}"},
		{&FusionAttrs{Kind: "kLoop"}, ", kind=kLoop"},
		{&GatherAttrs{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1,
			SliceSizes: []int{1, 4}}, ", offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, " +
			"index_vector_dim=1, slice_sizes={1,4}"},
		{&GetTupleElementAttrs{1}, ", index=1"},
		{&RaggedDotAttrs{LHSBatch: []int{0}, LHSContracting: []int{2}, RHSBatch: []int{0}, RHSContracting: []int{1},
			LHSRagged: []int{1}}, ", lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, " +
			"rhs_contracting_dims={1}, lhs_ragged_dims={1}"},
		{&ChannelAttrs{ChannelID: Some(16)}, ", channel_id=16"},
		{&WindowAttrs{window(func(d []WindowDim) {
			d[0].Stride, d[0].PaddingLow, d[1].PaddingLow, d[1].PaddingHigh = 2, 1, 1, 1
		}, 3, 3)}, ", window={size=3x3 stride=2x1 pad=1_0x1_1}"},
		{&WindowAttrs{window(func(d []WindowDim) { d[0].Stride = 2 }, 2)}, ", window={size=2 stride=2}"},
		{&RngBitGeneratorAttrs{RngPhilox}, ", algorithm=rng_philox"},
		{&ScatterAttrs{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0},
			IndexVectorDim: 1},
			", update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, " +
				"index_vector_dim=1"},
	}
	for _, test := range tests {
		if got := string(AppendAttrs(nil, test.attrs, BeforeCalls, nil)); got != test.want {
			t.Errorf("%T\n got %s\nwant %s", test.attrs, got, test.want)
		}
	}
}
