package op

import "slices"

// NewTiled returns the sharding {devices=tiles last_tile_dims={last}} in the form that XLA keeps:
// trailing dimensions of one meaning become one, in the order manual, unreduced, replicated, those of
// size 1 vanish, the devices along a replicated one are sorted, and what is then replicated, manual or
// unreduced as a whole becomes that. The text form last_tile_dim_replicate is last = {replicated}.
func NewTiled(tiles Devices, last []SubgroupKind) (Sharding, error) {
	if tiles.Iota == nil && tiles.Len() <= 1 {
		return Sharding{}, errf("non-maximal shardings must have more than one device assigned")
	}
	if len(last) > len(tiles.Dims) {
		return Sharding{}, errf("expects at most %d last_tile_dims, one a tile dimension, got %d", len(tiles.Dims),
			len(last))
	}
	if len(last) == 0 {
		return Sharding{Kind: ShardingTiled, Tiles: tiles}, nil
	}
	data := len(tiles.Dims) - len(last)
	if kind, ok := wholeKind(tiles.Dims[:data], last); ok {
		return Sharding{Kind: kind}, nil
	}
	tiles, last = mergeSubgroups(tiles, last)
	return tiledWithSubgroups(tiles, last), nil
}

// subgroupOrder is the order of the subgroups in a sharding: replicated behind manual and unreduced.
var subgroupOrder = [...]SubgroupKind{SubgroupManual, SubgroupUnreduced, SubgroupReplicated, SubgroupUnknown}

// simpleKinds are the shardings of which all devices mean the same, by that meaning.
var simpleKinds = [...]ShardingKind{
	SubgroupReplicated: ShardingReplicated,
	SubgroupManual:     ShardingManual,
	SubgroupUnknown:    ShardingUnknown,
	SubgroupUnreduced:  ShardingUnreduced,
}

// wholeKind returns the sharding without tiles that it is when no data dimension is split and last
// has one meaning only.
func wholeKind(data []int, last []SubgroupKind) (ShardingKind, bool) {
	if last[0] == SubgroupUnknown {
		return 0, false
	}
	for _, d := range data {
		if d != 1 {
			return 0, false
		}
	}
	for _, k := range last {
		if k != last[0] {
			return 0, false
		}
	}
	return simpleKinds[last[0]], true
}

// mergeSubgroups brings the trailing dimensions into subgroupOrder, one of each kind.
func mergeSubgroups(tiles Devices, last []SubgroupKind) (Devices, []SubgroupKind) {
	data := len(tiles.Dims) - len(last)
	perm := identity(data)
	dims := slices.Clone(tiles.Dims[:data])
	var kinds []SubgroupKind
	for _, kind := range subgroupOrder {
		size := 1
		for i, k := range last {
			if k == kind && tiles.Dims[data+i] > 1 {
				perm = append(perm, data+i)
				size *= tiles.Dims[data+i]
			}
		}
		if size > 1 {
			dims, kinds = append(dims, size), append(kinds, kind)
		}
	}
	if slices.Equal(kinds, last) {
		return tiles, last
	}
	for i := range last {
		if tiles.Dims[data+i] == 1 {
			perm = append(perm, data+i)
		}
	}
	tiles = tiles.transpose(perm)
	tiles.Dims = dims
	return tiles, kinds
}

// tiledWithSubgroups makes the sharding from subgroups that are merged already.
func tiledWithSubgroups(tiles Devices, last []SubgroupKind) Sharding {
	if len(last) == 0 || last[len(last)-1] != SubgroupReplicated {
		if len(last) == 1 && last[0] == SubgroupManual && tiles.Dims[len(tiles.Dims)-1] == tiles.Len() {
			return Sharding{Kind: ShardingManual}
		}
		return Sharding{Kind: ShardingTiled, Tiles: tiles, Last: last}
	}
	group := tiles.Dims[len(tiles.Dims)-1]
	if len(last) == 1 && (len(tiles.Dims) == 1 || group == tiles.Len()) {
		return Sharding{Kind: ShardingReplicated}
	}
	return Sharding{Kind: ShardingTiled, Tiles: tiles.sortGroups(group), Last: last}
}

// sortGroups returns d with each run of group devices in ascending order; an iota form stays one if it can.
func (d Devices) sortGroups(group int) Devices {
	if d.Iota != nil {
		if form, ok := d.Iota.sortMinor(group); ok {
			return Devices{Dims: d.Dims, Iota: form}
		}
	}
	ids := d.Expand()
	for i := 0; i < len(ids); i += group {
		slices.Sort(ids[i : i+group])
	}
	return Devices{Dims: d.Dims, IDs: ids}
}

// sortMinor returns the form whose last group numbers, the minor dimensions of the transposed array,
// come in ascending order. It fails if group is not made of whole dimensions and one part of the next.
func (f *IotaForm) sortMinor(group int) (*IotaForm, bool) {
	if f.Transpose == nil {
		return f, true
	}
	reshape, perm := slices.Clone(f.Reshape), slices.Clone(f.Transpose)
	i := len(perm)
	for group > 1 {
		i--
		size := reshape[perm[i]]
		if size > group {
			if size%group != 0 {
				return nil, false
			}
			reshape, perm = splitDimension(reshape, perm, i, group)
			i++
			break
		}
		if group%size != 0 {
			return nil, false
		}
		group /= size
	}
	slices.Sort(perm[i:])
	return simplifyIota(reshape, perm), true
}

// splitDimension splits the dimension at place i of perm into a major part and a minor one of the given size.
func splitDimension(reshape, perm []int, i, minor int) (newReshape, newPerm []int) {
	d := perm[i]
	reshape = slices.Insert(reshape, d+1, minor)
	reshape[d] /= minor
	for j, p := range perm {
		if p > d {
			perm[j]++
		}
	}
	return reshape, slices.Insert(perm, i+1, d+1)
}

// transpose returns the array whose dimension i is dimension perm[i] of d. It stays an iota form where
// the tile dimensions are the iota dimensions, as in XLA.
func (d Devices) transpose(perm []int) Devices {
	dims := make([]int, len(perm))
	for i, p := range perm {
		dims[i] = d.Dims[p]
	}
	if onlyMovesOnes(d.Dims, perm) {
		return Devices{Dims: dims, IDs: d.IDs, Iota: d.Iota}
	}
	if form := d.transposeIota(perm); form != nil {
		return Devices{Dims: dims, Iota: form}
	}
	stride := make([]int, len(d.Dims))
	s := 1
	for i := len(d.Dims) - 1; i >= 0; i-- {
		stride[i] = s
		s *= d.Dims[i]
	}
	ids := make([]int, s)
	for i := range ids {
		from, rest := 0, i
		for k := len(perm) - 1; k >= 0; k-- {
			from += rest % dims[k] * stride[perm[k]]
			rest /= dims[k]
		}
		ids[i] = d.At(from)
	}
	return Devices{Dims: dims, IDs: ids}
}

// onlyMovesOnes reports whether perm keeps the order of all dimensions larger than 1.
func onlyMovesOnes(dims, perm []int) bool {
	prev := -1
	for _, p := range perm {
		if dims[p] == 1 {
			continue
		}
		if p < prev {
			return false
		}
		prev = p
	}
	return true
}

// transposeIota returns the form of the transposed array, nil if the iota dimensions are not the tile dimensions.
func (d Devices) transposeIota(perm []int) *IotaForm {
	f := d.Iota
	if f == nil {
		return nil
	}
	if f.Transpose == nil {
		return simplifyIota(d.Dims, perm)
	}
	place := make([]int, len(d.Dims)) // of each tile dimension among those larger than 1
	n := 0
	for i, size := range d.Dims {
		if size == 1 {
			continue
		}
		if n >= len(f.Transpose) || f.Reshape[f.Transpose[n]] != size {
			return nil
		}
		place[i] = n
		n++
	}
	var newPerm []int
	for _, p := range perm {
		if d.Dims[p] > 1 {
			newPerm = append(newPerm, f.Transpose[place[p]])
		}
	}
	return simplifyIota(f.Reshape, newPerm)
}
