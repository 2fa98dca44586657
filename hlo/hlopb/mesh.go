package hlopb

import "github.com/goxla/xla/op"

// mesh returns the mesh that raw says.
func (r *reader) mesh(raw *rawMesh) op.Mesh {
	if len(raw.axes) == 0 {
		switch len(raw.devices) {
		case 0:
			return op.Mesh{}
		case 1:
			return op.MaximalMesh(raw.devices[0])
		}
		r.fail("expects at most one device in a mesh without axes, got %d", len(raw.devices))
		return op.Mesh{}
	}
	dims := make([]int, len(raw.axes))
	for i, a := range raw.axes {
		dims[i] = a.Size
	}
	var devices op.Devices
	var err error
	switch {
	case raw.iota != nil:
		devices, err = op.NewIota(dims, raw.iota.Reshape, raw.iota.Transpose)
	case len(raw.devices) > 0:
		devices, err = op.NewDevices(dims, raw.devices)
	}
	var mesh op.Mesh
	if err == nil {
		mesh, err = op.NewMesh(raw.axes, devices)
	}
	if err != nil {
		r.fail("%w", err)
	}
	return mesh
}

// axes returns the axes of m that raw refers to.
func (r *reader) axes(m *op.Mesh, raw []rawAxis) []op.AxisRef {
	var list []op.AxisRef
	for _, a := range raw {
		if a.axis < 0 || a.axis >= len(m.Axes) {
			r.fail("expects the number of a mesh axis in [0, %d), got %d", len(m.Axes), a.axis)
			return nil
		}
		ref := op.AxisRef{Name: m.Axes[a.axis].Name}
		if a.part != nil {
			ref.Pre, ref.Size = a.part.Pre, a.part.Size
		}
		list = append(list, ref)
	}
	return list
}

func (r *reader) namedSharding(raw *rawNamed) op.Sharding {
	n := op.NamedSharding{Mesh: r.mesh(&raw.mesh), UnreducedOp: raw.reduction}
	for _, d := range raw.dims {
		n.Dims = append(n.Dims, op.DimSharding{Axes: r.axes(&n.Mesh, d.axes), Open: !d.closed})
	}
	n.Replicated = r.axes(&n.Mesh, raw.replicated)
	n.Unreduced = r.axes(&n.Mesh, raw.unreduced)
	n.Manual = r.axes(&n.Mesh, raw.manual)
	if !r.ok() {
		return op.Sharding{}
	}
	s, err := op.NewNamed(n)
	if err != nil {
		r.fail("%w", err)
	}
	s.Metadata = r.metadataTexts(raw.metadata)
	return s
}

// mesh returns m as the proto has it.
func (w *writer) mesh(m *op.Mesh) rawMesh {
	if m.MaximalDevice.Present {
		return rawMesh{devices: []int{m.MaximalDevice.Value}}
	}
	raw := rawMesh{axes: m.Axes, devices: m.Devices.IDs}
	if m.Devices.Iota != nil && len(m.Devices.Iota.Reshape) > 1 {
		form := iotaOf(m.Devices)
		raw.iota = &form
	}
	return raw
}

// axes returns axes of m as the proto has them.
func (w *writer) axes(m *op.Mesh, axes []op.AxisRef) []rawAxis {
	var list []rawAxis
	for _, a := range axes {
		i, ok := m.Axis(a.Name)
		if !ok {
			w.fail("expects an axis of %v, got %v", m, a)
		}
		ref := rawAxis{axis: i}
		if a.Size > 0 {
			ref.part = &op.AxisRef{Pre: a.Pre, Size: a.Size}
		}
		list = append(list, ref)
	}
	return list
}

func (w *writer) named(s *op.Sharding) rawNamed {
	n := s.Named
	raw := rawNamed{
		mesh:       w.mesh(&n.Mesh),
		replicated: w.axes(&n.Mesh, n.Replicated),
		unreduced:  w.axes(&n.Mesh, n.Unreduced),
		manual:     w.axes(&n.Mesh, n.Manual),
		metadata:   w.metadataEntries(s.Metadata),
		reduction:  n.UnreducedOp,
	}
	for _, d := range n.Dims {
		raw.dims = append(raw.dims, rawDimSharding{axes: w.axes(&n.Mesh, d.Axes), closed: !d.Open})
	}
	return raw
}
