package op

// AppendText appends s as XLA prints it, with the metadata entries if metadata is set.
func (s *Sharding) AppendText(dst []byte, metadata bool) []byte {
	switch s.Kind {
	case ShardingTuple:
		return s.appendTuple(dst, metadata)
	case ShardingNamed:
		return s.appendNamed(dst, metadata)
	case ShardingMaximal:
		dst = appendInt(append(dst, "{maximal device="...), s.Device)
	case ShardingTiled:
		dst = s.Tiles.AppendText(append(dst, "{devices="...))
		dst = appendSubgroups(dst, s.Last)
	default:
		dst = append(append(dst, '{'), enumName(simpleShardingNames, s.Kind)...)
	}
	dst = s.Group.AppendText(dst)
	if metadata {
		dst = appendShardingMetadata(dst, s.Metadata)
	}
	return append(dst, '}')
}

// String returns s as HLO text with metadata.
func (s *Sharding) String() string { return string(s.AppendText(nil, true)) }

// indexCommentEvery is how many elements of a long list stand between two /*index=N*/ comments.
const indexCommentEvery = 5

func (s *Sharding) appendTuple(dst []byte, metadata bool) []byte {
	dst = append(dst, '{')
	for i := range s.Elems {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if i > 0 && i%indexCommentEvery == 0 {
			dst = append(appendInt(append(dst, "/*index="...), i), "*/"...)
		}
		dst = s.Elems[i].AppendText(dst, metadata)
	}
	return append(dst, '}')
}

// appendSubgroups appends what the trailing tile dimensions mean. A single replicated one has a word of its own.
func appendSubgroups(dst []byte, last []SubgroupKind) []byte {
	switch {
	case len(last) == 0:
		return dst
	case len(last) == 1 && last[0] == SubgroupReplicated:
		return append(dst, " last_tile_dim_replicate"...)
	}
	dst = append(dst, " last_tile_dims="...)
	return appendBraced(dst, last, ", ", func(dst []byte, k SubgroupKind) []byte { return append(dst, k.String()...) })
}

// AppendText appends ` shard_as 1` or ` shard_like 1`, or nothing if there is no group.
func (g ShardGroup) AppendText(dst []byte) []byte {
	switch {
	case g.As:
		return appendInt(append(dst, " shard_as "...), g.ID)
	case g.Like:
		return appendInt(append(dst, " shard_like "...), g.ID)
	}
	return dst
}

func appendShardingMetadata(dst []byte, metadata []string) []byte {
	switch len(metadata) {
	case 0:
		return dst
	case 1:
		dst = append(append(dst, " metadata={"...), metadata[0]...)
		return append(dst, '}')
	}
	return appendMetadataList(append(dst, " metadata="...), metadata)
}

func appendMetadataList(dst []byte, metadata []string) []byte {
	return appendBraced(dst, metadata, ", ", func(dst []byte, m string) []byte {
		return append(append(append(dst, '{'), m...), '}')
	})
}

func (s *Sharding) appendNamed(dst []byte, metadata bool) []byte {
	n := s.Named
	dst = n.Mesh.AppendText(append(dst, '{'))
	if word := n.word(); word != "" {
		dst = append(append(dst, ", "...), word...)
	} else if !n.Mesh.MaximalDevice.Present {
		dst = n.appendAxes(dst)
	}
	if metadata && len(s.Metadata) > 0 {
		dst = appendMetadataList(append(dst, ", metadata="...), s.Metadata)
	}
	return append(dst, '}')
}

// word returns "replicated", "unreduced" or "manual" where one says all, else "".
func (n *NamedSharding) word() string {
	if n.Mesh.MaximalDevice.Present || len(n.Dims) > 0 || len(n.Replicated) > 0 {
		return ""
	}
	switch {
	case len(n.Unreduced) == 0 && len(n.Manual) == 0:
		return "replicated"
	case len(n.Manual) == 0 && n.UnreducedOp == "" && n.Mesh.isAllAxes(n.Unreduced):
		return "unreduced"
	case len(n.Unreduced) == 0 && n.Mesh.isAllAxes(n.Manual):
		return "manual"
	}
	return ""
}

func (n *NamedSharding) appendAxes(dst []byte) []byte {
	// A whole mesh reduced by other than a sum has no list of dimensions.
	if !(len(n.Dims) == 0 && n.UnreducedOp != "" && n.Mesh.isAllAxes(n.Unreduced)) {
		dst = appendJoin(append(dst, ", ["...), n.Dims, ", ", func(dst []byte, d DimSharding) []byte {
			return d.AppendText(dst)
		})
		dst = append(dst, ']')
	}
	dst = appendAxisList(dst, ", replicated=", n.Replicated)
	dst = appendAxisList(dst, ", unreduced="+string(n.UnreducedOp), n.Unreduced)
	return appendAxisList(dst, ", manual=", n.Manual)
}

func appendAxisList(dst []byte, name string, axes []AxisRef) []byte {
	if len(axes) == 0 {
		return dst
	}
	return appendBraced(append(dst, name...), axes, ", ", appendAxis)
}

func appendAxis(dst []byte, a AxisRef) []byte { return a.AppendText(dst) }

// AppendText appends d as {'x', 'y', ?}.
func (d DimSharding) AppendText(dst []byte) []byte {
	dst = appendJoin(append(dst, '{'), d.Axes, ", ", appendAxis)
	switch {
	case d.Open && len(d.Axes) > 0:
		dst = append(dst, ", ?"...)
	case d.Open:
		dst = append(dst, '?')
	}
	return append(dst, '}')
}

// AppendText appends a as 'x' or, for a part of an axis, 'x':(1)2.
func (a AxisRef) AppendText(dst []byte) []byte {
	dst = append(append(append(dst, '\''), a.Name...), '\'')
	if a.Size == 0 {
		return dst
	}
	dst = appendInt(append(dst, ":("...), a.Pre)
	return appendInt(append(dst, ')'), a.Size)
}

// String returns a as HLO text.
func (a AxisRef) String() string { return string(a.AppendText(nil)) }

// AppendText appends m as mesh['x'=2,'y'=4], with the devices if they are not in order.
func (m *Mesh) AppendText(dst []byte) []byte {
	if m.MaximalDevice.Present {
		return append(appendInt(append(dst, "maximal_mesh[device_id="...), m.MaximalDevice.Value), ']')
	}
	dst = appendJoin(append(dst, "mesh["...), m.Axes, ",", func(dst []byte, a MeshAxis) []byte {
		dst = append(append(append(dst, '\''), a.Name...), "'="...)
		return appendInt(dst, a.Size)
	})
	dst = append(dst, ']')
	switch {
	case m.Devices.IDs != nil:
		dst = appendJoin(append(dst, ", device_ids=("...), m.Devices.IDs, ",", appendInt)
		dst = append(dst, ')')
	case m.Devices.Iota != nil && len(m.Devices.Iota.Reshape) > 1:
		dst = m.Devices.Iota.AppendText(append(dst, ", device_ids=("...))
		dst = append(dst, ')')
	}
	return dst
}

// String returns m as HLO text.
func (m *Mesh) String() string { return string(m.AppendText(nil)) }

// AppendText appends g as a list of lists, an iota form, or a mesh and its axes; {} is one group of all.
func (g ReplicaGroups) AppendText(dst []byte) []byte {
	switch {
	case g.Mesh != nil:
		dst = append(g.Mesh.AppendText(dst), ' ')
		return appendBraced(dst, g.Axes, ",", appendAxis)
	case g.Tiles != nil:
		return g.Tiles.AppendText(dst)
	}
	return appendBraced(dst, g.Groups, ",", appendInts)
}

// String returns g as HLO text.
func (g ReplicaGroups) String() string { return string(g.AppendText(nil)) }

func (g *ReplicaGroups) isZero() bool { return len(g.Groups) == 0 && g.Tiles == nil && g.Mesh == nil }
