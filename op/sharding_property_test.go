package op

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/shape"
)

// randomDevices returns an array with the given dimensions: a list, an iota form, or a transposed one.
func randomDevices(t *testing.T, r *rand.Rand, dims []int) Devices {
	t.Helper()
	n := Devices{Dims: dims}.Len()
	if r.IntN(3) == 0 {
		d, err := NewDevices(dims, r.Perm(n))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	var reshape []int
	for rest := n; rest > 1; {
		f := smallestFactor(rest)
		if f < rest && r.IntN(3) == 0 {
			f *= smallestFactor(rest / f)
		}
		reshape, rest = append(reshape, f), rest/f
	}
	reshape = append(reshape, 1)
	r.Shuffle(len(reshape), func(i, j int) { reshape[i], reshape[j] = reshape[j], reshape[i] })
	perm := r.Perm(len(reshape))
	d, err := NewIota(dims, reshape, perm)
	if err != nil {
		t.Fatal(err)
	}
	plain := Devices{Dims: dims, Iota: &IotaForm{reshape, perm}}
	if !slices.Equal(d.Expand(), plain.Expand()) {
		t.Fatalf("%v is %v, simplified %v is %v", plain, plain.Expand(), d, d.Expand())
	}
	return d
}

func smallestFactor(n int) int {
	for f := 2; f*f <= n; f++ {
		if n%f == 0 {
			return f
		}
	}
	return n
}

func randomDims(r *rand.Rand, rank int) []int {
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = 1 + r.IntN(3)
	}
	return dims
}

// tileOf returns the index of the data tile that device has in tiles before any change of form.
func tileOf(tiles Devices, data, device int) []int {
	place, _ := tiles.find(device)
	index := make([]int, len(tiles.Dims))
	for i := len(index) - 1; i >= 0; i-- {
		index[i] = place % tiles.Dims[i]
		place /= tiles.Dims[i]
	}
	return index[:data]
}

// TestNewTiledKeepsTheMeaning: whatever form a sharding takes, each device keeps its part of the data.
func TestNewTiledKeepsTheMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	kinds := map[ShardingKind]int{}
	for range 3000 {
		data, groups := 1+r.IntN(2), r.IntN(4)
		dims := randomDims(r, data+groups)
		last := make([]SubgroupKind, groups)
		for i := range last {
			last[i] = SubgroupKind(r.IntN(4))
		}
		tiles := randomDevices(t, r, dims)
		if tiles.Len() == 1 {
			continue
		}
		s, err := NewTiled(tiles, last)
		if err != nil {
			t.Fatal(err)
		}
		kinds[s.Kind]++
		sizes := slices.Clone(dims[:data])
		for i := range sizes {
			sizes[i] *= 2
		}
		for device := range tiles.Len() {
			offset, limit, err := s.Tile(shape.Make(shape.F32, sizes...), device)
			if err != nil {
				t.Fatalf("%v %v: %v", tiles, last, err)
			}
			for i, at := range tileOf(tiles, data, device) {
				if offset[i] != 2*at || limit[i] != 2*at+2 {
					t.Fatalf("%v %v became %v: device %d has %v to %v, tile %d of dimension %d expected",
						tiles, last, &s, device, offset, limit, at, i)
				}
			}
		}
		if s.Kind != ShardingTiled {
			continue
		}
		// XLA sees that all is unreduced only before dimensions of size 1 are gone.
		again, err := NewTiled(s.Tiles, s.Last)
		if err != nil || !again.Equal(&s) && again.Kind != ShardingUnreduced {
			t.Fatalf("%v is not in its last form: %v, %v", &s, &again, err)
		}
	}
	for _, kind := range []ShardingKind{ShardingTiled, ShardingReplicated, ShardingManual, ShardingUnreduced} {
		if kinds[kind] == 0 {
			t.Errorf("no sharding became %v", kind)
		}
	}
}

// TestNamedTiledKeepsTheMeaning: a device's tile is its place along the axes of each dimension.
func TestNamedTiledKeepsTheMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		axes := []MeshAxis{{"a", 2}, {"b", 4}, {"c", 1 + r.IntN(3)}}
		devices := randomDevices(t, r, []int{2, 4, axes[2].Size})
		if slices.IsSorted(devices.IDs) {
			devices = Devices{}
		}
		m := mesh(t, devices, axes...)
		n := NamedSharding{Mesh: m, Dims: make([]DimSharding, 2)}
		pool := []AxisRef{{Name: "a"}, {"b", 1, 2}, {"b", 2, 2}, {Name: "c"}}
		if r.IntN(2) == 0 {
			pool = []AxisRef{{Name: "a"}, {Name: "b"}, {Name: "c"}}
		}
		for _, i := range r.Perm(len(pool)) {
			switch use := r.IntN(5); use {
			case 0, 1:
				n.Dims[use].Axes = append(n.Dims[use].Axes, pool[i])
			case 2:
				n.Manual = append(n.Manual, pool[i])
			case 3:
				n.Unreduced = append(n.Unreduced, pool[i])
			}
		}
		slices.SortFunc(n.Manual, m.compareAxes)
		slices.SortFunc(n.Unreduced, m.compareAxes)
		s, err := NewNamed(n)
		if err != nil {
			continue // neighbouring parts of one axis
		}
		checkNamedTiles(t, &s)
	}
}

func checkNamedTiles(t *testing.T, s *Sharding) {
	t.Helper()
	m := &s.Named.Mesh
	var digits [2][]digit
	sizes := []int{2, 2}
	for i, d := range s.Named.Dims {
		list, size := m.digits(d.Axes)
		digits[i] = list
		sizes[i] *= size
	}
	for place := range m.Devices.Len() {
		device := m.Devices.At(place)
		offset, limit, err := s.Tile(shape.Make(shape.F32, sizes...), device)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		for i := range sizes {
			at := 0
			for _, d := range digits[i] {
				at = at*d.size + place/d.stride%d.size
			}
			if offset[i] != 2*at || limit[i] != 2*at+2 {
				t.Fatalf("%v: device %d has %v to %v, tile %d of dimension %d expected",
					s, device, offset, limit, at, i)
			}
		}
	}
}

// TestExpandIsAPartition: every form of groups has every device once.
func TestExpandIsAPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		m := mesh(t, Devices{}, MeshAxis{"a", 1 + r.IntN(4)}, MeshAxis{"b", 8}, MeshAxis{"c", 1 + r.IntN(3)})
		pool := [][]AxisRef{{{"b", 2, 2}, {Name: "a"}}, {{Name: "b"}}, {{"b", 4, 2}, {"b", 1, 2}},
			{{Name: "c"}, {"b", 1, 4}}}
		axes := pool[r.IntN(len(pool))]
		g, err := NewMeshGroups(m, axes)
		if err != nil {
			t.Fatal(err)
		}
		_, size := m.digits(axes)
		groups := g.Expand(0)
		if len(groups)*size != m.Devices.Len() {
			t.Fatalf("%v: %d groups of %d for %d devices", g, len(groups), size, m.Devices.Len())
		}
		all := slices.Concat(groups...)
		slices.Sort(all)
		if !slices.Equal(all, identity(len(all))) || len(all) != m.Devices.Len() {
			t.Fatalf("%v: the groups are %v", g, groups)
		}
	}
}
