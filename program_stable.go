package xla

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"unicode"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/jaxexport"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// stableProgram is a program of StableHLO, as it was read.
type stableProgram struct {
	module    *stablehlo.Module
	options   lower.Options
	signature shape.Program
	exported  *jaxexport.Exported // of a file of jax.export

	mu       sync.Mutex
	versions map[string]*Program // made by WithShapes, by shapes
}

// parseStable reads a program of StableHLO and, if all sizes are known, lowers it.
func parseStable(name string, data []byte, form Form) (*Program, error) {
	s := &stableProgram{options: lowering(), versions: map[string]*Program{}}
	if err := s.read(name, data, form); err != nil {
		return nil, err
	}
	err := verify.Module(s.module)
	if err != nil {
		return nil, err
	}
	if s.signature, err = lower.Signature(s.module, s.options); err != nil {
		return nil, err
	}
	p := &Program{form: form, stable: s}
	if unbounded(s.signature) {
		return p, nil
	}
	p.module, err = lower.Module(s.module, s.options)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// read reads the form.
func (s *stableProgram) read(name string, data []byte, form Form) (err error) {
	if form == StableHLOText {
		s.module, err = mlirtext.Parse(name, string(data))
		return err
	}
	read := func() (*vhlo.Artifact, error) { return vhlo.Read(data) }
	if form == JAXExport {
		if s.exported, err = jaxexport.Read(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		read = s.exported.Module
	}
	artifact, err := read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.module = artifact.Module
	s.module.File = name
	if s.exported != nil {
		return s.exportOptions()
	}
	return nil
}

// exportOptions sets what a file of jax.export says of the arguments: the leaves of the
// function's arguments are the parameters, also those that the module has no use for.
func (s *stableProgram) exportOptions() error {
	args, err := s.exported.MainArgs(s.module)
	if err != nil {
		return fmt.Errorf("%s: %w", s.module.File, err)
	}
	s.options.Arguments = []int{}
	for _, a := range args {
		switch a.Kind {
		case jaxexport.InputArg:
			s.options.Arguments = append(s.options.Arguments, a.Leaf)
		case jaxexport.DimensionArg:
			return fmt.Errorf("%s: expects dimension variables that follow from the inputs, got %s as an argument",
				s.module.File, a.Name)
		default:
			s.options.Arguments = append(s.options.Arguments, -1)
		}
	}
	for i, a := range s.exported.In {
		s.options.Parameters.Params = append(s.options.Parameters.Params, avalShape(a))
		s.options.Parameters.Names = append(s.options.Parameters.Names, s.exported.InputPaths()[i])
	}
	s.options.Platform = max(0, slices.Index(s.exported.Platforms, "cpu"))
	return nil
}

// avalShape returns the shape of an argument; sizes that are expressions are unbounded.
func avalShape(a jaxexport.Aval) shape.Shape {
	dims, dynamic := make([]int, len(a.Dims)), make([]bool, len(a.Dims))
	for i, d := range a.Dims {
		n, ok := d.Static()
		dims[i], dynamic[i] = int(n), false
		if !ok {
			dims[i], dynamic[i] = shape.Unbounded, true
		}
	}
	if a.KeySize > 0 {
		dims, dynamic = append(dims, a.KeySize), append(dynamic, false)
	}
	elem := a.Elem
	if elem == shape.Invalid {
		elem = shape.Pred // float0 has no elements that mean anything
	}
	return shape.MakeDynamic(elem, dims, dynamic)
}

// lowering returns the options of lowering: the evaluator computes shapes.
func lowering() lower.Options {
	in := interp.New(context.Background(), interp.Options{})
	return lower.Options{Eval: func(i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
		return in.Instruction(i, operands)
	}}
}

func unbounded(p shape.Program) bool {
	for _, s := range p.Params {
		if s.HasUnbounded() {
			return true
		}
	}
	return false
}

// NeedsShapes reports whether parameters of the program have sizes that are not known,
// so that it runs only through WithShapes.
func (p *Program) NeedsShapes() bool { return p.stable != nil && p.module == nil }

// Exported returns what a file of jax.export says of its function: names and structure of
// arguments and results, platforms, devices; nil for a program of another form.
func (p *Program) Exported() *jaxexport.Exported {
	if p.stable == nil {
		return nil
	}
	return p.stable.exported
}

// UnnamedPlatforms reports whether the program is for several platforms whose names are not known, as those of
// a file of jax.export are. What runs is the first of them.
func (p *Program) UnnamedPlatforms() bool {
	return p.stable != nil && p.stable.exported == nil && lower.TakesPlatform(p.stable.module)
}

// StableHLO returns the program as it was read where it is one of StableHLO, nil otherwise.
// It is not to be changed.
func (p *Program) StableHLO() *stablehlo.Module {
	if p.stable == nil {
		return nil
	}
	return p.stable.module
}

// WithShapes returns the program for parameters of the given shapes, which must fit
// EntrySignature. Each version is made once. It fails if a shape does not fit, or if
// the program's own assertions on sizes do not hold; the error is of type *Error.
func (p *Program) WithShapes(shapes ...shape.Shape) (prog *Program, err error) {
	if !p.NeedsShapes() {
		return p, checkShapes(p.EntrySignature(), shapes)
	}
	if err := checkShapes(p.stable.signature, shapes); err != nil {
		return nil, err
	}
	defer recoverError(&err, nil)
	p.stable.mu.Lock()
	defer p.stable.mu.Unlock()
	key := shape.MakeTuple(shapes...).String()
	if made := p.stable.versions[key]; made != nil {
		return made, nil
	}
	o := p.stable.options
	o.Shapes = shapes
	m, err := lower.Module(p.stable.module, o)
	if err != nil {
		return nil, err
	}
	made := &Program{module: m, form: p.form, verified: true, stable: p.stable}
	p.stable.versions[key] = made
	return made, nil
}

// checkShapes checks that shapes fit the parameters.
func checkShapes(sig shape.Program, shapes []shape.Shape) error {
	if len(shapes) != len(sig.Params) {
		return fmt.Errorf("xla: the program is %v%s: expects the shapes of %d arguments, got %d", sig, anySize(sig),
			len(sig.Params), len(shapes))
	}
	for i, s := range shapes {
		if !sig.Params[i].Accepts(s) {
			return fmt.Errorf("xla: the program is %v%s: parameter %d: expects a shape that fits %s, got %s", sig, anySize(sig),
				i, sig.Params[i].StringNoLayout(), s.StringNoLayout())
		}
	}
	return nil
}

// anySize explains the sizes in sig that are not known.
func anySize(sig shape.Program) string {
	if !unbounded(sig) {
		return ""
	}
	return " (a ? is a size that the arguments give)"
}

// needsShapes is the error of what a program of unknown sizes has only for shapes that are given.
func needsShapes(sig shape.Program) error {
	return fmt.Errorf("xla: the program is %v%s: expects the executable that Executable.ForShapes returns for the "+
		"shapes of the buffers", sig, anySize(sig))
}

// looksLikeMLIR reports whether text begins as MLIR does: with a module, a function or
// the definition of an alias, behind comments.
func looksLikeMLIR(data []byte) bool {
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		if !bytes.HasPrefix(data, []byte("//")) {
			break
		}
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return false
		}
		data = data[end:]
	}
	if len(data) > 1 && (data[0] == '#' || data[0] == '!') { // no heading, no interpreter
		return data[1] == '_' || unicode.IsLetter(rune(data[1]))
	}
	for _, start := range []string{"module ", "module{", "module\n", "module@", "builtin.module", "\"builtin.module\"",
		"func.func", "\"func.func\"", "{-#"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}
