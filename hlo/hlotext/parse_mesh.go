package hlotext

import "github.com/goxla/xla/op"

// mesh reads mesh['x'=2,'y'=4], with device_ids=(...) behind it or not, or maximal_mesh[device_id=1].
func (p *parser) mesh() op.Mesh {
	if p.acceptWord("maximal_mesh") {
		return p.maximalMesh()
	}
	start := p.tok.pos
	p.advance()
	var axes []op.MeshAxis
	p.list(kindLeftSquare, kindRightSquare, func() { axes = append(axes, p.meshAxis()) })
	var devices op.Devices
	if p.tok.kind == kindComma && len(axes) > 0 {
		if t := p.peek(); t.kind == kindAttribute && t.text == "device_ids" {
			p.advance()
			p.advance()
			devices = p.deviceIDs(axes)
		}
	}
	if !p.ok() || len(axes) == 0 {
		return op.Mesh{}
	}
	mesh, err := op.NewMesh(axes, devices)
	if err != nil {
		p.failWith(start, err)
	}
	return mesh
}

func (p *parser) maximalMesh() op.Mesh {
	p.expect(kindLeftSquare, "behind maximal_mesh")
	if pos := p.tok.pos; p.attributeName() != "device_id" {
		p.failAt(pos, "expects device_id= in maximal_mesh")
	}
	device := p.integer()
	p.expect(kindRightSquare, "behind the device of maximal_mesh")
	return op.MaximalMesh(device)
}

// meshAxis reads 'x'=2, or x=2 as older versions print it.
func (p *parser) meshAxis() op.MeshAxis {
	if p.tok.kind == kindAttribute {
		return op.MeshAxis{Name: p.intern(p.attributeName()), Size: p.integer()}
	}
	a := op.MeshAxis{Name: p.quotedString()}
	p.expect(kindEqual, "behind the name of a mesh axis")
	a.Size = p.integer()
	return a
}

// deviceIDs reads ([4,2]T(1,0)) or (0,2,1,3).
func (p *parser) deviceIDs(axes []op.MeshAxis) op.Devices {
	dims := make([]int, len(axes))
	for i, a := range axes {
		dims[i] = a.Size
	}
	p.expect(kindLeftParen, "in front of device ids")
	start := p.tok.pos
	var devices op.Devices
	var err error
	if p.tok.kind == kindLeftSquare {
		if form := p.iotaForm(); p.ok() {
			devices, err = op.NewIota(dims, form.Reshape, form.Transpose)
		}
	} else if ids := p.commaInts(); p.ok() {
		devices, err = op.NewDevices(dims, ids)
	}
	if err != nil {
		p.failWith(start, err)
	}
	p.expect(kindRightParen, "behind device ids")
	return devices
}

// axes reads {'x', 'y':(1)2}.
func (p *parser) axes(m *op.Mesh) []op.AxisRef {
	return braced(p, func() op.AxisRef { return p.axis(m) })
}

// axis reads 'x', or 'x':(1)2 for a part of it. The name may be the number of the axis.
func (p *parser) axis(m *op.Mesh) op.AxisRef {
	pos := p.tok.pos
	name := ""
	part := false
	if p.tok.kind == kindString {
		name = p.quotedString()
		part = p.accept(kindColon)
	} else {
		name = p.name()
		part = p.tok.kind == kindLeftParen
	}
	i, ok := m.Axis(name)
	if !p.ok() || !ok {
		p.failAt(pos, "expects an axis of %v, got %q", m, name)
		return op.AxisRef{}
	}
	a := op.AxisRef{Name: m.Axes[i].Name}
	if part {
		p.expect(kindLeftParen, "in front of the size before a part of an axis")
		a.Pre = p.integer()
		p.expect(kindRightParen, "behind the size before a part of an axis")
		a.Size = p.integer()
	}
	return a
}

// dimSharding reads {'x', 'y'}, or {'x', ?} for one that is open.
func (p *parser) dimSharding(m *op.Mesh) op.DimSharding {
	var d op.DimSharding
	p.list(kindLeftBrace, kindRightBrace, func() {
		switch {
		case d.Open:
			p.expected("'}' behind '?'")
		case p.accept(kindQuestion):
			d.Open = true
		default:
			d.Axes = append(d.Axes, p.axis(m))
		}
	})
	return d
}

// namedSharding reads a version-3 sharding from its mesh to its closing brace.
func (p *parser) namedSharding() op.Sharding {
	start := p.tok.pos
	n := op.NamedSharding{Mesh: p.mesh()}
	var metadata []string
	if !n.Mesh.MaximalDevice.Present {
		p.accept(kindComma)
		p.dimensionsOrWord(&n)
	}
	for p.ok() && p.accept(kindComma) {
		p.namedPart(&n, &metadata)
	}
	var s op.Sharding
	if p.ok() {
		var err error
		if s, err = op.NewNamed(n); err != nil {
			p.failWith(start, err)
		}
	}
	s.Metadata = metadata
	p.expect(kindRightBrace, "behind a sharding")
	return s
}

// dimensionsOrWord reads [{'x'}, {}], or one word for all axes: replicated, unreduced, manual.
func (p *parser) dimensionsOrWord(n *op.NamedSharding) {
	switch {
	case p.acceptWord("replicated"):
	case p.acceptWord("manual"):
		n.Manual = n.Mesh.AllAxes()
	case p.acceptWord("unreduced"):
		n.Unreduced = n.Mesh.AllAxes()
	case p.tok.kind == kindAttribute && p.tok.text == "unreduced":
		p.advance()
		p.unreduced(n)
	default:
		p.list(kindLeftSquare, kindRightSquare, func() { n.Dims = append(n.Dims, p.dimSharding(&n.Mesh)) })
	}
}

func (p *parser) namedPart(n *op.NamedSharding, metadata *[]string) {
	pos := p.tok.pos
	switch name := p.attributeName(); {
	case !p.ok():
	case name == "replicated":
		n.Replicated = append(n.Replicated, p.axes(&n.Mesh)...)
	case name == "manual":
		n.Manual = append(n.Manual, p.axes(&n.Mesh)...)
	case name == "unreduced":
		p.unreduced(n)
	case name == "metadata":
		*metadata = append(*metadata, p.metadataTexts()...)
	default:
		p.failAt(pos, "expects replicated, unreduced, manual or metadata, got %q", name)
	}
}

// unreduced reads {'x'} or, with the reduction, max{'x'}; without axes it is all of them.
func (p *parser) unreduced(n *op.NamedSharding) {
	if p.tok.kind == kindIdent {
		n.UnreducedOp = p.legalWord("unreduced")
		if p.tok.kind != kindLeftBrace {
			n.Unreduced = n.Mesh.AllAxes()
			return
		}
	}
	n.Unreduced = append(n.Unreduced, p.axes(&n.Mesh)...)
}
