package op

// GroupMode says what the numbers in replica groups are.
type GroupMode uint8

// The group modes.
const (
	CrossReplica             GroupMode = iota // replicas; each partition on its own
	CrossPartition                            // partitions; each replica on its own
	CrossReplicaAndPartition                  // replicas; all partitions of them take part
	FlattenedID                               // replica * number of partitions + partition
)

var groupModeNames = []string{"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}

// String returns the name of m in snake case.
func (m GroupMode) String() string { return enumName(groupModeNames, m) }

// CollectiveGroupMode returns the mode of a collective. Operations without use_global_device_ids, such
// as all-to-all and collective-permute, pass Unset; the others False or True. It fails for global
// ids without a channel.
func CollectiveGroupMode(hasChannel bool, useGlobalDeviceIDs TriState) (GroupMode, error) {
	switch {
	case !hasChannel && useGlobalDeviceIDs == True:
		return 0, errf("expects a channel_id with use_global_device_ids=true, got none")
	case !hasChannel:
		return CrossReplica, nil
	case useGlobalDeviceIDs == Unset:
		return CrossPartition, nil
	case useGlobalDeviceIDs == False:
		return CrossReplicaAndPartition, nil
	}
	return FlattenedID, nil
}

// participants returns how many numbers the mode has for a module of that size.
func (m GroupMode) participants(replicas, partitions int) int {
	switch m {
	case CrossPartition:
		return partitions
	case FlattenedID:
		return replicas * partitions
	}
	return replicas
}

// Expand returns the groups as lists of numbers, whatever the form. The zero value is one group of
// 0 to participants-1.
func (g ReplicaGroups) Expand(participants int) [][]int {
	switch {
	case g.Mesh != nil:
		return g.expandMesh()
	case g.Tiles != nil:
		return splitGroups(g.Tiles.Expand(), g.Tiles.Dims[len(g.Tiles.Dims)-1])
	case len(g.Groups) > 0:
		return g.Groups
	}
	return [][]int{identity(participants)}
}

func splitGroups(ids []int, size int) [][]int {
	groups := make([][]int, 0, len(ids)/size)
	for i := 0; i < len(ids); i += size {
		groups = append(groups, ids[i:i+size:i+size])
	}
	return groups
}

// DeviceGroups returns which devices communicate, as flattened numbers (replica * partitions +
// partition), in the order of the groups and, for the modes with a group a replica or partition, of those.
func (g ReplicaGroups) DeviceGroups(mode GroupMode, replicas, partitions int) [][]int {
	groups := g.Expand(mode.participants(replicas, partitions))
	var out [][]int
	for _, group := range groups {
		switch mode {
		case CrossReplica:
			for p := range partitions {
				out = append(out, flatten(group, 1, partitions, p))
			}
		case CrossPartition:
			for r := range replicas {
				out = append(out, flatten(group, 1, 1, r*partitions))
			}
		case CrossReplicaAndPartition:
			out = append(out, flatten(group, partitions, partitions, 0))
		default:
			out = append(out, group)
		}
	}
	return out
}

// flatten returns e*scale + offset for each e of group, and the count-1 numbers behind each.
func flatten(group []int, count, scale, offset int) []int {
	out := make([]int, 0, len(group)*count)
	for _, e := range group {
		for i := range count {
			out = append(out, e*scale+offset+i)
		}
	}
	return out
}

// expandMesh returns the groups of devices that differ only in the coordinates along g.Axes. A group lists
// its devices with the last axis fastest; the groups come in the order of their other coordinates.
func (g ReplicaGroups) expandMesh() [][]int {
	digits, size := g.Mesh.digits(g.Axes)
	n := g.Mesh.Devices.Len()
	groups := make([][]int, 0, n/size)
	groupOf := make(map[int]int) // by the place of the first member
	for place := range n {
		member, first := 0, place
		for _, d := range digits {
			c := place / d.stride % d.size
			member = member*d.size + c
			first -= c * d.stride
		}
		k, ok := groupOf[first]
		if !ok {
			k = len(groups)
			groupOf[first] = k
			groups = append(groups, make([]int, size))
		}
		groups[k][member] = g.Mesh.Devices.At(place)
	}
	return groups
}

// digit is an axis or a part of one as a digit of a device's place in the mesh: place / stride % size.
type digit struct{ stride, size int }

// digits returns the digits of axes, and the product of their sizes. Axes that m does not have are left out.
func (m *Mesh) digits(axes []AxisRef) (list []digit, size int) {
	size = 1
	for _, a := range axes {
		i, ok := m.Axis(a.Name)
		if !ok {
			continue
		}
		d := digit{1, m.Axes[i].Size}
		for _, minor := range m.Axes[i+1:] {
			d.stride *= minor.Size
		}
		if a.Size > 0 {
			d = digit{d.stride * (m.Axes[i].Size / (a.Pre * a.Size)), a.Size}
		}
		list = append(list, d)
		size *= d.size
	}
	return list, size
}

// NewIotaGroups returns the groups [count,size]<=[reshape]T(transpose), simplified.
func NewIotaGroups(dims, reshape, transpose []int) (ReplicaGroups, error) {
	if len(dims) != 2 {
		return ReplicaGroups{}, errf("expects 2 dimensions, groups and devices a group, got %d", len(dims))
	}
	d, err := NewIota(dims, reshape, transpose)
	return ReplicaGroups{Tiles: &d}, err
}

// NewMeshGroups returns the groups of devices along axes of mesh after checking the axes; a group must
// have more than one device.
func NewMeshGroups(mesh Mesh, axes []AxisRef) (ReplicaGroups, error) {
	if err := mesh.CheckAxes(axes); err != nil {
		return ReplicaGroups{}, err
	}
	if _, size := mesh.digits(axes); size <= 1 {
		return ReplicaGroups{}, errf("expects more than one device a group, got %d", size)
	}
	return ReplicaGroups{Mesh: &mesh, Axes: axes}, nil
}
