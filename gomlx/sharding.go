package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// DistributedAutoSharding makes a computation on whole arrays whose inputs and results are spread over the devices
// of meshes, as the sharding of each parameter and result says; without one they are the same on all devices.
//
// What the devices share is the memory of one process, so the computation runs once, on all threads, on the arrays
// put together from their parts.
func (b *Builder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	if err := b.open(); err != nil {
		return err
	}
	if len(meshes) == 0 {
		return errors.New("DistributedAutoSharding: expected a mesh, got none")
	}
	most := 0
	for _, m := range meshes {
		most = max(most, meshSize(m))
	}
	for i, m := range meshes {
		if slices.ContainsFunc(meshes[:i], func(o compute.Mesh) bool { return o.Name == m.Name }) {
			return errors.Errorf("DistributedAutoSharding: expected meshes of different names, got %q twice", m.Name)
		}
		if err := b.checkMesh(m, most); err != nil {
			return err
		}
	}
	b.meshes, b.replicas = slices.Clone(meshes), 0
	return nil
}

// checkMesh returns an error unless m is a mesh of devices of the backend, numbered below most.
func (b *Builder) checkMesh(m compute.Mesh, most int) error {
	if len(m.AxesSizes) != len(m.AxesNames) || len(m.AxesSizes) == 0 {
		return errors.Errorf("mesh %q: expected a size for each of %d axes, got %d", m.Name, len(m.AxesNames),
			len(m.AxesSizes))
	}
	for i, name := range m.AxesNames {
		if m.AxesSizes[i] < 1 || slices.Contains(m.AxesNames[:i], name) {
			return errors.Errorf("mesh %q: expected different axes of 1 device or more, got %q of sizes %v", m.Name,
				m.AxesNames, m.AxesSizes)
		}
	}
	n := meshSize(m)
	if n > b.backend.config.Devices {
		return errors.Errorf("mesh %q: expected 1 to %d devices, got %d", m.Name, b.backend.config.Devices, n)
	}
	list := m.LogicalDeviceAssignment
	if len(list) != 0 && len(list) != n {
		return errors.Errorf("mesh %q: expected %d devices to be assigned, got %d", m.Name, n, len(list))
	}
	for i, d := range list {
		if d < 0 || d >= most || slices.Contains(list[:i], d) {
			return errors.Errorf("mesh %q: expected different devices below %d, got %v", m.Name, most, list)
		}
	}
	return nil
}

func meshSize(m compute.Mesh) int {
	n := 1
	for _, s := range m.AxesSizes {
		n *= s
	}
	return n
}

// mesh returns the mesh called name.
func (b *Builder) mesh(name string) (compute.Mesh, bool) {
	i := slices.IndexFunc(b.meshes, func(m compute.Mesh) bool { return m.Name == name })
	if i < 0 {
		return compute.Mesh{}, false
	}
	return b.meshes[i], true
}

// checkSharding returns an error unless s spreads an array of the given rank over a mesh of b.
func (b *Builder) checkSharding(s *compute.ShardingSpec, rank int) error {
	if s == nil || b.replicas > 0 {
		return nil
	}
	m, ok := b.mesh(s.Mesh)
	if !ok {
		return errors.Errorf("expected the sharding to be over one of %d meshes, got %q", len(b.meshes), s.Mesh)
	}
	if len(s.Axes) > rank {
		return errors.Errorf("expected a sharding of at most %d dimensions, got %d", rank, len(s.Axes))
	}
	seen := map[string]bool{}
	for _, names := range s.Axes {
		for _, name := range names {
			if !slices.Contains(m.AxesNames, name) || seen[name] {
				return errors.Errorf("expected different axes of mesh %q, got %q", m.Name, name)
			}
			seen[name] = true
		}
	}
	return nil
}

// split says how one array is spread: over how many parts along each dimension.
type split struct {
	parts []int
	// part is which part a device has, by dimension.
	part [][]int
}

// isSplit reports whether there is more than one part.
func (s split) isSplit() bool { return slices.ContainsFunc(s.parts, func(n int) bool { return n > 1 }) }

// splitOf returns the split of an array of the given rank over devices.
func (b *Builder) splitOf(s *compute.ShardingSpec, rank, devices int) split {
	sp := split{parts: slices.Repeat([]int{1}, rank), part: make([][]int, devices)}
	for d := range sp.part {
		sp.part[d] = make([]int, rank)
	}
	if s == nil {
		return sp
	}
	m, _ := b.mesh(s.Mesh)
	for dim, names := range s.Axes {
		for _, name := range names {
			axis := slices.Index(m.AxesNames, name)
			size := m.AxesSizes[axis]
			for position := range meshSize(m) {
				d := position
				if len(m.LogicalDeviceAssignment) > 0 {
					d = m.LogicalDeviceAssignment[position]
				}
				if d < devices {
					sp.part[d][dim] = sp.part[d][dim]*size + meshCoordinate(m, position, axis)
				}
			}
			sp.parts[dim] *= size
		}
	}
	return sp
}

// partsOf returns into how many parts each dimension of v is spread, by the sharding of a parameter that v is computed
// from element by element; nil if it is none.
func (b *Builder) partsOf(v *value) []int {
	for len(b.meshes) > 0 {
		if i := slices.Index(b.main.params, v); i >= 0 {
			return b.splitOf(b.main.shards[i], v.shape.Rank(), 0).parts
		}
		same := func(in *value) bool { return in.shape.EqualDimensions(v.shape) }
		i := slices.IndexFunc(v.node.inputs, same)
		if i < 0 {
			return nil
		}
		v = v.node.inputs[i]
	}
	return nil
}

// byParts returns x in a form in which a reduction along axes is one along inner, within the parts of devices, and
// then one along outer, of what they have: the sums come out as those of devices that are on their own.
func byParts(x xb.Op, parts, axes []int) (y xb.Op, inner, outer []int) {
	var dims []int
	left := 0 // dimensions that are left after the inner reduction
	for d, n := range x.Shape().Dims {
		p := 1
		if parts != nil && slices.Contains(axes, d) && parts[d] > 1 && n%parts[d] == 0 {
			p = parts[d]
			outer = append(outer, left)
			left++
			dims = append(dims, p)
		}
		if slices.Contains(axes, d) {
			inner = append(inner, len(dims))
		} else {
			left++
		}
		dims = append(dims, n/p)
	}
	if len(outer) == 0 {
		return x, axes, nil
	}
	return xb.Reshape(x, dims...), inner, outer
}

// meshCoordinate returns the coordinate along an axis of a position in mesh m, in row-major order.
func meshCoordinate(m compute.Mesh, position, axis int) int {
	for i := len(m.AxesSizes) - 1; i > axis; i-- {
		position /= m.AxesSizes[i]
	}
	return position % m.AxesSizes[axis]
}

// copyPart copies between the whole array and the part of it that begins at start. What of the part is beyond the end
// of the whole, where the parts do not come out even, stays as it is.
func copyPart(whole, part literal.Literal, start []int, toWhole bool) {
	size := whole.Shape().Type.ByteSize()
	w, p := whole.Bytes(), part.Bytes()
	dims := slices.Clone(part.Dims())
	for i, n := range whole.Dims() {
		dims[i] = max(0, min(dims[i], n-start[i]))
	}
	run := size // bytes that lie together in both
	if n := len(dims); n > 0 {
		run *= dims[n-1]
		dims[n-1] = min(dims[n-1], 1)
	}
	inWhole, inPart := shape.RowMajorStrides(whole.Dims()), shape.RowMajorStrides(part.Dims())
	for index := range shape.Indices(dims) {
		from, to := 0, 0
		for i, x := range index {
			from += (x + start[i]) * inWhole[i]
			to += x * inPart[i]
		}
		a, b := w[from*size:from*size+run], p[to*size:to*size+run]
		if toWhole {
			a, b = b, a
		}
		copy(b, a)
	}
}

// runSharded runs the computation on the whole arrays and spreads the results. What all devices have in common is not
// copied for the first one: it is the input of the run or its result, in the same memory if it is donated.
func (e *Executable) runSharded(inputs []*buffer, donate []bool, devices []compute.DeviceNum) (
	[]compute.Buffer, error) {
	n := len(e.main.params)
	whole, give := make([]*buffer, n), make([]bool, n)
	for i := range whole {
		parts := make([]*buffer, len(devices))
		for d := range parts {
			parts[d] = inputs[d*n+i]
		}
		var err error
		if whole[i], err = e.join(i, parts); err != nil {
			return nil, errors.WithMessagef(err, "input %d %q", i, e.main.names[i])
		}
		// What was put together is not used otherwise.
		give[i] = whole[i] != parts[0] || donate != nil && donate[i] && onlyOnce(parts[0], inputs)
	}
	results, err := e.runEach(whole, give, devices[:1])
	if err != nil {
		return nil, err
	}
	for _, list := range []struct { // parts may be where these were
		buffers []*buffer
		donated []bool
	}{{whole, give}, {inputs, donate}} {
		if err := letGo(list.buffers, list.donated); err != nil {
			return nil, err
		}
	}
	return e.spread(results, devices)
}

// onlyOnce reports whether b is one of the inputs only.
func onlyOnce(b *buffer, inputs []*buffer) bool {
	i := slices.Index(inputs, b)
	return !slices.Contains(inputs[i+1:], b)
}

// join puts the parts of parameter i together. If the parameter is not spread it is the part of the first device.
func (e *Executable) join(i int, parts []*buffer) (*buffer, error) {
	s := parts[0].shape
	sp := e.builder.splitOf(e.main.shards[i], e.main.params[i].shape.Rank(), len(parts))
	if s.Rank() != len(sp.parts) {
		return nil, errors.Errorf("expected an array of rank %d, got %s", len(sp.parts), s)
	}
	for _, p := range parts {
		if !p.shape.EqualDimensions(s) || p.shape.DType != s.DType {
			return nil, errors.Errorf("expected parts of one shape, got %s and %s", s, p.shape)
		}
	}
	if !sp.isSplit() {
		return parts[0], nil
	}
	list, err := literals(parts)
	if err != nil {
		return nil, err
	}
	total, declared := s.Clone(), e.main.params[i].shape.Dimensions
	for d := range total.Dimensions {
		total.Dimensions[d] *= sp.parts[d]
		if n := declared[d]; n != shapes.DynamicDim && partSize(n, sp.parts[d]) == s.Dimensions[d] {
			total.Dimensions[d] = n
		}
	}
	return e.builder.backend.filled(parts[0].device, total, func(whole literal.Literal) {
		for d, part := range list {
			copyPart(whole, part, startOf(sp.part[d], part.Dims()), true)
		}
	})
}

// startOf returns where a part begins.
func startOf(part, dims []int) []int {
	start := make([]int, len(dims))
	for i := range start {
		start[i] = part[i] * dims[i]
	}
	return start
}

// partSize is the size of a part of n elements; the last parts may have less in them.
func partSize(n, parts int) int { return (n + parts - 1) / parts }

// spread returns the parts of results that each device has, device by device.
func (e *Executable) spread(results []compute.Buffer, devices []compute.DeviceNum) ([]compute.Buffer, error) {
	out := make([]compute.Buffer, len(devices)*len(results))
	for i, r := range results {
		var spec *compute.ShardingSpec
		if len(e.main.outs) > 0 {
			spec = e.main.outs[i]
		}
		whole := r.(*buffer)
		sp := e.builder.splitOf(spec, whole.shape.Rank(), len(devices))
		for d := range devices {
			part, err := e.part(whole, sp, d, devices[d])
			if err != nil {
				return nil, err
			}
			out[d*len(results)+i] = part
		}
		if sp.isSplit() {
			if err := whole.Finalize(); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// part returns what device number d has of an array. Where parts do not come out even, zeros fill them up.
func (e *Executable) part(whole *buffer, sp split, d int, device compute.DeviceNum) (compute.Buffer, error) {
	if !sp.isSplit() {
		if d == 0 {
			return whole, nil
		}
		return whole.CopyToDevice(device)
	}
	s := whole.shape.Clone()
	for i, n := range s.Dimensions {
		s.Dimensions[i] = partSize(n, sp.parts[i])
	}
	from, err := whole.literal()
	if err != nil {
		return nil, err
	}
	return e.builder.backend.filled(device, s, func(part literal.Literal) {
		copyPart(from, part, startOf(sp.part[d], s.Dimensions), false)
	})
}
