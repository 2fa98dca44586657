package runio

import (
	"fmt"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Load reads a program. One with sizes that are not known gets those of the inputs.
func Load(path string, o Options) (*xla.Program, error) {
	prog, err := xla.Load(path)
	if err != nil || !prog.NeedsShapes() {
		return prog, err
	}
	if o.Random {
		return nil, fmt.Errorf("%s: expects arrays from --input for the sizes of its parameters, %v, got --random",
			path, prog.EntrySignature())
	}
	in, err := ReadOne(prog.EntrySignature(), o)
	if err != nil {
		return nil, err
	}
	var shapes []shape.Shape
	for _, a := range in.Args[0] {
		shapes = append(shapes, a.Shape())
	}
	return prog.WithShapes(shapes...)
}

// Warnings say why the results may not be those that the user expects.
func Warnings(prog *xla.Program) []string {
	var list []string
	if text := Elided(prog.Module()); text != "" {
		list = append(list, text+": its results are not those of the model; "+
			"have the text printed with large constants (in JAX: lowered.as_text(\"hlo\"))")
	}
	if text := Platforms(prog); text != "" {
		list = append(list, text)
	}
	if text := unheard(prog.Module()); text != "" {
		list = append(list, text)
	}
	return list
}

// unheard says which calls of the module do nothing here; "" if there is none.
func unheard(m *hlo.Module) string {
	var names []string
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if a, ok := i.Attrs().(*op.CustomCallAttrs); ok && a.IsUnheard(i.Shape()) {
				names = append(names, i.Name())
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("calls of Python that give nothing back, as of jax.debug.print, are left out (%d, such as %s)",
		len(names), names[0])
}

// Platforms says which platform runs of a program for several whose names are not known; "" if it is no
// such program.
func Platforms(prog *xla.Program) string {
	if !prog.UnnamedPlatforms() {
		return ""
	}
	return "the program is for several platforms, and only a file of jax.export has their names: what runs is the first"
}

// Elided says which constants of the module have stand-in values because the text has
// {...} for them; "" if none has.
func Elided(m *hlo.Module) string {
	var first *hlo.Instruction
	n := 0
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if a, ok := i.Attrs().(*op.ConstantAttrs); ok && a.Value.ElidedCount() > 0 {
				n++
				if first == nil {
					first = i
				}
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("the text has {...} for the values of constants (%d, such as %s %s), and stand-ins are used",
		n, first.Name(), first.Shape().StringNoLayout())
}
