package hlopb

import (
	"slices"

	"github.com/goxla/xla/op"
)

// attributeRows returns the table of attributes: name in HLO text, number and name of
// the field, and how the value lies there.
func (s *schema) attributeRows() []attributeRow {
	return slices.Concat(s.dimensionRows(), s.contractionRows(), s.indexRows(), s.collectiveRows(), s.callRows(),
		s.otherRows())
}

// dimensionRows are those of the attributes that say dimensions, sizes and windows.
func (s *schema) dimensionRows() []attributeRow {
	one := []op.Attrs{(*op.AllGatherAttrs)(nil), (*op.ReduceScatterAttrs)(nil), (*op.ConcatenateAttrs)(nil),
		(*op.SortAttrs)(nil), (*op.DimensionAttrs)(nil), (*op.ScanAttrs)(nil)}
	convolution := (*op.ConvolutionAttrs)(nil)
	return []attributeRow{
		attribute("dimensions", 14, "dimensions", numbers()),
		attribute("dimensions", 14, "dimensions", oneNumber()).of(one...).must(),
		attribute("iota_dimension", 14, "dimensions", oneOf()).must(),
		attribute("inferred_dimension", 14, "dimensions", firstOf()),
		attribute("window", 15, "window", present(&s.window)),
		attribute("window", 15, "window", present(&s.window)).of(convolution).must(),
		attribute("window", 15, "window", s.windows()).of((*op.CustomCallAttrs)(nil)),
		attribute("dim_labels", 16, "convolution_dimension_numbers", s.labels()),
		attribute("dim_labels", 16, "convolution_dimension_numbers", s.labels()).of(convolution).must(),
		attribute("slice", 17, "slice_dimensions", ranges(&s.sliceRange)),
		attribute("dynamic_slice_sizes", 20, "dynamic_slice_sizes", numbers()),
		attribute("padding", 21, "padding_config", present(&s.padding)).must(),
		attribute("fft_type", 31, "fft_type", enum[op.FftType](op.IRFFT+1)),
		attribute("fft_length", 32, "fft_length", numbers()),
		attribute("feature_group_count", 50, "feature_group_count", count()),
		attribute("batch_group_count", 58, "batch_group_count", count()),
		attribute("padding_type", 75, "padding_type", word("padding_type")),
		attribute("convolution_kind", 97, "conv_kind", word("convolution_kind")),
		attribute("sparsity_config", 98, "sparsity_config", s.sparsities()),
	}
}

// contractionRows are those of dot, scaled-dot and ragged-dot, and precision.
func (s *schema) contractionRows() []attributeRow {
	const dot, ragged, precision = "dot_dimension_numbers", "ragged_dot_dimension_numbers", "precision_config"
	dots := []attributeRow{
		attribute("lhs_contracting_dims", 1, "lhs_contracting_dimensions", numbers()).in(30, dot).must(),
		attribute("rhs_contracting_dims", 2, "rhs_contracting_dimensions", numbers()).in(30, dot),
		attribute("lhs_batch_dims", 3, "lhs_batch_dimensions", numbers()).in(30, dot),
		attribute("rhs_batch_dims", 4, "rhs_batch_dimensions", numbers()).in(30, dot),
	}
	rows := []attributeRow{
		attribute("operand_precision", 1, "operand_precision",
			enums(op.PrecisionPackedNibble+1)).in(51, precision),
		attribute("algorithm", 2, "algorithm", word("algorithm")).in(51, precision),
		attribute("lhs_ragged_dims", 2, "lhs_ragged_dimensions", numbers()).in(90, ragged).must(),
		attribute("rhs_group_dims", 3, "rhs_group_dimensions", numbers()).in(90, ragged),
	}
	for _, a := range dots {
		rows = append(rows, a, attribute(a.attr, a.path[1], a.names[1], numbers()).in(1, dot).in(90, ragged).
			of((*op.RaggedDotAttrs)(nil)))
	}
	return rows
}

// indexRows are those of gather and scatter.
func (s *schema) indexRows() []attributeRow {
	const gather, scatter = "gather_dimension_numbers", "scatter_dimension_numbers"
	return []attributeRow{
		attribute("offset_dims", 1, "offset_dims", numbers()).in(33, gather).must(),
		attribute("collapsed_slice_dims", 2, "collapsed_slice_dims", numbers()).in(33, gather),
		attribute("start_index_map", 3, "start_index_map", numbers()).in(33, gather),
		attribute("index_vector_dim", 4, "index_vector_dim", number()).in(33, gather),
		attribute("operand_batching_dims", 5, "operand_batching_dims", numbers()).in(33, gather),
		attribute("start_indices_batching_dims", 6, "start_indices_batching_dims", numbers()).in(33, gather),
		attribute("slice_sizes", 34, "gather_slice_sizes", numbers()),
		attribute("update_window_dims", 1, "update_window_dims", numbers()).in(48, scatter).must(),
		attribute("inserted_window_dims", 2, "inserted_window_dims", numbers()).in(48, scatter),
		attribute("scatter_dims_to_operand_dims", 3, "scatter_dims_to_operand_dims", numbers()).in(48, scatter),
		attribute("index_vector_dim", 4, "index_vector_dim", number()).in(48, scatter).of((*op.ScatterAttrs)(nil)),
		attribute("input_batching_dims", 5, "input_batching_dims", numbers()).in(48, scatter),
		attribute("scatter_indices_batching_dims", 6, "scatter_indices_batching_dims", numbers()).in(48, scatter),
		attribute("indices_are_sorted", 67, "indices_are_sorted", flag()),
		attribute("unique_indices", 69, "unique_indices", flag()),
	}
}

// collectiveRows are those of collectives, sends and receives.
func (s *schema) collectiveRows() []attributeRow {
	const domain = "domain"
	reduces := []op.Attrs{(*op.AllReduceAttrs)(nil), (*op.ReduceScatterAttrs)(nil)}
	return []attributeRow{
		attribute("channel_id", 26, "channel_id", channel()),
		attribute("channel_id", 26, "channel_id", channel()).of(reduces...),
		attribute("channel_id", 45, "all_reduce_id", readOnly(channel())).of(reduces...), // its old name
		attribute("is_host_transfer", 47, "is_host_transfer", flag()),
		attribute("replica_groups", 49, "replica_groups", s.listedGroups()),
		attribute("source_target_pairs", 52, "source_target_pairs", s.pairs()),
		attribute("constrain_layout", 56, "constrain_layout", flag()),
		attribute("use_global_device_ids", 71, "use_global_device_ids", flag()),
		attribute("replica_groups", 87, "collective_device_list", s.deviceList()),
		attribute("replica_groups", 92, "iota_collective_device_list", s.iotaDeviceList()),
		attribute("replica_groups", 93, "mesh_axes_replica_group_list", s.meshDeviceList()),
		attribute("slice_sizes", 20, "dynamic_slice_sizes", flattened()),
		attribute("has_dynamic_root", 100, "has_dynamic_root", flag()),
		// What text calls the entry is the exit of the proto.
		absent(op.DomainSpec{Kind: "sharding"}, attribute(domain, 54, "domain_entry_sharding", s.domainExit())),
		attribute(domain, 55, "domain_exit_sharding", s.domainEntry()),
	}
}

// callRows are those of calls, fusions, custom calls and asynchronous operations.
func (s *schema) callRows() []attributeRow {
	layouts := "operand_layout_constraints"
	return []attributeRow{
		attribute("kind", 11, "fusion_kind", spelled("kind")).must(),
		attribute("custom_call_target", 28, "custom_call_target", text()),
		attribute(layouts, 56, "constrain_layout", constrained()),
		attribute(layouts, 57, "operand_shapes_with_layout", s.constraints()),
		attribute("custom_call_has_side_effect", 65, "custom_call_has_side_effect", flag()),
		attribute("literal", 8, "literal", s.customLiteral()),
		attribute("output_to_operand_aliasing", 74, "output_operand_aliasing", list(&s.aliasing)),
		attribute("schedule", 76, "custom_call_schedule", word("schedule")),
		absent(op.Word("API_VERSION_UNSPECIFIED"),
			attribute("api_version", 77, "custom_call_api_version", word("api_version"))),
		attribute("async_execution_thread", 79, "async_execution_thread", thread()),
		attribute("is_composite", 89, "is_composite", flag()),
	}
}

// otherRows are those of single operations.
func (s *schema) otherRows() []attributeRow {
	const triangular = "triangular_solve_options"
	replication := attribute("parameter_replication", 1, "replicated_at_leaf_buffers", flags())
	return []attributeRow{
		attribute("value", 8, "literal", s.literals()),
		attribute("number", 9, "parameter_number", number()),
		replication.in(61, "parameter_replication"),
		attribute("index", 13, "tuple_index", number()),
		attribute("exponent_bits", 18, "exponent_bits", number32()),
		attribute("mantissa_bits", 19, "mantissa_bits", number32()),
		attribute("outfeed_config", 22, "outfeed_config", octets()),
		attribute("distribution", 23, "distribution", enum[op.Distribution](op.RngNormal+1)),
		attribute("epsilon", 24, "epsilon", single32()),
		attribute("feature_index", 25, "feature_index", number()),
		attribute("infeed_config", 27, "infeed_config", octets()),
		attribute("outfeed_shape", 29, "outfeed_shape", s.outfeedShape()),
		attribute("left_side", 1, "left_side", flag()).in(59, triangular),
		attribute("lower", 2, "lower", flag()).in(59, triangular),
		attribute("unit_diagonal", 3, "unit_diagonal", flag()).in(59, triangular),
		attribute("transpose_a", 4, "transpose_a", enum[op.TransposeKind](op.Adjoint+1)).in(59, triangular),
		attribute("lower", 1, "lower", flag()).in(62, "cholesky_options").of((*op.CholeskyAttrs)(nil)),
		attribute("is_stable", 60, "is_stable", flag()),
		attribute("is_stable", 60, "is_stable", trueOrUnset()),
		attribute("direction", 63, "comparison_direction", direction()),
		attribute("type", 72, "comparison_type", comparison()),
		attribute("delta", 66, "delta", number()),
		attribute("algorithm", 70, "rng_algorithm", enum[op.RngAlgorithm](op.RngPhilox+1)),
		attribute("cross_program_prefetch_index", 80, "cross_program_prefetch_index", presentNumber()),
		attribute("cross_program_prefetch_index", 73, "is_cross_program_prefetch", oldPrefetch()),
		attribute("k", 81, "k", number()),
		absent(op.False, attribute("largest", 85, "largest", trueByDefault())),
		attribute("result_accuracy", 91, "result_accuracy", s.accuracies()),
		attribute("is_reverse", 94, "is_reverse", flag()),
		attribute("num_carries", 95, "num_carries", number()),
		attribute("is_associative", 96, "is_associative", triState()),
	}
}
