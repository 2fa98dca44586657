package mlirtext

import "github.com/goxla/xla/stablehlo"

// ParseAttribute reads text that is one attribute without aliases: {a = 1 : i32}, "b" or
// #stablehlo<precision HIGH>. It fails with a *stablehlo.Error.
func ParseAttribute(text string) (stablehlo.Attribute, error) {
	p := newParser("", text, 0)
	a, err := p.parseAttribute()
	return a, p.whole(err)
}

// ParseType reads text that is one type without aliases. It fails with a *stablehlo.Error.
func ParseType(text string) (stablehlo.Type, error) {
	p := newParser("", text, 0)
	t, err := p.parseType()
	return t, p.whole(err)
}

// whole returns err, or an error if text is left over or a location names an alias.
func (p *parser) whole(err error) error {
	switch {
	case err != nil:
		return err
	case !p.atEnd():
		return p.expected("the end")
	}
	return p.resolveLocations()
}
