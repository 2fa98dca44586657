package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// Equal reports whether s and t say the same, metadata aside.
func (s *Sharding) Equal(t *Sharding) bool {
	if s == nil || t == nil {
		return s == t
	}
	return string(s.AppendText(nil, false)) == string(t.AppendText(nil, false))
}

// ForShape returns s as the sharding of a value of shape sh: one that is no tuple is repeated for
// every leaf of a tuple shape, once if it has no leaf.
func (s Sharding) ForShape(sh shape.Shape) Sharding {
	if !sh.IsTuple() || s.Kind == ShardingTuple {
		return s
	}
	return Sharding{Kind: ShardingTuple, Elems: slices.Repeat([]Sharding{s}, max(1, leafCount(sh)))}
}

// leafCount returns the number of parts of s that are no tuple.
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

// Sub returns the sharding of the part of a value of shape sh that index leads to. It fails if there
// is no such part or s has not one sharding a leaf.
func (s Sharding) Sub(sh shape.Shape, index []int) (Sharding, error) {
	if s.Kind != ShardingTuple {
		return s, nil
	}
	if n := leafCount(sh); n != len(s.Elems) {
		return Sharding{}, errf("expects one sharding for each of %d leaves, got %d", n, len(s.Elems))
	}
	first := 0
	for _, i := range index {
		if i < 0 || i >= len(sh.Elems) {
			return Sharding{}, errf("expects an index into %v, got %v", sh, index)
		}
		for _, e := range sh.Elems[:i] {
			first += leafCount(e)
		}
		sh = sh.Elems[i]
	}
	if !sh.IsTuple() {
		return s.Elems[first], nil
	}
	return Sharding{Kind: ShardingTuple, Elems: s.Elems[first : first+leafCount(sh)]}, nil
}

// tiling is a sharding that may split, as a device array: the first rank dimensions split the value.
type tiling struct {
	devices Devices
	rank    int
}

// tiling returns nil for a sharding of which every device that has the value has all of it.
func (s *Sharding) tiling() (*tiling, error) {
	switch s.Kind {
	case ShardingTuple:
		return nil, errf("expects the sharding of an array, got %v", s)
	case ShardingTiled:
		return &tiling{s.Tiles, len(s.Tiles.Dims) - len(s.Last)}, nil
	case ShardingNamed:
		t, err := s.Tiled()
		if err != nil {
			return nil, err
		}
		return t.tiling()
	}
	return nil, nil
}

// NumTiles returns into how many parts s splits an array; 1 if it does not. It fails for a tuple.
func (s *Sharding) NumTiles() (int, error) {
	t, err := s.tiling()
	if t == nil || err != nil {
		return 1, err
	}
	return Devices{Dims: t.devices.Dims[:t.rank]}.Len(), nil
}

// TileShape returns the shape of the part of an array of shape sh that a device has, the largest one
// where they are uneven. It fails for a tuple and if the ranks differ.
func (s *Sharding) TileShape(sh shape.Shape) (shape.Shape, error) {
	t, err := s.tilingOf(sh)
	if t == nil || err != nil {
		return sh, err
	}
	sh.Dims = slices.Clone(sh.Dims)
	for i := range sh.Dims {
		sh.Dims[i] = ceilDiv(sh.Dims[i], t.devices.Dims[i])
	}
	return sh, nil
}

// Tile returns the part of an array of shape sh that device has: indices from offset up to but not
// limit. A part at the end may be smaller or empty. It fails for a tuple, if the ranks differ, and if
// device has no part.
func (s *Sharding) Tile(sh shape.Shape, device int) (offset, limit []int, err error) {
	offset, limit = make([]int, sh.Rank()), slices.Clone(sh.Dims)
	t, err := s.tilingOf(sh)
	if err != nil {
		return nil, nil, err
	}
	if s.Kind == ShardingMaximal && device != s.Device {
		return nil, nil, errf("expects device %d, which alone has the array, got %d", s.Device, device)
	}
	if t == nil {
		return offset, limit, nil
	}
	place, ok := t.devices.find(device)
	if !ok {
		return nil, nil, errf("expects a device of %v, got %d", t.devices, device)
	}
	for i := len(t.devices.Dims) - 1; i >= 0; i-- {
		at := place % t.devices.Dims[i]
		place /= t.devices.Dims[i]
		if i < t.rank {
			size := ceilDiv(sh.Dims[i], t.devices.Dims[i])
			offset[i], limit[i] = min(at*size, sh.Dims[i]), min((at+1)*size, sh.Dims[i])
		}
	}
	return offset, limit, nil
}

// tilingOf is tiling with a check of the rank.
func (s *Sharding) tilingOf(sh shape.Shape) (*tiling, error) {
	t, err := s.tiling()
	if err == nil && t != nil && t.rank != sh.Rank() {
		err = errf("expects a sharding of %d tile dimensions for %v, got %v", sh.Rank(), sh, s)
	}
	return t, err
}

// find returns the place of a device in row-major order.
func (d Devices) find(device int) (int, bool) {
	for i := range d.Len() {
		if d.At(i) == device {
			return i, true
		}
	}
	return 0, false
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
