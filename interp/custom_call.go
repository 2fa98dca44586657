package interp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// CheckHandlers returns an error at the first custom-call of m whose target neither
// handlers nor the evaluator itself know; nil has no handlers. Calls in branches of conditionals
// are left out: many a program has those only to tell of an error, and they fail when they are reached.
func CheckHandlers(m *hlo.Module, handlers ffi.Registry) error {
	sure := make(map[*hlo.Computation]bool)
	markSure(m.Entry(), sure)
	for _, f := range m.Computations() {
		if !sure[f] {
			continue
		}
		for _, n := range f.Instructions() {
			a, ok := n.Attrs().(*op.CustomCallAttrs)
			if !ok || knownCall(n, a) != nil {
				continue
			}
			if handlers != nil {
				if _, ok := handlers.Lookup(a.Target); ok {
					continue
				}
			}
			return n.Errorf("custom_call_target", "", "expects a handler for %q, got none%s", a.Target, origin(n))
		}
	}
	return nil
}

// markSure marks f and what it calls, but for branches of conditionals.
func markSure(f *hlo.Computation, sure map[*hlo.Computation]bool) {
	if sure[f] {
		return
	}
	sure[f] = true
	for _, n := range f.Instructions() {
		if n.Code() == op.Conditional {
			continue
		}
		for _, g := range n.Called() {
			markSure(g, sure)
		}
	}
}

// origin says where in the user's program n comes from; "" if that is not known.
func origin(n *hlo.Instruction) string {
	m := n.Metadata
	switch {
	case m == nil || m.OpName == "" && m.SourceFile == "":
		return ""
	case m.SourceFile == "":
		return ", at " + m.OpName
	case m.OpName == "":
		return fmt.Sprintf(", at %s:%d", m.SourceFile, m.SourceLine)
	}
	return fmt.Sprintf(", at %s (%s:%d)", m.OpName, m.SourceFile, m.SourceLine)
}

// evalCustomCall calls the handler of the target, or what the target means in XLA's
// own programs.
func evalCustomCall(c *call) (literal.Literal, error) {
	a := attrs[*op.CustomCallAttrs](c)
	if c.in.opts.Handlers != nil {
		if h, ok := c.in.opts.Handlers.Lookup(a.Target); ok {
			return c.callHandler(h, a)
		}
	}
	if known := knownCall(c.n, a); known != nil {
		return known(c)
	}
	hint := ""
	if a.CallsPython() {
		hint = " (a check of the program that fails calls Python so)"
	}
	return literal.Literal{}, fmt.Errorf("expects a handler for %q, got none%s%s", a.Target, hint, origin(c.n))
}

func (c *call) callHandler(h ffi.Handler, a *op.CustomCallAttrs) (literal.Literal, error) {
	c.in.show(c.args)
	_, rowMajor := h.(ffi.RowMajor)
	fc, err := c.ffiCall(a, rowMajor)
	if err != nil {
		return literal.Literal{}, err
	}
	if err := ffi.Invoke(c.in.ctx, h, fc); err != nil {
		return literal.Literal{}, err
	}
	var arrays []literal.Literal
	for _, r := range fc.Results {
		if r.Shape().IsArray() {
			arrays = append(arrays, r.RowMajor())
		}
	}
	v, _ := packLeaves(fc.Shape, arrays)
	return v, nil
}

// CustomCalls keeps what is known of the custom calls of a program before it runs, for all its runs. The zero value has
// nothing yet. It is safe for concurrent use.
type CustomCalls struct{ forms sync.Map } // *callForm by formKey

// formKey is a custom call, whose handler may want row-major order.
type formKey struct {
	call     *hlo.Instruction
	rowMajor bool
}

// callForm is what does not change from one call of an instruction to the next.
type callForm struct {
	version    ffi.Version
	attributes ffi.Dict
	shape      shape.Shape   // of the result
	leaves     []shape.Shape // its arrays, as they are made
}

// formOf returns the form of custom call n, in row-major order or as a has it.
func (c *CustomCalls) formOf(n *hlo.Instruction, a *op.CustomCallAttrs, rowMajor bool) (*callForm, error) {
	if c != nil {
		if f, ok := c.forms.Load(formKey{n, rowMajor}); ok {
			return f.(*callForm), nil
		}
	}
	version, err := ffi.ParseVersion(string(a.APIVersion))
	if err != nil {
		return nil, err
	}
	f := &callForm{version: version, shape: n.Shape()}
	if f.attributes, err = ffi.ParseAttributes(n.BackendConfig); err != nil && version == ffi.TypedFFI {
		return nil, fmt.Errorf("backend_config: %w", err)
	}
	if a.OperandLayouts == nil || rowMajor {
		f.shape = dropLayout(f.shape)
	}
	for _, s := range resultLeaves(nil, f.shape) {
		f.leaves = append(f.leaves, s.Static())
	}
	if c != nil {
		c.forms.Store(formKey{n, rowMajor}, f)
	}
	return f, nil
}

// ffiCall describes the call to a handler, in row-major order or as a has it.
func (c *call) ffiCall(a *op.CustomCallAttrs, rowMajor bool) (*ffi.Call, error) {
	f, err := c.in.opts.Calls.formOf(c.n, a, rowMajor)
	if err != nil {
		return nil, err
	}
	fc := &ffi.Call{Target: a.Target, Version: f.version, Operands: slices.Clone(c.args), Shape: f.shape,
		Config: c.n.BackendConfig, Attributes: f.attributes, Literal: a.Literal, Device: c.in.opts.Device.number()}
	if a.OperandLayouts != nil && !rowMajor {
		if err := relayout(fc.Operands, a.OperandLayouts.Shapes); err != nil {
			return nil, err
		}
	}
	if err := c.in.memory.reserve(c.n, fc.Shape.Static(), 0); err != nil {
		return nil, err
	}
	fc.Results = make([]literal.Literal, len(f.leaves))
	for k, s := range f.leaves {
		fc.Results[k] = literal.New(s)
	}
	if !rowMajor {
		if err := c.addAliases(fc, a.Aliasing); err != nil {
			return nil, err
		}
	}
	for _, f := range c.n.Called() {
		fc.Computations = append(fc.Computations, func(args ...literal.Literal) (literal.Literal, error) {
			return c.in.applyBorrowed(f, args)
		})
	}
	return fc, nil
}

// relayout gives operands the layouts of shapes.
func relayout(operands []literal.Literal, shapes []shape.Shape) error {
	for k, x := range operands {
		if k >= len(shapes) {
			return fmt.Errorf("operand_layout_constraints: expects %d entries, got %d", len(operands), len(shapes))
		}
		operands[k] = inLayoutOf(x, shapes[k])
	}
	return nil
}

func inLayoutOf(x literal.Literal, s shape.Shape) literal.Literal {
	switch {
	case s.IsArray():
		return x.Relayout(orderOnly(s.Layout))
	case !s.IsTuple():
		return x
	}
	elems := slices.Clone(x.Elems())
	for i := range elems {
		elems[i] = inLayoutOf(elems[i], s.Elems[i])
	}
	return literal.MakeTuple(elems...)
}

// resultLeaves appends the shapes of the arrays and tokens in s, with no more of a
// layout than the order.
func resultLeaves(list []shape.Shape, s shape.Shape) []shape.Shape {
	if s.IsTuple() {
		for _, e := range s.Elems {
			list = resultLeaves(list, e)
		}
		return list
	}
	if s.IsArray() {
		s = s.WithLayout(orderOnly(s.Layout))
	}
	return append(list, s)
}

// addAliases fills the results that share memory with operands.
func (c *call) addAliases(fc *ffi.Call, aliases []op.OutputAliasing) error {
	for _, a := range aliases {
		from := fc.Operands[a.Operand]
		for _, i := range a.OperandIndex {
			from = from.Elems()[i]
		}
		first, part := 0, fc.Shape
		for _, i := range a.OutputIndex {
			for _, before := range part.Elems[:i] {
				first += len(resultLeaves(nil, before))
			}
			part = part.Elems[i]
		}
		for k, x := range leavesOf(nil, from) {
			if err := literal.Copy(fc.Results[first+k], x); err != nil {
				return err
			}
		}
		fc.Aliases = append(fc.Aliases, ffi.Alias{Result: first, Operand: a.Operand, Index: a.OperandIndex})
	}
	return nil
}
