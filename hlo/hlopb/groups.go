package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/op"
)

// Replica groups have three fields, of which one is present: a list, an iota form, or
// axes of a mesh. Old programs have the list in a field of its own.

// listedGroups is the kind of the old list.
func (s *schema) listedGroups() kind[op.ReplicaGroups] {
	k := list(&s.group)
	return kind[op.ReplicaGroups]{read: func(r *reader, p *op.ReplicaGroups) { k.read(r, &p.Groups) }}
}

// deviceList is the kind of the list, which stands for one group of all where it is empty.
func (s *schema) deviceList() kind[op.ReplicaGroups] {
	return kind[op.ReplicaGroups]{
		read: func(r *reader, p *op.ReplicaGroups) {
			*p = op.ReplicaGroups{}
			r.nested(func() { s.groups.read(r, &p.Groups) })
		},
		write: func(w *writer, num protowire.Number, p *op.ReplicaGroups) {
			if p.Tiles == nil && p.Mesh == nil {
				w.present(num, func() { s.groups.write(w, &p.Groups) })
			}
		},
	}
}

func (s *schema) iotaDeviceList() kind[op.ReplicaGroups] {
	k := converted(&s.iotaGroups, func(r *reader, raw *rawIotaGroups) op.ReplicaGroups {
		groups, err := op.NewIotaGroups([]int{raw.groups, raw.size}, raw.iota.Reshape, raw.iota.Transpose)
		if err != nil {
			r.fail("%w", err)
		}
		return groups
	}, func(_ *writer, p *op.ReplicaGroups) rawIotaGroups {
		return rawIotaGroups{p.Tiles.Dims[0], p.Tiles.Dims[1], iotaOf(*p.Tiles)}
	})
	write := k.write
	k.write = func(w *writer, num protowire.Number, p *op.ReplicaGroups) {
		if p.Tiles != nil && p.Mesh == nil {
			write(w, num, p)
		}
	}
	return k
}

func (s *schema) meshDeviceList() kind[op.ReplicaGroups] {
	k := converted(&s.meshGroups, func(r *reader, raw *rawMeshGroups) op.ReplicaGroups {
		mesh := r.mesh(&raw.mesh)
		axes := r.axes(&mesh, raw.axes)
		if !r.ok() {
			return op.ReplicaGroups{}
		}
		groups, err := op.NewMeshGroups(mesh, axes)
		if err != nil {
			r.fail("%w", err)
		}
		return groups
	}, func(w *writer, p *op.ReplicaGroups) rawMeshGroups {
		return rawMeshGroups{w.mesh(p.Mesh), w.axes(p.Mesh, p.Axes)}
	})
	write := k.write
	k.write = func(w *writer, num protowire.Number, p *op.ReplicaGroups) {
		if p.Mesh != nil {
			write(w, num, p)
		}
	}
	return k
}
