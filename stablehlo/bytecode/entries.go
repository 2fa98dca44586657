package bytecode

import (
	"errors"
	"strings"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// readAttr reads an entry of the table of attributes.
func (r *reader) readAttr(d *Decoder, e *entry) {
	if !e.custom {
		e.attr = parseOpaqueAttr(d, d.text())
		return
	}
	e.attr = readEntry(r, d, e, "attribute", func(l *Dialect) []func(*Decoder) stablehlo.Attribute { return l.Attrs })
}

// readType reads an entry of the table of types.
func (r *reader) readType(d *Decoder, e *entry) {
	if !e.custom {
		e.typ = parseOpaqueType(d, d.text())
		return
	}
	e.typ = readEntry(r, d, e, "type", func(l *Dialect) []func(*Decoder) stablehlo.Type { return l.Types })
}

// readEntry reads a code and what follows it, by the readers of the entry's dialect.
func readEntry[T comparable](r *reader, d *Decoder, e *entry, what string,
	readers func(*Dialect) []func(*Decoder) T) T {
	var none T
	name := r.names[e.dialect]
	dialect := r.dialects.find(name)
	at := d.pos
	code := d.varint()
	if d.err != nil {
		return none
	}
	if dialect == nil || code >= uint64(len(readers(dialect))) || readers(dialect)[code] == nil {
		d.failAt(at, "%s of dialect %s: unknown code %d", what, name, code)
		return none
	}
	value := readers(dialect)[code](d)
	if d.err == nil && value == none {
		d.failAt(at, "%s of dialect %s with code %d is not valid", what, name, code)
	}
	return value
}

// parseOpaqueAttr reads an attribute that stands as MLIR's text: most are of dialects
// that have no other form.
func parseOpaqueAttr(d *Decoder, text string) stablehlo.Attribute {
	if body, ok := strings.CutPrefix(text, identityMap+"<"); ok {
		body, ok = strings.CutSuffix(body, ">")
		if !ok && d.err == nil {
			d.fail("attribute as text: expected %s<...>, got %q", identityMap, text)
		}
		return stablehlo.OpaqueAttr{Dialect: identityMap, Body: body, Angle: true}
	}
	a, err := mlirtext.ParseAttribute(text)
	if err != nil {
		d.failText("attribute", text, err)
		return nil
	}
	return a
}

// parseOpaqueType reads a type that stands as MLIR's text.
func parseOpaqueType(d *Decoder, text string) stablehlo.Type {
	t, err := mlirtext.ParseType(text)
	if err != nil {
		d.failText("type", text, err)
		return nil
	}
	return t
}

// failText records that a text, which was just read, is not what it should be.
func (d *Decoder) failText(what, text string, err error) {
	msg := err.Error()
	if e, ok := errors.AsType[*stablehlo.Error](err); ok {
		msg = e.Err.Error()
	}
	d.fail("%s as text: %s in %q", what, msg, text[:min(len(text), 100)])
}
