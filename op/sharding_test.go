package op

import (
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

func TestNewIota(t *testing.T) {
	tests := []struct {
		dims, reshape, transpose []int
		want                     string
	}{
		{[]int{2, 4}, []int{2, 4}, []int{0, 1}, "[2,4]<=[8]"},
		{[]int{2, 4}, []int{2, 2, 2}, []int{0, 1, 2}, "[2,4]<=[8]"},
		{[]int{4, 2}, []int{2, 2, 2}, []int{2, 0, 1}, "[4,2]<=[4,2]T(1,0)"},
		{[]int{2, 4}, []int{4, 2}, []int{1, 0}, "[2,4]<=[4,2]T(1,0)"},
		{[]int{2, 1}, []int{2, 1}, []int{1, 0}, "[2,1]<=[2]"},
		{[]int{8, 1}, []int{8}, nil, "[8,1]<=[8]"},
		{[]int{60}, []int{3, 4, 5}, []int{1, 0, 2}, "[60]<=[3,4,5]T(1,0,2)"},
		{[]int{60}, []int{3, 4, 5}, []int{2, 1, 0}, "[60]<=[3,4,5]T(2,1,0)"},
		{[]int{60}, []int{3, 4, 5}, []int{1, 2, 0}, "[60]<=[3,20]T(1,0)"},
		{[]int{60}, []int{1, 3, 1, 4, 1, 5}, []int{4, 3, 2, 5, 1, 0}, "[60]<=[3,20]T(1,0)"},
		{[]int{1}, []int{1, 1}, []int{1, 0}, "[1]<=[1]"},
		{[]int{8, 16}, []int{2, 4, 4, 4}, []int{2, 3, 0, 1}, "[8,16]<=[8,16]T(1,0)"},
	}
	for _, test := range tests {
		d, err := NewIota(test.dims, test.reshape, test.transpose)
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if got := d.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
		plain := Devices{Dims: test.dims, Iota: &IotaForm{test.reshape, test.transpose}}
		if got, want := d.Expand(), plain.Expand(); !slices.Equal(got, want) {
			t.Errorf("%s: devices are %v, without simplification %v", test.want, got, want)
		}
	}
}

func TestNewIotaErrors(t *testing.T) {
	tests := []struct {
		dims, reshape, transpose []int
		want                     string
	}{
		{[]int{2, 4}, []int{4}, nil, "8 devices"},
		{[]int{2, 4}, []int{2, 4}, []int{0, 0}, "permutation"},
		{[]int{2, 4}, []int{2, 4}, []int{0}, "permutation"},
		{[]int{2, 4}, []int{2, 4}, []int{0, 2}, "permutation"},
		{[]int{0}, []int{0}, nil, "above 0"},
		{[]int{1 << 40, 1 << 40}, []int{1}, nil, "at most"},
		{[]int{-2, -2}, []int{4}, nil, "above 0"},
	}
	for _, test := range tests {
		_, err := NewIota(test.dims, test.reshape, test.transpose)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v<=%vT%v: got error %v, want one with %q", test.dims, test.reshape, test.transpose, err,
				test.want)
		}
	}
}

func TestIotaOrder(t *testing.T) {
	d := iotaOf(t, []int{4, 2}, []int{2, 4}, []int{1, 0})
	if got, want := d.Expand(), []int{0, 4, 1, 5, 2, 6, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("[4,2]<=[2,4]T(1,0): got %v, want %v", got, want)
	}
}

func explicit(dims []int, ids ...int) Devices { return Devices{Dims: dims, IDs: ids} }

func upTo(n int) []int { return identity(n) }

func TestNewTiled(t *testing.T) {
	const r, m, u, x = SubgroupReplicated, SubgroupManual, SubgroupUnreduced, SubgroupUnknown
	tests := []struct {
		tiles Devices
		last  []SubgroupKind
		want  string
	}{
		{explicit([]int{2, 1}, 0, 1), nil, "{devices=[2,1]0,1}"},
		{explicit([]int{2, 1, 2}, upTo(4)...), []SubgroupKind{r}, "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"},
		{explicit([]int{2, 1, 2}, upTo(4)...), []SubgroupKind{m}, "{devices=[2,1,2]0,1,2,3 last_tile_dims={manual}}"},
		{explicit([]int{2, 1, 2, 2}, upTo(8)...), []SubgroupKind{m, r},
			"{devices=[2,1,2,2]0,1,2,3,4,5,6,7 last_tile_dims={manual, replicated}}"},
		{iotaOf(t, []int{4, 2}, []int{8}, nil), nil, "{devices=[4,2]<=[8]}"},
		{iotaOf(t, []int{4, 2}, []int{2, 4}, []int{1, 0}), nil, "{devices=[4,2]<=[2,4]T(1,0)}"},
		{iotaOf(t, []int{2, 2, 2}, []int{8}, nil), []SubgroupKind{r}, "{devices=[2,2,2]<=[8] last_tile_dim_replicate}"},
		{explicit([]int{1, 1, 2}, 0, 1), []SubgroupKind{r}, "{replicated}"},
		{explicit([]int{1, 2, 2}, upTo(4)...), []SubgroupKind{m, m}, "{manual}"},
		{explicit([]int{1, 4}, upTo(4)...), []SubgroupKind{u}, "{unreduced}"},
		{explicit([]int{2, 1}, 0, 1), []SubgroupKind{r}, "{devices=[2]0,1}"},
		{explicit([]int{2, 2, 1}, upTo(4)...), []SubgroupKind{m, r}, "{devices=[2,2]0,1,2,3 last_tile_dims={manual}}"},
		{explicit([]int{1, 2, 1}, 0, 1), []SubgroupKind{m, r}, "{manual}"},
		{explicit([]int{1, 2, 1}, 0, 1), []SubgroupKind{r, m}, "{replicated}"},
		{explicit([]int{1, 2, 1}, 0, 1), []SubgroupKind{u, r}, "{devices=[1,2]0,1 last_tile_dims={unreduced}}"},
		{explicit([]int{2, 1, 2}, upTo(4)...), []SubgroupKind{m, r}, "{devices=[2,2]0,1,2,3 last_tile_dim_replicate}"},
		// The devices along a replicated dimension are sorted.
		{explicit([]int{2, 2}, 3, 1, 2, 0), []SubgroupKind{r}, "{devices=[2,2]1,3,0,2 last_tile_dim_replicate}"},
		// Replicated moves behind manual; one kind is one dimension.
		{explicit([]int{2, 2, 2}, upTo(8)...), []SubgroupKind{r, m},
			"{devices=[2,2,2]0,2,1,3,4,6,5,7 last_tile_dims={manual, replicated}}"},
		{explicit([]int{2, 2, 2}, upTo(8)...), []SubgroupKind{r, r},
			"{devices=[2,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"},
		{iotaOf(t, []int{2, 2, 2}, []int{8}, nil), []SubgroupKind{r, m},
			"{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}"},
		{iotaOf(t, []int{2, 2, 2}, []int{8}, nil), []SubgroupKind{r, r},
			"{devices=[2,4]<=[8] last_tile_dim_replicate}"},
		// A replicated dimension made of whole iota dimensions is sorted within the iota form.
		{iotaOf(t, []int{2, 8}, []int{4, 2, 2}, []int{1, 2, 0}), []SubgroupKind{r},
			"{devices=[2,8]<=[4,2,2]T(1,0,2) last_tile_dim_replicate}"},
		{iotaOf(t, []int{4, 4}, []int{4, 4}, []int{1, 0}), []SubgroupKind{r},
			"{devices=[4,4]<=[4,4]T(1,0) last_tile_dim_replicate}"},
		// So is one made of part of a dimension.
		{iotaOf(t, []int{8, 2}, []int{4, 4}, []int{1, 0}), []SubgroupKind{r},
			"{devices=[8,2]<=[4,4]T(1,0) last_tile_dim_replicate}"},
		{iotaOf(t, []int{2, 8}, []int{4, 4}, []int{1, 0}), []SubgroupKind{r},
			"{devices=[2,8]<=[4,2,2]T(1,0,2) last_tile_dim_replicate}"},
		// One that is not becomes a list.
		{iotaOf(t, []int{6, 6}, []int{4, 9}, []int{1, 0}), []SubgroupKind{r},
			"{devices=[6,6]0,1,9,10,18,27,2,11,19,20,28,29,3,4,12,13,21,30," +
				"5,14,22,23,31,32,6,7,15,16,24,33,8,17,25,26,34,35 last_tile_dim_replicate}"},
		{explicit([]int{2, 2}, upTo(4)...), []SubgroupKind{x}, "{devices=[2,2]0,1,2,3 last_tile_dims={unknown}}"},
	}
	for _, test := range tests {
		s, err := NewTiled(test.tiles, test.last)
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if got := s.String(); got != test.want {
			t.Errorf("%v %v:\n got %s\nwant %s", test.tiles, test.last, got, test.want)
		}
	}
}

func TestNewTiledErrors(t *testing.T) {
	_, err := NewTiled(explicit([]int{1, 1}, 0), nil)
	if want := "non-maximal shardings must have more than one device assigned"; err == nil || err.Error() != want {
		t.Errorf("one device: got error %v, want %s", err, want)
	}
	if _, err := NewTiled(explicit([]int{2}, 0, 1), make([]SubgroupKind, 2)); err == nil {
		t.Error("more subgroups than dimensions: got no error")
	}
	if _, err := NewDevices([]int{2, 2}, []int{0, 1, 2}); err == nil {
		t.Error("three devices for four tiles: got no error")
	}
}

func TestShardingText(t *testing.T) {
	rep := Sharding{}
	repN := func(n int) []Sharding { return slices.Repeat([]Sharding{rep}, n) }
	two := Sharding{Kind: ShardingTiled, Tiles: explicit([]int{2, 1}, 0, 1)}
	with := func(s Sharding, set func(*Sharding)) Sharding { set(&s); return s }
	xy := mesh(t, Devices{}, MeshAxis{"x", 2}, MeshAxis{"y", 4})
	x2 := mesh(t, Devices{}, MeshAxis{"x", 2})
	sq := []MeshAxis{{"x", 2}, {"y", 2}}
	swapped := mesh(t, iotaOf(t, []int{2, 2}, []int{2, 2}, []int{1, 0}), sq...)
	listed := mesh(t, Devices{IDs: []int{0, 2, 1, 3}}, sq...)
	x, y := AxisRef{Name: "x"}, AxisRef{Name: "y"}
	y1, y2 := AxisRef{"y", 1, 2}, AxisRef{"y", 2, 2}
	named := func(n NamedSharding) Sharding {
		s, err := NewNamed(n)
		if err != nil {
			t.Error(err)
		}
		return s
	}
	dims := func(axes ...[]AxisRef) []DimSharding {
		list := make([]DimSharding, len(axes))
		for i, a := range axes {
			list[i].Axes = a
		}
		return list
	}
	tests := []struct {
		s    Sharding
		want string
	}{
		{rep, "{replicated}"},
		{Sharding{Kind: ShardingManual}, "{manual}"},
		{Sharding{Kind: ShardingUnknown}, "{unknown}"},
		{Sharding{Kind: ShardingUnreduced}, "{unreduced}"},
		{Sharding{Kind: ShardingMaximal, Device: 3}, "{maximal device=3}"},
		{with(rep, func(s *Sharding) { s.Group = ShardGroup{As: true, ID: 1} }), "{replicated shard_as 1}"},
		{with(two, func(s *Sharding) { s.Group = ShardGroup{Like: true, ID: 5} }), "{devices=[2,1]0,1 shard_like 5}"},
		{with(two, func(s *Sharding) { s.Metadata = []string{`op_name="a" source_line=3`} }),
			`{devices=[2,1]0,1 metadata={op_name="a" source_line=3}}`},
		{Sharding{Kind: ShardingMaximal, Group: ShardGroup{Like: true, ID: 2}, Metadata: []string{"a", "b"}},
			"{maximal device=0 shard_like 2 metadata={{a}, {b}}}"},
		{Sharding{Kind: ShardingTuple}, "{}"},
		{Sharding{Kind: ShardingTuple, Elems: []Sharding{rep, two}}, "{{replicated}, {devices=[2,1]0,1}}"},
		{Sharding{Kind: ShardingTuple, Elems: repN(6)},
			"{{replicated}, {replicated}, {replicated}, {replicated}, {replicated}, /*index=5*/{replicated}}"},
		{named(NamedSharding{Mesh: xy, Dims: []DimSharding{{Axes: []AxisRef{x}}, {Open: true}}}),
			"{mesh['x'=2,'y'=4], [{'x'}, {?}]}"},
		{named(NamedSharding{Mesh: xy, Dims: dims([]AxisRef{x, y}, nil)}), "{mesh['x'=2,'y'=4], [{'x', 'y'}, {}]}"},
		{named(NamedSharding{Mesh: xy, Dims: []DimSharding{{Axes: []AxisRef{x}}, {[]AxisRef{y1}, true}},
			Replicated: []AxisRef{y2}}),
			"{mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], replicated={'y':(2)2}}"},
		{named(NamedSharding{Mesh: x2, Dims: dims(nil, nil), Unreduced: []AxisRef{x}}),
			"{mesh['x'=2], [{}, {}], unreduced={'x'}}"},
		{named(NamedSharding{Mesh: x2, Dims: dims(nil), Unreduced: []AxisRef{x}, UnreducedOp: "max"}),
			"{mesh['x'=2], [{}], unreduced=max{'x'}}"},
		{named(NamedSharding{Mesh: xy, Unreduced: []AxisRef{x, y}, UnreducedOp: "max"}),
			"{mesh['x'=2,'y'=4], unreduced=max{'x', 'y'}}"},
		{named(NamedSharding{Mesh: xy, Unreduced: []AxisRef{x}}), "{mesh['x'=2,'y'=4], [], unreduced={'x'}}"},
		{Sharding{Kind: ShardingNamed, Named: &NamedSharding{Mesh: MaximalMesh(1)}}, "{maximal_mesh[device_id=1]}"},
		{named(NamedSharding{Mesh: swapped, Dims: dims([]AxisRef{x}, []AxisRef{y})}),
			"{mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), [{'x'}, {'y'}]}"},
		{named(NamedSharding{Mesh: listed, Dims: dims([]AxisRef{x}, []AxisRef{y})}),
			"{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}, {'y'}]}"},
		{named(NamedSharding{Mesh: xy}), "{mesh['x'=2,'y'=4], replicated}"},
		{named(NamedSharding{}), "{mesh[], replicated}"},
		{named(NamedSharding{Mesh: xy, Unreduced: xy.AllAxes()}), "{mesh['x'=2,'y'=4], unreduced}"},
		{named(NamedSharding{Mesh: xy, Manual: xy.AllAxes()}), "{mesh['x'=2,'y'=4], manual}"},
		{named(NamedSharding{Mesh: xy, Dims: dims([]AxisRef{x}), Manual: []AxisRef{y}}),
			"{mesh['x'=2,'y'=4], [{'x'}], manual={'y'}}"},
		{with(named(NamedSharding{Mesh: xy}), func(s *Sharding) { s.Metadata = []string{`op_name="foo"`} }),
			`{mesh['x'=2,'y'=4], replicated, metadata={{op_name="foo"}}}`},
	}
	for _, test := range tests {
		if got := test.s.String(); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
		if got := string(test.s.AppendText(nil, false)); strings.Contains(got, "metadata") {
			t.Errorf("text without metadata is %s", got)
		}
	}
}

func TestMeshErrors(t *testing.T) {
	ab := []MeshAxis{{"a", 2}, {"b", 4}}
	m := mesh(t, Devices{}, ab...)
	a, b, b1, b2 := AxisRef{Name: "a"}, AxisRef{Name: "b"}, AxisRef{"b", 1, 2}, AxisRef{"b", 2, 2}
	tests := []struct {
		name string
		make func() error
		want string
	}{
		{"repeated name", func() error { _, err := NewMesh([]MeshAxis{{"a", 2}, {"a", 2}}, Devices{}); return err },
			"unique"},
		{"number as name", func() error { _, err := NewMesh([]MeshAxis{{"7", 2}}, Devices{}); return err }, "integer"},
		{"size 0", func() error { _, err := NewMesh([]MeshAxis{{"a", 0}}, Devices{}); return err }, "above 0"},
		{"ids in order", func() error { _, err := NewMesh(ab[:1], Devices{IDs: []int{0, 1}}); return err },
			"another order"},
		{"ids no permutation", func() error { _, err := NewMesh(ab[:1], Devices{IDs: []int{1, 1}}); return err },
			"another order"},
		{"too few ids", func() error { _, err := NewMesh(ab, Devices{IDs: []int{1, 0}}); return err }, "8 device_ids"},
		{"unknown axis", func() error { _, err := NewMeshGroups(m, []AxisRef{{Name: "bogus"}}); return err }, "axis"},
		{"axis number", func() error { _, err := NewMeshGroups(m, []AxisRef{{Name: "5"}}); return err }, "axis"},
		{"axis twice", func() error { return m.CheckAxes([]AxisRef{a, a}) }, "overlap"},
		{"axis and part", func() error { return m.CheckAxes([]AxisRef{b, b1}) }, "overlap"},
		{"part too large", func() error { return m.CheckAxes([]AxisRef{{"b", 1, 4}}) }, "divides"},
		{"part does not divide", func() error { return m.CheckAxes([]AxisRef{{"b", 1, 3}}) }, "divides"},
		{"part without pre", func() error { return m.CheckAxes([]AxisRef{{"b", 0, 2}}) }, "divides"},
		{"huge part", func() error { return m.CheckAxes([]AxisRef{{"b", 1 << 62, 2}}) }, "divides"},
		{"group of one", func() error { _, err := NewMeshGroups(m, nil); return err }, "more than one"},
		{"unsorted",
			func() error { _, err := NewNamed(NamedSharding{Mesh: m, Manual: []AxisRef{b, a}}); return err }, "sorted"},
		{"mergeable", func() error {
			_, err := NewNamed(NamedSharding{Mesh: m, Dims: []DimSharding{{Axes: []AxisRef{b1, b2}}}})
			return err
		}, "merged"},
		{"used twice", func() error {
			_, err := NewNamed(NamedSharding{Mesh: m, Dims: []DimSharding{{Axes: []AxisRef{a}}}, Manual: []AxisRef{a}})
			return err
		}, "overlap"},
	}
	for _, test := range tests {
		if err := test.make(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", test.name, err, test.want)
		}
	}
	if i, ok := m.Axis("1"); !ok || i != 1 {
		t.Errorf(`Axis("1") = %d, %v, want the axis with that index`, i, ok)
	}
}

func TestNamedTiled(t *testing.T) {
	ab := mesh(t, Devices{}, MeshAxis{"a", 2}, MeshAxis{"b", 4})
	swapped := mesh(t, iotaOf(t, []int{2, 4}, []int{4, 2}, []int{1, 0}), ab.Axes...)
	listed := mesh(t, Devices{IDs: []int{1, 0, 2, 3, 4, 5, 6, 7}}, ab.Axes...)
	a, b, b1, b2 := AxisRef{Name: "a"}, AxisRef{Name: "b"}, AxisRef{"b", 1, 2}, AxisRef{"b", 2, 2}
	dims := func(axes ...[]AxisRef) []DimSharding {
		list := make([]DimSharding, len(axes))
		for i, l := range axes {
			list[i].Axes = l
		}
		return list
	}
	tests := []struct {
		n    NamedSharding
		want string
	}{
		{NamedSharding{Mesh: ab, Dims: dims(nil, nil)}, "{replicated}"},
		{NamedSharding{Mesh: ab, Dims: dims([]AxisRef{a}, nil)}, "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
		{NamedSharding{Mesh: ab, Dims: dims([]AxisRef{b}, []AxisRef{a})}, "{devices=[4,2]<=[2,4]T(1,0)}"},
		{NamedSharding{Mesh: ab, Dims: dims([]AxisRef{a, b})}, "{devices=[8]<=[8]}"},
		{NamedSharding{Mesh: ab, Dims: dims([]AxisRef{b1}, []AxisRef{a})},
			"{devices=[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"},
		{NamedSharding{Mesh: ab, Dims: dims([]AxisRef{b2}), Manual: []AxisRef{a}},
			"{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}"},
		{NamedSharding{Mesh: ab, Unreduced: []AxisRef{a, b}}, "{unreduced}"},
		{NamedSharding{Mesh: ab, Unreduced: []AxisRef{a}},
			"{devices=[2,4]<=[8] last_tile_dims={unreduced, replicated}}"},
		{NamedSharding{Mesh: swapped, Dims: dims([]AxisRef{a}, []AxisRef{b})}, "{devices=[2,4]<=[4,2]T(1,0)}"},
		{NamedSharding{Mesh: swapped, Dims: dims([]AxisRef{b}, []AxisRef{a})}, "{devices=[4,2]<=[8]}"},
		{NamedSharding{Mesh: listed, Dims: dims([]AxisRef{a}, []AxisRef{b})}, "{devices=[2,4]1,0,2,3,4,5,6,7}"},
		{NamedSharding{Mesh: listed, Dims: dims([]AxisRef{b}, []AxisRef{a})}, "{devices=[4,2]1,4,0,5,2,6,3,7}"},
		{NamedSharding{Mesh: MaximalMesh(3)}, "{maximal device=3}"},
	}
	for _, test := range tests {
		s, err := NewNamed(test.n)
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		got, err := s.Tiled()
		if err != nil || got.String() != test.want {
			t.Errorf("%v\n got %v, %v\nwant %s", &s, &got, err, test.want)
		}
	}
}

func TestTile(t *testing.T) {
	sh := shape.Make(shape.F32, 8, 5)
	tiled := func(d Devices, last ...SubgroupKind) Sharding {
		s, err := NewTiled(d, last)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ab := mesh(t, Devices{}, MeshAxis{"a", 2}, MeshAxis{"b", 2})
	tests := []struct {
		s             Sharding
		device        int
		offset, limit []int
		tile          []int
		tiles         int
	}{
		{Sharding{}, 7, []int{0, 0}, []int{8, 5}, []int{8, 5}, 1},
		{Sharding{Kind: ShardingMaximal, Device: 3}, 3, []int{0, 0}, []int{8, 5}, []int{8, 5}, 1},
		{tiled(iotaOf(t, []int{4, 2}, []int{8}, nil)), 5, []int{4, 3}, []int{6, 5}, []int{2, 3}, 8},
		{tiled(iotaOf(t, []int{4, 2}, []int{2, 4}, []int{1, 0})), 5, []int{2, 3}, []int{4, 5}, []int{2, 3}, 8},
		{tiled(explicit([]int{1, 4}, 3, 2, 1, 0)), 0, []int{0, 5}, []int{8, 5}, []int{8, 2}, 4},
		{tiled(explicit([]int{1, 4}, 3, 2, 1, 0)), 1, []int{0, 4}, []int{8, 5}, []int{8, 2}, 4},
		{tiled(explicit([]int{2, 1, 2}, 0, 1, 2, 3), SubgroupReplicated), 3, []int{4, 0}, []int{8, 5}, []int{4, 5}, 2},
		{Sharding{Kind: ShardingNamed,
			Named: &NamedSharding{Mesh: ab, Dims: []DimSharding{{Axes: []AxisRef{{Name: "b"}}}, {}}}},
			1, []int{4, 0}, []int{8, 5}, []int{4, 5}, 2},
	}
	for _, test := range tests {
		offset, limit, err := test.s.Tile(sh, test.device)
		if err != nil || !slices.Equal(offset, test.offset) || !slices.Equal(limit, test.limit) {
			t.Errorf("%v, device %d: got %v to %v, %v, want %v to %v", &test.s, test.device, offset, limit, err,
				test.offset, test.limit)
		}
		if got, err := test.s.TileShape(sh); err != nil || !slices.Equal(got.Dims, test.tile) {
			t.Errorf("%v: tile shape %v, %v, want %v", &test.s, got, err, test.tile)
		}
		if got, err := test.s.NumTiles(); err != nil || got != test.tiles {
			t.Errorf("%v: %d tiles, %v, want %d", &test.s, got, err, test.tiles)
		}
	}
	if !slices.Equal(sh.Dims, []int{8, 5}) {
		t.Errorf("the shape was changed to %v", sh)
	}
}

func TestTileErrors(t *testing.T) {
	sh := shape.Make(shape.F32, 8)
	tuple := Sharding{Kind: ShardingTuple}
	two := Sharding{Kind: ShardingTiled, Tiles: explicit([]int{2, 1}, 0, 1)}
	one := Sharding{Kind: ShardingTiled, Tiles: explicit([]int{2}, 0, 1)}
	if _, err := tuple.TileShape(sh); err == nil {
		t.Error("tile of a tuple: got no error")
	}
	if _, err := tuple.NumTiles(); err == nil {
		t.Error("tiles of a tuple: got no error")
	}
	if _, err := two.TileShape(sh); err == nil {
		t.Error("rank 2 for rank 1: got no error")
	}
	if _, _, err := one.Tile(sh, 9); err == nil {
		t.Error("a device without a tile: got no error")
	}
	maximal := Sharding{Kind: ShardingMaximal}
	if _, _, err := maximal.Tile(sh, 1); err == nil {
		t.Error("another device of a maximal sharding: got no error")
	}
}

func TestShardingOfTuples(t *testing.T) {
	leaf := shape.Make(shape.F32, 8)
	sh := shape.MakeTuple(leaf, shape.MakeTuple(leaf, leaf), leaf)
	s := Sharding{}.ForShape(sh)
	if got, want := s.String(), "{{replicated}, {replicated}, {replicated}, {replicated}}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	empty := Sharding{Kind: ShardingManual}.ForShape(shape.MakeTuple())
	if got, want := empty.String(), "{{manual}}"; got != want {
		t.Errorf("empty tuple: got %s, want %s", got, want)
	}
	if got := s.ForShape(sh); !got.Equal(&s) {
		t.Errorf("a tuple sharding changed to %v", &got)
	}
	for i := range s.Elems {
		s.Elems[i] = Sharding{Kind: ShardingMaximal, Device: i}
	}
	tests := []struct {
		index []int
		want  string
	}{
		{nil, "{{maximal device=0}, {maximal device=1}, {maximal device=2}, {maximal device=3}}"},
		{[]int{0}, "{maximal device=0}"},
		{[]int{1}, "{{maximal device=1}, {maximal device=2}}"},
		{[]int{1, 1}, "{maximal device=2}"},
		{[]int{2}, "{maximal device=3}"},
	}
	for _, test := range tests {
		if got, err := s.Sub(sh, test.index); err != nil || got.String() != test.want {
			t.Errorf("%v: got %v, %v, want %s", test.index, &got, err, test.want)
		}
	}
	if _, err := s.Sub(sh, []int{3}); err == nil {
		t.Error("index outside: got no error")
	}
	if _, err := s.Sub(leaf, nil); err == nil {
		t.Error("four shardings for one leaf: got no error")
	}
}
