package jaxexport

import (
	"strconv"
	"strings"
)

// Mesh is a grid of devices whose dimensions, the axes, have names.
type Mesh struct {
	Axes       []Axis
	DeviceKind string // "" if nothing is said
	NumCores   int
	Platform   string
}

// Axis is a dimension of a mesh.
type Axis struct {
	Name string
	Size int
	Type string // "auto", "explicit", "manual", or "" if nothing is said
}

var axisTypes = []string{"", "auto", "explicit", "manual"}

// Sharding says how an array is spread over devices. Proto is that of older files, an
// OpSharding of XLA; Mesh and the rest are nil then.
type Sharding struct {
	Mesh *Mesh
	// Spec gives for each dimension the axes over which it is split, nil: not split.
	Spec       [][]string
	Reduced    []string
	Unreduced  []string
	MemoryKind string
	Proto      []byte
}

// readMesh reads an abstract mesh.
func readMesh(t table) *Mesh {
	m := &Mesh{}
	sizes, names, types := t.numbers(0, 4), t.texts(1), t.numbers(2, 1)
	if t.w.err == nil && (len(sizes) != len(names) || (len(types) != 0 && len(types) != len(names))) {
		t.w.fail(t.pos, "mesh: expected as many sizes and types as names, got %d, %d and %d",
			len(sizes), len(types), len(names))
	}
	if t.w.err != nil {
		return m
	}
	for i, name := range names {
		a := Axis{Name: name, Size: sizes[i]}
		if len(types) > 0 {
			if types[i] >= len(axisTypes) {
				t.w.fail(t.pos, "mesh: unknown type %d of an axis", types[i])
				return m
			}
			a.Type = axisTypes[types[i]]
		}
		m.Axes = append(m.Axes, a)
	}
	if d, ok := t.table(3); ok {
		m.DeviceKind, m.NumCores, m.Platform = d.text(0), int(d.u32(1)), d.text(2)
	}
	return m
}

// readNamed reads a sharding over a mesh.
func (u *uniques) readNamed(t table) *Sharding {
	s := &Sharding{MemoryKind: t.text(2)}
	if m, ok := t.table(0); ok {
		s.Mesh = readMesh(m)
	} else if i := int(t.u32(3)); i < len(u.meshes) {
		s.Mesh = u.meshes[i]
	} else {
		t.w.fail(t.pos, "mesh: %d is not in [0, %d)", i, len(u.meshes))
	}
	spec, ok := t.table(1)
	if !ok {
		return s
	}
	s.Spec = each(spec.vector(0, 4), func(t table) []string { return t.texts(0) })
	s.Reduced, s.Unreduced = spec.texts(1), spec.texts(2)
	return s
}

// shardingList reads a list of shardings: numbers of unique ones, 0 for none, or before
// version 10 the shardings themselves.
func (u *uniques) shardingList(t table, indices, direct int) []*Sharding {
	numbers := t.numbers(indices, 4)
	if len(numbers) == 0 {
		return each(t.vector(direct, 4), u.readSharding)
	}
	list := make([]*Sharding, 0, len(numbers))
	for _, n := range numbers {
		switch {
		case n == 0:
			list = append(list, nil)
		case n <= len(u.shardings):
			list = append(list, u.shardings[n-1])
		default:
			t.w.fail(t.pos, "sharding: %d is not in [0, %d]", n, len(u.shardings))
			return nil
		}
	}
	return list
}

// readSharding reads a sharding of one of the two kinds; nil if nothing is said.
func (u *uniques) readSharding(t table) *Sharding {
	if named, ok := t.table(2); ok {
		return u.readNamed(named)
	}
	if proto, pos := t.bytes(1); pos != 0 {
		return &Sharding{Proto: proto}
	}
	return nil
}

// String returns `{x=2, y=4} (x, None, (x, y))`: the mesh and the axes of each dimension.
func (s *Sharding) String() string {
	if s == nil {
		return "unspecified"
	}
	if s.Proto != nil {
		return "OpSharding of " + strconv.Itoa(len(s.Proto)) + " bytes"
	}
	var axes, dims []string
	if s.Mesh != nil {
		for _, a := range s.Mesh.Axes {
			axes = append(axes, a.Name+"="+strconv.Itoa(a.Size))
		}
	}
	for _, d := range s.Spec {
		switch len(d) {
		case 0:
			dims = append(dims, "None")
		case 1:
			dims = append(dims, d[0])
		default:
			dims = append(dims, "("+strings.Join(d, ", ")+")")
		}
	}
	return "{" + strings.Join(axes, ", ") + "} (" + strings.Join(dims, ", ") + ")"
}
