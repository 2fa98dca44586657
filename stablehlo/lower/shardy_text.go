package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// shardyList reads sharding<..> or sharding_per_value<[<..>, <..>]>.
func (l *lowerer) shardyList(text string) ([]op.Sharding, error) {
	p := &shardyReader{l: l, text: text}
	p.take("sharding_per_value")
	p.take("sharding")
	var all []op.Sharding
	if p.take("<[") {
		for !p.take("]>") && p.err == nil {
			all = append(all, p.sharding())
			p.take(",")
		}
	} else {
		all = append(all, p.sharding())
	}
	if p.err == nil && p.text != "" {
		p.fail("the end")
	}
	return all, p.err
}

// shardyReader reads the text of Shardy's attributes.
type shardyReader struct {
	l    *lowerer
	text string
	err  error
}

// take removes a word in front of the text if it is there.
func (p *shardyReader) take(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.text, " "), word)
	if ok && p.err == nil {
		p.text = strings.TrimLeft(rest, " ")
	}
	return ok && p.err == nil
}

func (p *shardyReader) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("sdy.sharding: expected %s, got %.40q", want, p.text)
	}
}

func (p *shardyReader) expect(word string) {
	if !p.take(word) {
		p.fail(strconv.Quote(word))
	}
}

// until takes the text in front of any of the characters.
func (p *shardyReader) until(stop string) string {
	i := strings.IndexAny(p.text, stop)
	if i < 0 || p.err != nil {
		p.fail("one of " + stop)
		return ""
	}
	part := p.text[:i]
	p.text = p.text[i:]
	return strings.TrimSpace(part)
}

// sharding reads <@mesh, [{"x"}, {}], replicated={"y"}> and makes tiles of it.
func (p *shardyReader) sharding() op.Sharding {
	n := op.NamedSharding{}
	p.expect("<")
	if p.take("@") {
		name := strings.Trim(p.until(",>"), `"`)
		n.Mesh = p.mesh(p.l.source.Op.FindSymbol(name))
	} else {
		p.fail("the name of a mesh")
	}
	p.expect(",")
	p.expect("[")
	for !p.take("]") && p.err == nil {
		n.Dims = append(n.Dims, p.dimension())
		p.take(",")
	}
	for p.take(",") {
		switch {
		case p.take("replicated="):
			n.Replicated = p.axes()
		case p.take("unreduced="):
			n.Unreduced = p.axes()
		default:
			p.fail("replicated or unreduced")
		}
	}
	p.expect(">")
	return p.tiled(n)
}

// tiled checks n and returns its tiles.
func (p *shardyReader) tiled(n op.NamedSharding) op.Sharding {
	if p.err != nil {
		return op.Sharding{}
	}
	s, err := op.NewNamed(n)
	if err == nil {
		s, err = s.Tiled()
	}
	if err != nil {
		p.err = fmt.Errorf("sdy.sharding: %w", err)
	}
	return s
}

// dimension reads {"x", "y"}, with a question mark where axes may be added; a priority is left out.
func (p *shardyReader) dimension() op.DimSharding {
	d := op.DimSharding{}
	d.Axes, d.Open = p.axisList()
	if p.take("p") {
		p.until(",]")
	}
	return d
}

func (p *shardyReader) axes() []op.AxisRef {
	list, _ := p.axisList()
	return list
}

func (p *shardyReader) axisList() (list []op.AxisRef, open bool) {
	p.expect("{")
	for !p.take("}") && p.err == nil {
		if p.take("?") {
			open = true
			continue
		}
		list = append(list, p.axis())
		p.take(",")
	}
	return list, open
}

// axis reads "x", or "x":(2)4 for a part of an axis.
func (p *shardyReader) axis() op.AxisRef {
	p.expect(`"`)
	a := op.AxisRef{Name: p.until(`"`)}
	p.expect(`"`)
	if p.take(":(") {
		a.Pre = p.number(p.until(")"))
		p.expect(")")
		a.Size = p.number(p.until(",} "))
	}
	return a
}

func (p *shardyReader) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		p.fail("a number")
	}
	return n
}

// mesh reads the mesh that an operation sdy.mesh holds: mesh<["x"=2, "y"=4], device_ids=[3, 2, ..]>.
func (p *shardyReader) mesh(o *stablehlo.Op) op.Mesh {
	var a stablehlo.OpaqueAttr
	if o != nil {
		a, _ = o.Attr("mesh").(stablehlo.OpaqueAttr)
	}
	in := &shardyReader{text: a.Body, err: p.err}
	in.take("mesh")
	in.expect("<")
	in.expect("[")
	var axes []op.MeshAxis
	sizes, total := []int{}, 1
	for !in.take("]") && in.err == nil {
		in.expect(`"`)
		axis := op.MeshAxis{Name: in.until(`"`)}
		in.expect(`"=`)
		axis.Size = in.number(in.until(",]"))
		in.take(",")
		axes = append(axes, axis)
		sizes, total = append(sizes, axis.Size), total*axis.Size
	}
	m, err := op.Mesh{}, in.err
	if err == nil {
		var devices op.Devices
		if devices, err = in.devices(sizes, total); err == nil {
			m, err = op.NewMesh(axes, devices)
		}
	}
	if p.err == nil {
		p.err = err
	}
	return m
}

// devices reads the order of devices, which is theirs if none is written.
func (p *shardyReader) devices(sizes []int, total int) (op.Devices, error) {
	if !p.take(",") {
		return op.NewIota(sizes, []int{total}, nil)
	}
	p.expect("device_ids=[")
	var ids []int
	for !p.take("]") && p.err == nil {
		ids = append(ids, p.number(p.until(",]")))
		p.take(",")
	}
	if p.err != nil {
		return op.Devices{}, p.err
	}
	return op.NewDevices(sizes, ids)
}
