package lower

import (
	"strconv"

	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// Signature returns the parameters and the result of the function that Module would
// lower, without a platform index. Sizes that are not known are shape.Unbounded.
// Errors are as those of Module.
func Signature(m *stablehlo.Module, o Options) (shape.Program, error) {
	var p shape.Program
	f, err := entry(m, o.Function)
	if err != nil {
		return p, err
	}
	l := &lowerer{opts: o, file: m.File, source: m}
	block, err := body(f)
	if err != nil {
		return p, l.errorAt(f, err)
	}
	for i, v := range block.Args {
		if isPlatformIndex(f.ArgAttrs(i)) {
			continue
		}
		s, err := shapeOf(v.Type)
		if err != nil {
			return p, l.errorAt(f, err)
		}
		name := argumentName(v)
		if name == "" {
			name = "Arg_" + strconv.Itoa(len(p.Params))
		}
		p.Params, p.Names = append(p.Params, s), append(p.Names, name)
	}
	p.Result, err = resultShape(f)
	if err != nil {
		return p, l.errorAt(f, err)
	}
	return p, nil
}

// resultShape returns the shape of the only result of f, or of the tuple of them.
func resultShape(f *stablehlo.Op) (shape.Shape, error) {
	t := f.FuncType()
	if t == nil {
		return shape.MakeTuple(), nil
	}
	if len(t.Results) == 1 {
		return shapeOf(t.Results[0])
	}
	return tupleShape(t.Results)
}
