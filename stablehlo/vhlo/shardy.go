package vhlo

import "github.com/goxla/xla/stablehlo/bytecode"

// Shardy is the dialect sdy, which says how arrays are spread over devices. JAX mixes
// it into its portable artifacts.
var Shardy = &bytecode.Dialect{Name: "sdy"}
