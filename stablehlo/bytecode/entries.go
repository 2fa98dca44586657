package bytecode

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// readAttr reads an entry of the table of attributes.
func (r *reader) readAttr(d *Decoder, e *entry) {
	name := r.names[e.dialect]
	if !e.custom {
		e.attr = parseOpaqueAttr(d, d.text())
		return
	}
	dialect := r.dialects.find(name)
	at := d.pos
	code := d.varint()
	if d.err != nil {
		return
	}
	if dialect == nil || code >= uint64(len(dialect.Attrs)) || dialect.Attrs[code] == nil {
		d.failAt(at, "attribute of dialect %s: unknown code %d", name, code)
		return
	}
	e.attr = dialect.Attrs[code](d)
	if d.err == nil && e.attr == nil {
		d.failAt(at, "attribute of dialect %s with code %d is not valid", name, code)
	}
}

// readType reads an entry of the table of types.
func (r *reader) readType(d *Decoder, e *entry) {
	name := r.names[e.dialect]
	if !e.custom {
		e.typ = parseOpaqueType(d, d.text())
		return
	}
	dialect := r.dialects.find(name)
	at := d.pos
	code := d.varint()
	if d.err != nil {
		return
	}
	if dialect == nil || code >= uint64(len(dialect.Types)) || dialect.Types[code] == nil {
		d.failAt(at, "type of dialect %s: unknown code %d", name, code)
		return
	}
	e.typ = dialect.Types[code](d)
	if d.err == nil && e.typ == nil {
		d.failAt(at, "type of dialect %s with code %d is not valid", name, code)
	}
}

// parseOpaqueAttr reads "#dialect.body" or "#dialect<body>".
func parseOpaqueAttr(d *Decoder, text string) stablehlo.Attribute {
	if strings.HasPrefix(text, identityMap+"<") {
		text = "#" + text
	}
	dialect, body, angle, ok := splitOpaque(text, '#')
	if !ok {
		if d.err == nil {
			d.fail("attribute as text: expected #dialect..., got %q", text)
		}
		return nil
	}
	return stablehlo.OpaqueAttr{Dialect: dialect, Body: body, Angle: angle}
}

// parseOpaqueType reads "!dialect.body", "!dialect<body>" or the name of a format of
// numbers.
func parseOpaqueType(d *Decoder, text string) stablehlo.Type {
	if f, ok := stablehlo.ParseFloatType(text); ok {
		return f
	}
	dialect, body, angle, ok := splitOpaque(text, '!')
	if !ok {
		if d.err == nil {
			d.fail("type as text: expected !dialect..., got %q", text)
		}
		return nil
	}
	return stablehlo.OpaqueType{Dialect: dialect, Body: body, Angle: angle}
}

// splitOpaque takes the text of an attribute or type of some dialect apart.
func splitOpaque(text string, sigil byte) (dialect, body string, angle, ok bool) {
	if text == "" || text[0] != sigil {
		return "", "", false, false
	}
	end := strings.IndexAny(text, ".<")
	if end <= 1 || end == len(text)-1 {
		return "", "", false, false
	}
	dialect, body = text[1:end], text[end+1:]
	if text[end] == '.' {
		return dialect, body, false, true
	}
	body, ok = strings.CutSuffix(body, ">")
	return dialect, body, true, ok
}
