package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// Device says which of a run's devices an evaluation is for. The zero Device is the only one.
type Device struct {
	Replica, Partition int
	// Replicas and Partitions are how many there are; 0 means 1.
	Replicas, Partitions int
	// Communicator reaches the others; nil: this device is alone.
	Communicator collective.Communicator
	// SeveralPrograms: not all devices run the same module. Collectives without a
	// channel then meet by operation and group alone, otherwise by instruction too.
	SeveralPrograms bool
}

// number returns the flattened number of d, by which groups and transfers know it.
func (d *Device) number() int { return d.Replica*max(1, d.Partitions) + d.Partition }

func evalReplicaID(c *call) (literal.Literal, error) {
	return literal.Scalar(uint32(c.in.opts.Device.Replica)), nil
}

func evalPartitionID(c *call) (literal.Literal, error) {
	return literal.Scalar(uint32(c.in.opts.Device.Partition)), nil
}

// group is the meeting of a collective instruction, and this device's place in it.
type group struct {
	collective.Meeting
	comm collective.Communicator
	self int
}

// size returns the number of members.
func (g *group) size() int { return len(g.Group) }

// meet returns the group of this device; it fails if the device is in none.
func (c *call) meet(channel op.OptInt, groups op.ReplicaGroups, global op.TriState) (group, error) {
	g, ok, err := c.meetIfMember(channel, groups, global)
	if err == nil && !ok {
		err = fmt.Errorf("replica_groups: expects a group with device %d, got none", c.in.opts.Device.number())
	}
	return g, err
}

// meetIfMember returns the group of this device; ok is false if it is in none.
func (c *call) meetIfMember(channel op.OptInt, groups op.ReplicaGroups, global op.TriState) (
	g group, ok bool, err error) {
	mode, err := op.CollectiveGroupMode(channel.Present, global)
	if err != nil {
		return g, false, err
	}
	d := &c.in.opts.Device
	for _, members := range groups.DeviceGroups(mode, max(1, d.Replicas), max(1, d.Partitions)) {
		if slices.Contains(members, d.number()) {
			g, err = c.groupOf(members, channel)
			return g, true, err
		}
	}
	return g, false, nil
}

// groupOf returns the meeting of members, this device among them.
func (c *call) groupOf(members []int, channel op.OptInt) (group, error) {
	d := &c.in.opts.Device
	g := group{Meeting: collective.Meeting{Op: c.n.Code().String(), Name: c.n.Name(), Group: members},
		self: slices.Index(members, d.number())}
	switch {
	case channel.Present:
		g.ID = fmt.Sprint("channel ", channel.Value)
	case !d.SeveralPrograms:
		g.ID = c.n.Name()
	}
	if d.Communicator == nil && len(members) > 1 {
		return g, fmt.Errorf("expects a communicator for the devices %v, got none", members)
	}
	if d.Communicator == nil {
		g.Group = []int{0}
	}
	var err error
	g.comm, err = c.in.communicator()
	return g, err
}

// communicator returns that of the device; a device without one has its own, on which
// it is device 0 and the only one.
func (in *Interp) communicator() (collective.Communicator, error) {
	if in.opts.Device.Communicator != nil {
		return in.opts.Device.Communicator, nil
	}
	if in.alone == nil {
		session, err := collective.InProcess().Open(in.ctx, collective.Run{Devices: 1})
		if err != nil {
			return nil, err
		}
		in.alone = session
	}
	return in.alone.Communicator(0), nil
}

// end ends the device's own session, and fails if it has sent what it did not receive.
func (in *Interp) end() error {
	if in.alone == nil {
		return nil
	}
	in.alone.Communicator(0).Close(nil)
	return in.alone.Close()
}

// sized returns the result of a collective after checking that it has the shape
// declared, which depends on the size of the group.
func (c *call) sized(g group, v literal.Literal) (literal.Literal, error) {
	want := c.n.Shape()
	if c.n.Code() == op.AllGatherStart {
		want = want.Elems[1]
	}
	if !want.Accepts(v.Shape()) {
		return v, fmt.Errorf("expects the result %v, got %v from a group of %d", want, v.Shape(), g.size())
	}
	return v, nil
}
