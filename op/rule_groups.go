package op

// This file checks replica_groups of collectives.

const groupsAttr = "replica_groups"

// groupLabels are the labels of what all collectives ask of their groups: no number
// twice, as many as there are participants, none out of range, and a channel where ids are global.
type groupLabels struct{ unique, count, inRange, global string }

// groupRules says what a collective asks of its groups.
type groupRules struct {
	labels  groupLabels
	uniform bool // all groups are of one size
}

// groupSize checks the groups of a collective and returns how many participants
// each group has; 0 if that is not known, or not the same for all groups.
func groupSize(in *Inputs, g *ReplicaGroups, channel OptInt, global TriState, r groupRules) (int, error) {
	mode, err := CollectiveGroupMode(channel.Present, global)
	if err != nil {
		return 0, &Error{Attr: "use_global_device_ids", Label: r.labels.global, Err: err}
	}
	known := in.participants(mode)
	if g.isZero() {
		if mode == FlattenedID {
			return 0, attrErr(groupsAttr, r.labels.count, "expected groups with use_global_device_ids=true, got none")
		}
		return in.withPartitions(known, mode), nil
	}
	size, total, err := g.extent(r)
	if err != nil {
		return 0, err
	}
	if known > 0 && total != known {
		return 0, attrErr(groupsAttr, r.labels.count, "expected %d numbers in all, as there are in mode %v, got %d",
			known, mode, total)
	}
	return in.withPartitions(size, mode), nil
}

// participants returns how many numbers groups of the mode have in the module, 0 if
// that is not known. A module of one replica or partition is one that does not tell.
func (in *Inputs) participants(mode GroupMode) int {
	if n := mode.participants(in.Replicas, in.Partitions); n > 1 {
		return n
	}
	return 0
}

// withPartitions returns the participants of a group of n numbers; 0 for none or one.
func (in *Inputs) withPartitions(n int, mode GroupMode) int {
	if mode == CrossReplicaAndPartition {
		n *= in.Partitions
	}
	if n > 1 {
		return n
	}
	return 0
}

// extent checks groups in any form, and returns the size of each, 0 if they differ,
// and the count of all numbers in them.
func (g *ReplicaGroups) extent(r groupRules) (size, total int, err error) {
	switch {
	case g.Mesh != nil:
		if err := g.Mesh.CheckAxes(g.Axes); err != nil {
			return 0, 0, &Error{Attr: groupsAttr, Label: r.labels.count, Err: err}
		}
		_, size = g.Mesh.digits(g.Axes)
		return size, g.Mesh.Devices.Len(), nil
	case g.Tiles != nil && g.Tiles.IDs == nil:
		return g.Tiles.groupExtent(r)
	}
	groups := g.Groups
	if g.Tiles != nil {
		if size, _, err = g.Tiles.groupExtent(r); err != nil {
			return 0, 0, err
		}
		groups = splitGroups(g.Tiles.IDs, size)
	}
	return explicitExtent(groups, r)
}

// groupExtent is extent of the form [groups, size]<=...
func (d *Devices) groupExtent(r groupRules) (size, total int, err error) {
	if err := wantLen(groupsAttr, len(d.Dims), 2, r.labels.count); err != nil {
		return 0, 0, err
	}
	if d.Dims[0] < 1 || d.Dims[1] < 1 {
		return 0, 0, attrErr(groupsAttr, r.labels.count, "expected positive sizes, got %v", d.Dims)
	}
	total, ok := mulInt(d.Dims[0], d.Dims[1])
	if !ok || d.IDs != nil && len(d.IDs) != total {
		return 0, 0, attrErr(groupsAttr, r.labels.count, "expected %d devices for %v, got %d", total, d.Dims,
			len(d.IDs))
	}
	return d.Dims[1], total, nil
}

// explicitExtent is extent of lists of numbers: 0, 1, ... each once, in any order.
func explicitExtent(groups [][]int, r groupRules) (size, total int, err error) {
	for _, group := range groups {
		total += len(group)
	}
	if err := wantDistinct(groups, total, r.labels); err != nil {
		return 0, 0, err
	}
	size = len(groups[0])
	for i, group := range groups {
		if len(group) == 0 {
			return 0, 0, attrErr(at(groupsAttr, i), r.labels.count, "expected a number at least, got an empty group")
		}
		if len(group) == size {
			continue
		}
		if r.uniform {
			return 0, 0, attrErr(at(groupsAttr, i), r.labels.count, "expected %d numbers as in the first group, got %d",
				len(groups[0]), len(group))
		}
		size = 0
	}
	return size, total, nil
}

// wantDistinct checks that the numbers in groups are in [0, limit), each once at most.
func wantDistinct(groups [][]int, limit int, labels groupLabels) error {
	seen := make(map[int]bool)
	for i, group := range groups {
		for _, n := range group {
			if n < 0 || n >= limit {
				return attrErr(at(groupsAttr, i), labels.inRange, "%d is not in [0, %d)", n, limit)
			}
			if seen[n] {
				return attrErr(at(groupsAttr, i), labels.unique, "expected each number once, got %d twice", n)
			}
			seen[n] = true
		}
	}
	return nil
}
