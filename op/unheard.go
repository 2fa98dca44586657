package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// CallsPython reports whether a calls a function of Python, as jax.pure_callback does.
func (a *CustomCallAttrs) CallsPython() bool {
	switch a.Target {
	case "xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback", "xla_python_cpu_callback":
		return true
	}
	return false
}

// IsUnheard reports whether a calls a function of Python that gives nothing back, as jax.debug.print and
// jax.debug.callback do, if result is the shape of its result. Without a handler such calls do nothing.
func (a *CustomCallAttrs) IsUnheard(result shape.Shape) bool {
	return a.CallsPython() && !hasArray(result)
}

func hasArray(s shape.Shape) bool { return s.IsArray() || slices.ContainsFunc(s.Elems, hasArray) }
