package builder

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Builder adds instructions to one computation of a module: to the entry computation
// where it comes from New, to another one where it comes from SubBuilder or belongs to the
// parameters of a Go function. It is not safe for concurrent use.
type Builder struct {
	s    *session
	comp *hlo.Computation
	// closed: the computation is finished.
	closed bool
	// infeed and outfeed are the tokens of the last infeed and outfeed, which order the next ones.
	infeed, outfeed Op
}

// session is what the builders of one module share.
type session struct {
	module *hlo.Module
	opts   Options
	err    error
	// metadata is that of the last instruction, shared with the next one of the same line.
	metadata *hlo.Metadata
	// at is what At has set, nil before.
	at *place
}

// Options are what a module is made with. The zero value is for one device.
type Options struct {
	// Replicas and Partitions are the counts of the module; 0 means not told. Checks of
	// replica groups against them are made where they are told.
	Replicas, Partitions int
	// NoMetadata leaves source_file and source_line out of the instructions' metadata. Errors name
	// file and line all the same.
	NoMetadata bool
}

// New returns a builder of the entry computation of a new module called name.
func New(name string) *Builder { return NewWith(name, Options{}) }

// NewWith is New with options.
func NewWith(name string, o Options) *Builder {
	m := hlo.NewModule(name)
	m.Replicas, m.Partitions = o.Replicas, o.Partitions
	s := &session{module: m, opts: o}
	b := &Builder{s: s, comp: m.AddComputation("main")}
	m.SetEntry(b.comp)
	return b
}

// Err returns the first error so far, an *op.Error, or nil.
func (b *Builder) Err() error {
	if b == nil {
		return errors.New("no builder: the value it was taken from is invalid")
	}
	return b.s.err
}

// Build finishes the module, makes root the result of its entry computation, verifies it
// and returns it. Computations that nothing calls are dropped. It fails with the first
// error of any function that was called before, if root is not a value of the entry
// computation, if a parameter number is missing, and if b is not from New. A module can
// be built once.
func (b *Builder) Build(root Op) (*hlo.Module, error) {
	if b == nil {
		return nil, b.Err()
	}
	b.finishModule(root)
	if b.s.err != nil {
		return nil, b.s.err
	}
	if err := hlo.Verify(b.s.module, hlo.VerifyOptions{}); err != nil {
		b.s.err = err
		return nil, err
	}
	return b.s.module, nil
}

// BuildTuple is Build with the tuple of roots as the result.
func (b *Builder) BuildTuple(roots ...Op) (*hlo.Module, error) { return b.Build(b.Tuple(roots...)) }

func (b *Builder) finishModule(root Op) {
	if b.comp != b.s.module.Entry() {
		b.errorf(op.Invalid, "", "", "expected the builder that New returned, got that of computation %s", b.comp.Name())
		return
	}
	b.finish(root)
	b.s.module.RemoveUnused()
}

// finish makes root the root of the computation and closes it.
func (b *Builder) finish(root Op) bool {
	if !b.open(op.Invalid) || !b.owns(op.Invalid, theResult, root) {
		return false
	}
	for i, p := range b.comp.Params() {
		if p == nil {
			b.errorf(op.Parameter, "number", "", "expected parameter %d of computation %s, got none", i, b.comp.Name())
			return false
		}
	}
	b.comp.SetRoot(root.instr)
	b.closed = true
	return true
}

// open reports whether instructions can be added: no error so far, not finished.
func (b *Builder) open(code op.Code) bool {
	if b == nil || b.s.err != nil {
		return false
	}
	if b.closed {
		b.errorf(code, "", "", "expected a computation under construction, got %s, which is finished", b.comp.Name())
		return false
	}
	return true
}

// theResult stands for the number of an operand where a value is a result.
const theResult = -1

// owns reports whether x, operand i, is a value of the computation of b, and records an
// error if not.
func (b *Builder) owns(code op.Code, i int, x Op) bool {
	if x.instr != nil && x.b.comp == b.comp {
		return true
	}
	what := "the result"
	if i != theResult {
		what = fmt.Sprintf("operand %d", i)
	}
	switch {
	case x.instr == nil && x.b != nil && x.b.s != b.s && x.b.s.err != nil:
		b.fail(x.b.s.err)
	case x.instr == nil:
		b.errorf(code, "", "", "expected a value as %s, got an Op that no function returned", what)
	case x.b.s != b.s:
		b.errorf(code, "", "", "expected %s to be a value of this module, got %%%s of module %s",
			what, x.instr.Name(), x.b.s.module.Name)
		x.b.fail(b.s.err)
	default:
		b.errorf(code, "", "", "expected %s to be a value of computation %s, got %%%s of %s: "+
			"what a computation uses must come in by its parameters",
			what, b.comp.Name(), x.instr.Name(), x.b.comp.Name())
	}
	return false
}

// fail keeps err, if it is the first, with the place of the caller.
func (b *Builder) fail(err error) {
	if b.s.err != nil {
		return
	}
	e, ok := errors.AsType[*op.Error](err)
	if !ok {
		e = &op.Error{Err: err}
	}
	if !e.Pos.IsValid() {
		placed := *e
		placed.Pos = b.s.pos()
		e = &placed
	}
	b.s.err = e
}

// errorf is fail with an error about operation code, of which attr and label may be empty.
func (b *Builder) errorf(code op.Code, attr, label, format string, args ...any) {
	if b != nil {
		b.fail(&op.Error{Op: code, Attr: attr, Label: label, Err: fmt.Errorf(format, args...)})
	}
}

// invalid returns what a function returns after an error.
func (b *Builder) invalid() Op { return Op{b: b} }

// invalids returns n invalid values.
func (b *Builder) invalids(n int) []Op {
	ops := make([]Op, n)
	for i := range ops {
		ops[i] = b.invalid()
	}
	return ops
}

// enter is how an operation on operands begins: it returns the builder of the operands
// and whether all is well with them.
func enter(code op.Code, operands ...Op) (b *Builder, ok bool) {
	if len(operands) == 0 {
		return alone(code), false
	}
	for _, x := range operands {
		if x.b != nil {
			b = x.b
			break
		}
	}
	if !b.open(code) {
		return b, false
	}
	for i, x := range operands {
		if !b.owns(code, i, x) {
			return b, false
		}
	}
	return b, true
}

// alone returns a builder for the result of a function that got no operands, and so has no
// other one to tell: what it made is invalid, and says why when it is used.
func alone(code op.Code) *Builder {
	b := New("none")
	b.errorf(code, "", "", "expected at least one operand, got none")
	return b
}

// add checks an operation with its shape rule and appends it. The operands are values of
// b; declared is the result shape where the rule cannot tell it.
func (b *Builder) add(code op.Code, operands []Op, attrs op.Attrs, declared shape.Shape, called ...Computation) Op {
	in := &op.Inputs{Attrs: attrs, Declared: declared, Replicas: b.s.opts.Replicas, Partitions: b.s.opts.Partitions}
	instrs := make([]*hlo.Instruction, len(operands))
	for i, x := range operands {
		instrs[i] = x.instr
		in.Operands = append(in.Operands, x.instr.Shape())
	}
	comps := make([]*hlo.Computation, len(called))
	for i, c := range called {
		comps[i] = c.comp
		in.Called = append(in.Called, c.comp.Signature())
	}
	s, err := op.Infer(code, in)
	if err != nil {
		b.fail(err)
		return b.invalid()
	}
	instr := b.comp.Add("", code, s, instrs, ownAttrs(attrs), comps...)
	b.place(instr)
	return Op{b, instr}
}

// apply is enter and add for an operation that needs nothing else.
func apply(code op.Code, attrs op.Attrs, operands ...Op) Op {
	b, ok := enter(code, operands...)
	if !ok {
		return b.invalid()
	}
	return b.add(code, operands, attrs, shape.Shape{})
}

// ownAttrs returns attrs without the lists of the caller, which may change them later.
func ownAttrs(attrs op.Attrs) op.Attrs {
	for _, f := range op.Plan(attrs) {
		if v := f.Value(attrs); v.Kind() == reflect.Slice && !v.IsNil() {
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		}
	}
	return attrs
}
