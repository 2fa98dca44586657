package mlirtext

import (
	"encoding/binary"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// parseResources reads what follows {-#: the sections, up to #-}.
//
//	{-# dialect_resources: { builtin: { key: "0x04000000FF..." } } #-}
func (p *parser) parseResources() error {
	return p.list("#-}", func() error {
		pos := p.place()
		section := p.keep(p.word())
		if section != "dialect_resources" && section != "external_resources" {
			return p.errorAt(pos, "expected dialect_resources or external_resources, got %q", section)
		}
		return p.braced(func() error {
			owner, err := p.resourceKey()
			if err != nil {
				return err
			}
			return p.braced(func() error { return p.parseResource(section, owner) })
		})
	})
}

// braced reads : { elements }.
func (p *parser) braced(read func() error) error {
	if err := p.expect(":"); err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	return p.list("}", read)
}

// resourceKey reads a name, with quotes or without.
func (p *parser) resourceKey() (string, error) {
	if p.peek() == '"' {
		return p.stringValue()
	}
	p.space()
	if key := p.suffix(); key != "" {
		return p.keep(key), nil
	}
	return "", p.expected("the name of a resource")
}

// alignBytes is how many bytes before a blob give its alignment.
const alignBytes = 4

// parseResource reads key: value, where the value of a blob is "0x" with its alignment
// before its bytes.
func (p *parser) parseResource(section, owner string) error {
	key, err := p.resourceKey()
	if err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	r := stablehlo.Resource{Section: section, Owner: owner, Key: key}
	switch {
	case p.accept("true"):
		r.Text = "true"
	case p.accept("false"):
		r.Text = "false"
	default:
		pos := p.place()
		value, ok, err := p.quoted()
		if err != nil {
			return err
		}
		if !ok {
			return p.expected("a string, true or false")
		}
		if digits, blob := strings.CutPrefix(value, "0x"); blob {
			data, ok := decodeHex(digits)
			if !ok || len(data) < alignBytes {
				return p.errorAt(pos, "expected pairs of hexadecimal digits, 4 or more, after 0x")
			}
			r.Align = int(binary.LittleEndian.Uint32(data))
			r.Data = data[alignBytes:]
		} else {
			r.Text = string(stablehlo.AppendQuoted(nil, value))
		}
	}
	p.module.Resources = append(p.module.Resources, r)
	return nil
}
