package raise

import (
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// parseAttribute reads an attribute in MLIR's form, nil where text is none.
func parseAttribute(text string) stablehlo.Attribute {
	a, err := mlirtext.ParseAttribute(text)
	if err != nil {
		return nil
	}
	return a
}
