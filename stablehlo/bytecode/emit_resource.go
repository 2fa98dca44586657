package bytecode

import (
	"bytes"

	"github.com/goxla/xla/stablehlo"
)

// appendResources appends the section with the resources and the one with their keys.
// The blobs stand aligned in the file, from which a reader takes views of them.
func (w *writer) appendResources(dst []byte) []byte {
	if len(w.module.Resources) == 0 {
		return dst
	}
	groups := map[string][]stablehlo.Resource{}
	var owners []string
	for _, r := range w.module.Resources {
		key := r.Section + "\x00" + r.Owner
		if groups[key] == nil {
			owners = append(owners, key)
		}
		groups[key] = append(groups[key], r)
	}
	var external, dialect []byte
	numExternal := 0
	e := resourceEmitter{w: w}
	for _, section := range []string{"external_resources", "dialect_resources"} {
		for _, key := range owners {
			group := groups[key]
			if group[0].Section != section {
				continue
			}
			if section == "external_resources" {
				numExternal++
				external = e.group(appendVarint(external, uint64(w.str(group[0].Owner))), group)
			} else {
				dialect = e.group(appendVarint(dialect, uint64(w.dialect(group[0].Owner))), group)
			}
		}
	}
	offsets := append(appendVarint(nil, uint64(numExternal)), append(external, dialect...)...)
	dst = appendSection(dst, sectionResourceOffset, offsets)
	return e.section(dst)
}

// resourceEmitter collects the data of resources.
type resourceEmitter struct {
	w    *writer
	data []byte
	max  int // the largest alignment
}

// group appends the keys, sizes and kinds of one owner's resources.
func (e *resourceEmitter) group(dst []byte, group []stablehlo.Resource) []byte {
	dst = appendVarint(dst, uint64(len(group)))
	for _, r := range group {
		from := len(e.data)
		kind := byte(resourceBlob)
		switch {
		case r.Data != nil || r.Text == "":
			e.blob(r)
		case r.Text == "true" || r.Text == "false":
			kind = resourceBool
			e.data = append(e.data, byte(len("false")-len(r.Text)))
		default:
			kind = resourceString
			text := bytes.Trim([]byte(r.Text), `"`)
			e.data = appendVarint(e.data, uint64(e.w.str(string(text))))
		}
		dst = appendVarint(dst, uint64(e.w.str(r.Key)))
		dst = append(appendVarint(dst, uint64(len(e.data)-from)), kind)
	}
	return dst
}

// blob appends alignment, size, padding and bytes. The section itself stands at the
// largest alignment, so that a place in it has the alignment of the place in the file.
func (e *resourceEmitter) blob(r stablehlo.Resource) {
	align := max(r.Align, 1)
	e.max = max(e.max, align)
	e.data = appendVarint(e.data, uint64(align))
	e.data = appendVarint(e.data, uint64(len(r.Data)))
	for len(e.data)%align != 0 {
		e.data = append(e.data, paddingByte)
	}
	e.data = append(e.data, r.Data...)
}

// section appends the section at its alignment.
func (e *resourceEmitter) section(dst []byte) []byte {
	align := max(e.max, 1)
	dst = append(dst, byte(sectionResource)|0x80)
	dst = appendVarint(dst, uint64(len(e.data)))
	dst = appendVarint(dst, uint64(align))
	for len(dst)%align != 0 {
		dst = append(dst, paddingByte)
	}
	return append(dst, e.data...)
}
