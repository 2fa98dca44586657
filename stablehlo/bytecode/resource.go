package bytecode

import (
	"strconv"

	"github.com/goxla/xla/stablehlo"
)

// readResources reads the blobs of tools and dialects: their keys and sizes stand in
// one section, their data in another.
func (r *reader) readResources(c *cursor) {
	data := r.sections[sectionResource]
	if !r.present[sectionResource] { // it is empty, at the end of the file
		data = cursor{data: r.data, pos: len(r.data), end: len(r.data), section: sectionResource.String()}
	}
	n := c.count("groups of resources", 1)
	for i := 0; i < n && c.err == nil; i++ {
		r.readResourceGroup(c, &data, "external_resources", r.str(c))
	}
	for c.err == nil && c.left() > 0 {
		dialect := c.index("dialect", len(r.names))
		if c.err == nil {
			r.readResourceGroup(c, &data, "dialect_resources", r.names[dialect])
		}
	}
}

// readResourceGroup reads the resources of one owner.
func (r *reader) readResourceGroup(c, data *cursor, section, owner string) {
	n := c.count("resources", 3)
	for i := 0; i < n && c.err == nil; i++ {
		key := r.str(c)
		size := c.varint()
		kind := c.byte()
		if c.err != nil {
			return
		}
		if section == "dialect_resources" {
			r.resources = append(r.resources, key)
		}
		if size == 0 {
			continue // declared, but left out
		}
		body := data.sub(size, sectionResource.String())
		res := stablehlo.Resource{Section: section, Owner: owner, Key: key}
		r.readResource(&body, kind, &res)
		body.done()
		if body.err != nil {
			c.err, c.pos = body.err, c.end
			return
		}
		r.module.Resources = append(r.module.Resources, res)
	}
}

// readResource reads the value of a resource.
func (r *reader) readResource(c *cursor, kind byte, res *stablehlo.Resource) {
	switch kind {
	case resourceBlob:
		align := c.varint()
		size := c.varint()
		c.align(align)
		res.Align = int(align)
		res.Data = c.bytes(size)
	case resourceBool:
		res.Text = strconv.FormatBool(c.byte() != 0)
	case resourceString:
		res.Text = string(stablehlo.AppendQuoted(nil, r.str(c)))
	default:
		c.fail("resource %s: unknown kind %d", res.Key, kind)
	}
}
