package op

import (
	"slices"
	"strconv"
)

// NewMesh returns the mesh with the given axes; devices are its device array in any form, or the
// zero Devices for the order 0, 1, ... It fails if a size is below 1, a name repeats or is a number,
// or explicit ids are no permutation of 0, 1, ... or just that order.
func NewMesh(axes []MeshAxis, devices Devices) (Mesh, error) {
	dims := make([]int, len(axes))
	for i, a := range axes {
		dims[i] = a.Size
		if _, err := strconv.Atoi(a.Name); err == nil {
			return Mesh{}, errf("expects a mesh axis name that is no integer, got %q", a.Name)
		}
		if slices.ContainsFunc(axes[:i], func(b MeshAxis) bool { return a.Name == b.Name }) {
			return Mesh{}, errf("expects unique mesh axis names, got %q twice", a.Name)
		}
	}
	n, err := product(dims)
	if err != nil {
		return Mesh{}, err
	}
	if devices.IDs != nil {
		if err := checkMeshIDs(devices.IDs, n); err != nil {
			return Mesh{}, err
		}
	}
	devices.Dims = dims
	return Mesh{Axes: axes, Devices: devices}, nil
}

func checkMeshIDs(ids []int, n int) error {
	if len(ids) != n {
		return errf("expects %d device_ids based on mesh axes, got %d", n, len(ids))
	}
	if !isPermutation(ids, n) || slices.IsSorted(ids) {
		return errf("expects device_ids that are another order of 0 to %d, got %v", n-1, ids)
	}
	return nil
}

// MaximalMesh returns the mesh of one device.
func MaximalMesh(device int) Mesh { return Mesh{MaximalDevice: Some(device)} }

// Axis returns the index of the axis called name, or, if none is, the index that name spells.
func (m *Mesh) Axis(name string) (int, bool) {
	for i, a := range m.Axes {
		if a.Name == name {
			return i, true
		}
	}
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < len(m.Axes)
}

// AxisSize returns the number of parts that a splits into; 0 if m has no such axis.
func (m *Mesh) AxisSize(a AxisRef) int {
	i, ok := m.Axis(a.Name)
	switch {
	case !ok:
		return 0
	case a.Size > 0:
		return a.Size
	}
	return m.Axes[i].Size
}

// CheckAxes checks that each axis is one of m, that a part divides its axis and is smaller, and that
// no two overlap.
func (m *Mesh) CheckAxes(axes []AxisRef) error {
	for i, a := range axes {
		if err := m.checkAxis(a); err != nil {
			return err
		}
		for _, b := range axes[:i] {
			if a.overlaps(b) {
				return errf("expects axes that do not overlap, got %v and %v", b, a)
			}
		}
	}
	return nil
}

func (m *Mesh) checkAxis(a AxisRef) error {
	i, ok := m.Axis(a.Name)
	if !ok {
		return errf("expects an axis of %v, got %v", m, a)
	}
	if a.Size == 0 && a.Pre == 0 {
		return nil
	}
	size := m.Axes[i].Size
	if a.Pre < 1 || a.Size < 2 || a.Size >= size || a.Pre > size || size%(a.Pre*a.Size) != 0 {
		return errf("expects a part that divides axis %q of size %d, got %v", a.Name, size, a)
	}
	return nil
}

// overlaps reports whether a and b share a part of an axis, or cut one so that they cannot stand side by side.
func (a AxisRef) overlaps(b AxisRef) bool {
	if a.Name != b.Name {
		return false
	}
	if a.Size == 0 || b.Size == 0 {
		return true
	}
	if a.Pre > b.Pre {
		a, b = b, a
	}
	return b.Pre%(a.Pre*a.Size) != 0
}

// isAllAxes reports whether axes are all whole axes of m in order.
func (m *Mesh) isAllAxes(axes []AxisRef) bool {
	if len(axes) != len(m.Axes) {
		return false
	}
	for i, a := range axes {
		if a.Size != 0 || a.Name != m.Axes[i].Name {
			return false
		}
	}
	return true
}

// AllAxes returns all axes of m in order, whole.
func (m *Mesh) AllAxes() []AxisRef {
	axes := make([]AxisRef, len(m.Axes))
	for i, a := range m.Axes {
		axes[i] = AxisRef{Name: a.Name}
	}
	return axes
}

// NewNamed returns the version-3 sharding n after checking its axes: legal, without overlap, each of
// the lists Replicated, Unreduced and Manual in mesh order, and no two neighbours that are one larger part.
func NewNamed(n NamedSharding) (Sharding, error) {
	var all []AxisRef
	for _, d := range n.Dims {
		all = append(all, d.Axes...)
		if err := checkMergeable(d.Axes); err != nil {
			return Sharding{}, err
		}
	}
	for _, list := range [][]AxisRef{n.Replicated, n.Unreduced, n.Manual} {
		all = append(all, list...)
		if err := checkMergeable(list); err != nil {
			return Sharding{}, err
		}
		if !slices.IsSortedFunc(list, n.Mesh.compareAxes) {
			return Sharding{}, errf("expects axes sorted by mesh axis and part, got %v", list)
		}
	}
	if err := n.Mesh.CheckAxes(all); err != nil {
		return Sharding{}, err
	}
	return Sharding{Kind: ShardingNamed, Named: &n}, nil
}

func (m *Mesh) compareAxes(a, b AxisRef) int {
	i, _ := m.Axis(a.Name)
	j, _ := m.Axis(b.Name)
	if i != j {
		return i - j
	}
	return a.Pre - b.Pre
}

// checkMergeable refuses two neighbours that together are one part of the same axis.
func checkMergeable(axes []AxisRef) error {
	for i := 1; i < len(axes); i++ {
		a, b := axes[i-1], axes[i]
		if a.Name == b.Name && a.Size > 0 && b.Size > 0 && a.Pre*a.Size == b.Pre {
			return errf("expects neighbouring parts %v and %v merged into one", a, b)
		}
	}
	return nil
}
