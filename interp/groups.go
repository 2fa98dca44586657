package interp

import (
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Groups returns the groups of devices in which the collective operations of m meet
// on replicas x partitions devices, each once, in the order of the program: for
// transports that prepare for them.
func Groups(m *hlo.Module, replicas, partitions int) [][]int {
	var list [][]int
	seen := map[string]bool{}
	for _, f := range m.PostOrder() {
		for _, n := range f.Instructions() {
			for _, g := range groupsOf(n, replicas, partitions) {
				if key := fmt.Sprint(g); !seen[key] {
					seen[key] = true
					list = append(list, g)
				}
			}
		}
	}
	return list
}

// groupsOf returns the groups of n, of which there are none if it is no collective.
func groupsOf(n *hlo.Instruction, replicas, partitions int) [][]int {
	if a, ok := n.Attrs().(*op.CollectivePermuteAttrs); ok {
		var list [][]int
		for d := range replicas * partitions {
			c := &call{n: n, in: &Interp{opts: Options{Device: Device{Replica: d / partitions, Partition: d % partitions,
				Replicas: replicas, Partitions: partitions}}}}
			if p := c.permutation(a); len(p.members) > 0 {
				list = append(list, p.members)
			}
		}
		return list
	}
	if n.Attrs() == nil {
		return nil
	}
	f, ok := op.FieldByName(n.Attrs(), "replica_groups")
	if !ok {
		return nil
	}
	global := op.Unset
	if f, ok := op.FieldByName(n.Attrs(), "use_global_device_ids"); ok {
		global = triState(*f.Pointer(n.Attrs()).(*bool))
	}
	_, hasChannel := n.Channel()
	mode, err := op.CollectiveGroupMode(hasChannel, global)
	if err != nil {
		return nil
	}
	return f.Pointer(n.Attrs()).(*op.ReplicaGroups).DeviceGroups(mode, replicas, partitions)
}
