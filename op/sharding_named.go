package op

import "slices"

// Tiled returns the version-3 sharding s as one of version 1 or 2 with the same meaning; other kinds as they are.
func (s *Sharding) Tiled() (Sharding, error) {
	if s.Kind != ShardingNamed {
		return *s, nil
	}
	n := s.Named
	if n.Mesh.MaximalDevice.Present {
		return Sharding{Kind: ShardingMaximal, Device: n.Mesh.MaximalDevice.Value, Metadata: s.Metadata}, nil
	}
	if n.isReplicated() {
		return Sharding{Kind: ShardingReplicated, Metadata: s.Metadata}, nil
	}
	tiles, last := n.tiles()
	t, err := NewTiled(tiles, last)
	t.Metadata = s.Metadata
	return t, err
}

func (n *NamedSharding) isReplicated() bool {
	split := slices.ContainsFunc(n.Dims, func(d DimSharding) bool { return len(d.Axes) > 0 })
	return !split && len(n.Unreduced) == 0 && len(n.Manual) == 0
}

// tiles brings the mesh, cut into the parts of axes that n uses, into the order dimensions, manual,
// unreduced, and all that is left, which is replicated.
func (n *NamedSharding) tiles() (Devices, []SubgroupKind) {
	parts := n.meshParts()
	var dims, perm []int
	var last []SubgroupKind
	add := func(axes []AxisRef) {
		size := 1
		for _, a := range axes {
			size *= n.Mesh.AxisSize(a)
			perm = append(perm, n.partsOf(parts, a)...)
		}
		dims = append(dims, size)
	}
	for _, d := range n.Dims {
		add(d.Axes)
	}
	if len(n.Manual) > 0 {
		add(n.Manual)
		last = append(last, SubgroupManual)
	}
	if len(n.Unreduced) > 0 {
		add(n.Unreduced)
		last = append(last, SubgroupUnreduced)
	}
	sizes := make([]int, len(parts))
	rest := 1
	for i, p := range parts {
		sizes[i] = n.Mesh.AxisSize(p)
		if !slices.Contains(perm, i) {
			perm = append(perm, i)
			rest *= sizes[i]
		}
	}
	if rest > 1 {
		dims, last = append(dims, rest), append(last, SubgroupReplicated)
	}
	return n.Mesh.Devices.arrange(sizes, perm, dims), last
}

// arrange returns the array reshaped to sizes, transposed by perm and reshaped to dims.
func (d Devices) arrange(sizes, perm, dims []int) Devices {
	if d.IDs == nil && (d.Iota == nil || len(d.Iota.Reshape) <= 1) {
		return Devices{Dims: dims, Iota: simplifyIota(sizes, perm)}
	}
	d.Dims = sizes
	d = d.transpose(perm)
	d.Dims = dims
	return d
}

// meshParts returns the axes of the mesh in order, each cut at the parts that n names.
func (n *NamedSharding) meshParts() []AxisRef {
	var parts []AxisRef
	for _, axis := range n.Mesh.Axes {
		cuts := []int{1, axis.Size}
		for _, a := range n.usedAxes() {
			if a.Name == axis.Name && a.Size > 0 {
				cuts = append(cuts, a.Pre, a.Pre*a.Size)
			}
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		if len(cuts) <= 2 {
			parts = append(parts, AxisRef{Name: axis.Name})
			continue
		}
		for i := 1; i < len(cuts); i++ {
			parts = append(parts, AxisRef{axis.Name, cuts[i-1], cuts[i] / cuts[i-1]})
		}
	}
	return parts
}

func (n *NamedSharding) usedAxes() []AxisRef {
	axes := slices.Concat(n.Replicated, n.Unreduced, n.Manual)
	for _, d := range n.Dims {
		axes = append(axes, d.Axes...)
	}
	return axes
}

// partsOf returns the indices in parts of those that a covers.
func (n *NamedSharding) partsOf(parts []AxisRef, a AxisRef) []int {
	var list []int
	for i, p := range parts {
		if p.Name == a.Name && (a.Size == 0 || p.Pre >= a.Pre && p.Pre < a.Pre*a.Size) {
			list = append(list, i)
		}
	}
	return list
}
