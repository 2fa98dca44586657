package interp

import (
	"context"
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// Device says which of a program's devices a run is, and how it meets the others.
// The zero Device is the only one.
type Device struct {
	Replica, Partition int
	// Replicas and Partitions are how many there are; 0 means 1.
	Replicas, Partitions int
	// Collective carries values between devices; nil: this device is alone.
	Collective Collective
}

// Collective is how the devices of a run exchange values. All collective operations
// are made of this one step, so that it is all a communicator has to do.
type Collective interface {
	// Exchange gives values to every member of the meeting and returns what each
	// member gave, in the order of the members. It waits until all have come, and
	// fails if one does not. Nobody may change what is returned.
	Exchange(ctx context.Context, m Meeting, values []literal.Literal) ([][]literal.Literal, error)
}

// Meeting is one execution of a collective instruction by the devices of a group.
// Devices that have the same group, operation and channel (or, without one, the same
// instruction name) meet in the order in which each of them comes.
type Meeting struct {
	Op      op.Code
	Name    string // of the instruction
	Channel op.OptInt
	// Members are the devices of the group by flattened number, replica times
	// partitions plus partition; Self is the place of this one.
	Members []int
	Self    int
}

// number returns the flattened number of d.
func (d *Device) number() int { return d.Replica*max(1, d.Partitions) + d.Partition }

func evalReplicaID(c *call) (literal.Literal, error) {
	return literal.Scalar(uint32(c.in.opts.Device.Replica)), nil
}

func evalPartitionID(c *call) (literal.Literal, error) {
	return literal.Scalar(uint32(c.in.opts.Device.Partition)), nil
}

// meet returns the group of this device, which has no members if the device is in none.
func (c *call) meet(channel op.OptInt, groups op.ReplicaGroups, global op.TriState) (Meeting, error) {
	mode, err := op.CollectiveGroupMode(channel.Present, global)
	if err != nil {
		return Meeting{}, err
	}
	d := &c.in.opts.Device
	m := Meeting{Op: c.n.Code(), Name: c.n.Name(), Channel: channel}
	for _, group := range groups.DeviceGroups(mode, max(1, d.Replicas), max(1, d.Partitions)) {
		for place, device := range group {
			if device == d.number() {
				m.Members, m.Self = group, place
				return m, nil
			}
		}
	}
	return m, nil
}

// exchange returns what each member of the meeting gave.
func (c *call) exchange(m Meeting, values []literal.Literal) ([][]literal.Literal, error) {
	d := &c.in.opts.Device
	switch {
	case len(m.Members) == 0:
		return nil, fmt.Errorf("replica_groups: expects a group with device %d, got none", d.number())
	case len(m.Members) == 1:
		return [][]literal.Literal{values}, nil
	case d.Collective == nil:
		return nil, fmt.Errorf("expects a communicator for the devices %v, got none", m.Members)
	}
	all, err := d.Collective.Exchange(c.in.ctx, m, values)
	if err != nil {
		return nil, err
	}
	for i, given := range all {
		if len(given) != len(values) {
			return nil, fmt.Errorf("expects %d values of device %d, got %d", len(values), m.Members[i], len(given))
		}
	}
	return all, nil
}
