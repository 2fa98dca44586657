package raise

import (
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// parseAttribute reads an attribute in MLIR's form, nil where text is none. It is read
// as that of an empty module, so text that goes on behind the attribute shows.
func parseAttribute(text string) stablehlo.Attribute {
	const name = "raise.attribute"
	m, err := mlirtext.Parse("attribute", "module attributes {"+name+" = "+text+"} {\n}")
	if err != nil || len(m.Op.Attrs) != 1 || len(m.Body().Ops) > 0 || len(m.Op.Props) > 0 {
		return nil
	}
	return m.Op.Attr(name)
}
