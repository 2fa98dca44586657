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
	numbers, count, err := l.numbers(f, block)
	if err != nil {
		return p, l.errorAt(f, err)
	}
	if o.Arguments != nil {
		p.Params, p.Names = o.Parameters.Params, make([]string, count)
		for n := range p.Names {
			p.Names[n] = l.parameterName(n, nil)
		}
		for i, n := range numbers {
			if n >= 0 {
				p.Names[n] = l.parameterName(n, block.Args[i])
			}
		}
		p.Result, err = resultShape(f, true)
		return p, err
	}
	p.Params, p.Names = make([]shape.Shape, 0, count), make([]string, 0, count)
	for i, v := range block.Args {
		if numbers[i] < 0 {
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
	p.Result, err = resultShape(f, false)
	if err != nil {
		return p, l.errorAt(f, err)
	}
	return p, nil
}

// resultShape returns the shape of the only result of f, or of the tuple of them, with
// or without tokens.
func resultShape(f *stablehlo.Op, noTokens bool) (shape.Shape, error) {
	t := f.FuncType()
	if t == nil {
		return shape.MakeTuple(), nil
	}
	var types []stablehlo.Type
	for _, r := range t.Results {
		if _, isToken := r.(stablehlo.TokenType); !isToken || !noTokens {
			types = append(types, r)
		}
	}
	if len(types) == 1 {
		return shapeOf(types[0])
	}
	return tupleShape(types)
}
