package hlopb

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// shardings is the kind of a sharding.
func (s *schema) shardings() kind[op.Sharding] {
	return converted(&s.sharding, (*reader).sharding, (*writer).sharding)
}

// plainKinds are the shardings without devices, by their number; -1: not one of them.
var plainKinds = [...]op.ShardingKind{
	protoReplicated: op.ShardingReplicated,
	protoManual:     op.ShardingManual,
	protoUnknown:    op.ShardingUnknown,
	protoUnreduced:  op.ShardingUnreduced,
}

// subgroups are the meanings of trailing tile dimensions, by their number.
var subgroups = map[int]op.SubgroupKind{
	protoReplicated: op.SubgroupReplicated,
	protoManual:     op.SubgroupManual,
	protoUnknown:    op.SubgroupUnknown,
	protoUnreduced:  op.SubgroupUnreduced,
}

// sharding returns the sharding that raw says, in the form that XLA keeps.
func (r *reader) sharding(raw *rawSharding) op.Sharding {
	var s op.Sharding
	switch {
	case raw.named != nil:
		return r.namedSharding(raw.named)
	case raw.kind == protoTuple:
		return op.Sharding{Kind: op.ShardingTuple, Elems: raw.tuple}
	case raw.kind == protoMaximal:
		if len(raw.devices) != 1 {
			r.fail("expects one device in a maximal sharding, got %d", len(raw.devices))
			return s
		}
		s = op.Sharding{Kind: op.ShardingMaximal, Device: raw.devices[0]}
	case raw.kind == protoOther:
		s = r.tiled(raw)
	case raw.kind < 0 || raw.kind >= len(plainKinds):
		r.fail("expects a kind of sharding in [0, %d), got %d", len(plainKinds), raw.kind)
	default:
		s.Kind = plainKinds[raw.kind]
	}
	if raw.grouped {
		s.Group = op.ShardGroup{As: raw.groupKind == 0, Like: raw.groupKind == 1, ID: raw.group}
		if !s.Group.As && !s.Group.Like {
			r.fail("expects a kind of shard group in [0, 2), got %d", raw.groupKind)
		}
	}
	s.Metadata = r.metadataTexts(raw.metadata)
	return s
}

func (r *reader) tiled(raw *rawSharding) op.Sharding {
	var tiles op.Devices
	var err error
	if len(raw.iota.Reshape) > 0 {
		tiles, err = op.NewIota(raw.dims, raw.iota.Reshape, raw.iota.Transpose)
	} else {
		tiles, err = op.NewDevices(raw.dims, raw.devices)
	}
	var last []op.SubgroupKind
	if raw.replicateLast {
		last = []op.SubgroupKind{op.SubgroupReplicated}
	}
	for _, k := range raw.last {
		kind, ok := subgroups[k]
		if !ok {
			r.fail("expects a kind of tile dimension, got %d", k)
		}
		last = append(last, kind)
	}
	if err != nil {
		r.fail("%w", err)
	}
	if !r.ok() {
		return op.Sharding{}
	}
	s, err := op.NewTiled(tiles, last)
	if err != nil {
		r.fail("%w", err)
	}
	if tiles.IDs == nil {
		r.countDevices(len(s.Tiles.IDs))
	}
	return s
}

// countDevices counts devices that the program does not list.
func (r *reader) countDevices(n int) {
	if r.spent.devices += n; r.spent.devices > maxListedDevices {
		r.fail("expects at most %d devices in arrays that are written out", maxListedDevices)
	}
}

// forShape returns s for a value of shape sh: what is one sharding for a tuple is
// repeated for each of its leaves.
func (r *reader) forShape(s *op.Sharding, sh shape.Shape) *op.Sharding {
	if s == nil || !sh.IsTuple() || s.Kind == op.ShardingTuple {
		return s
	}
	n := max(leafCount(sh), 1)
	if r.spent.shardings += n; r.spent.shardings > maxRepeatedShardings {
		r.fail("expects at most %d shardings of tuple elements", maxRepeatedShardings)
		return s
	}
	return &op.Sharding{Kind: op.ShardingTuple, Elems: slices.Repeat([]op.Sharding{*s}, n)}
}

// sharding returns s as the proto has it.
func (w *writer) sharding(s *op.Sharding) rawSharding {
	raw := rawSharding{}
	switch s.Kind {
	case op.ShardingNamed:
		named := w.named(s)
		return rawSharding{named: &named}
	case op.ShardingTuple:
		return rawSharding{kind: protoTuple, tuple: s.Elems}
	case op.ShardingMaximal:
		raw.kind, raw.devices = protoMaximal, []int{s.Device}
	case op.ShardingTiled:
		raw.kind, raw.dims = protoOther, s.Tiles.Dims
		raw.devices, raw.iota = s.Tiles.IDs, iotaOf(s.Tiles)
		w.lastDims(&raw, s.Last)
	default:
		raw.kind = numberOf(plainKinds[:], s.Kind)
	}
	if s.Group.As || s.Group.Like {
		raw.grouped, raw.group = true, s.Group.ID
		if s.Group.Like {
			raw.groupKind = 1
		}
	}
	raw.metadata = w.metadataEntries(s.Metadata)
	return raw
}

// numberOf returns the place of kind in kinds. The places that no kind has are those
// of kinds with devices, which are zero, and behind the first.
func numberOf(kinds []op.ShardingKind, kind op.ShardingKind) int {
	return max(slices.Index(kinds, kind), 0)
}

func (w *writer) lastDims(raw *rawSharding, last []op.SubgroupKind) {
	if slices.Equal(last, []op.SubgroupKind{op.SubgroupReplicated}) {
		raw.replicateLast = true
		return
	}
	for _, k := range last {
		for _, n := range [...]int{protoReplicated, protoManual, protoUnknown, protoUnreduced} {
			if subgroups[n] == k {
				raw.last = append(raw.last, n)
			}
		}
	}
}

// iotaOf returns the iota form of devices that are not listed, with its transposition.
func iotaOf(d op.Devices) op.IotaForm {
	switch {
	case d.IDs != nil:
		return op.IotaForm{}
	case d.Iota == nil:
		return op.IotaForm{Reshape: []int{d.Len()}, Transpose: []int{0}}
	case d.Iota.Transpose != nil:
		return *d.Iota
	}
	form := op.IotaForm{Reshape: d.Iota.Reshape}
	for i := range form.Reshape {
		form.Transpose = append(form.Transpose, i)
	}
	return form
}

// leafCount returns the number of parts of s that are no tuples.
func leafCount(s shape.Shape) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for _, e := range s.Elems {
		n += leafCount(e)
	}
	return n
}
