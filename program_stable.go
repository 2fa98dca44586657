package xla

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// stableProgram is a program of StableHLO, as it was read.
type stableProgram struct {
	module    *stablehlo.Module
	signature shape.Program

	mu       sync.Mutex
	versions map[string]*Program // made by WithShapes, by shapes
}

// parseStable reads a program of StableHLO and, if all sizes are known, lowers it.
func parseStable(name string, data []byte, form Form) (*Program, error) {
	m, err := readStable(name, data, form)
	if err != nil {
		return nil, err
	}
	s := &stableProgram{module: m, versions: map[string]*Program{}}
	if s.signature, err = lower.Signature(m, lower.Options{}); err != nil {
		return nil, err
	}
	p := &Program{form: form, stable: s}
	if unbounded(s.signature) {
		return p, nil
	}
	if p.module, err = lower.Module(m, lowering()); err != nil {
		return nil, err
	}
	return p, nil
}

// readStable reads the form.
func readStable(name string, data []byte, form Form) (*stablehlo.Module, error) {
	if form == StableHLOText {
		return mlirtext.Parse(name, string(data))
	}
	artifact, err := vhlo.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	artifact.Module.File = name
	return artifact.Module, nil
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
	o := lowering()
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
		return fmt.Errorf("xla: WithShapes: expects %d shapes, got %d", len(sig.Params), len(shapes))
	}
	for i, s := range shapes {
		if !sig.Params[i].Accepts(s) {
			return fmt.Errorf("xla: WithShapes: parameter %d: expects a shape that fits %v, got %v", i, sig.Params[i], s)
		}
	}
	return nil
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
	for _, start := range []string{"module ", "module{", "module\n", "module@", "builtin.module", "\"builtin.module\"",
		"func.func", "\"func.func\"", "#", "!", "{-#"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}
