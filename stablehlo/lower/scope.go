package lower

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// scope holds the values that the operations of a function or region see while it is
// lowered into the computation of b.
type scope struct {
	l      *lowerer
	b      *builder.Builder
	values map[*stablehlo.Value]builder.Op
}

// nested returns an empty scope for another function, or for a region's computation.
func (s *scope) nested(b *builder.Builder) *scope {
	return &scope{l: s.l, b: b, values: map[*stablehlo.Value]builder.Op{}}
}

// get returns the instruction that a value was made as.
func (s *scope) get(v *stablehlo.Value) (builder.Op, error) {
	if x, ok := s.values[v]; ok {
		return x, nil
	}
	return builder.Op{}, fmt.Errorf("expected an operand that is defined before it is used, got one of type %v", v.Type)
}

// getAll is get for a list.
func (s *scope) getAll(values []*stablehlo.Value) ([]builder.Op, error) {
	ops := make([]builder.Op, len(values))
	for i, v := range values {
		var err error
		if ops[i], err = s.get(v); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// bind says what the values are.
func (s *scope) bind(values []*stablehlo.Value, ops []builder.Op) {
	for i, v := range values {
		s.values[v] = ops[i]
	}
}

// terminators are the operations that end a block: their operands are its results.
var terminators = map[string]bool{"func.return": true, "stablehlo.return": true, "sdy.return": true}

// run lowers the operations of a block and returns its results.
func (s *scope) run(block *stablehlo.Block) ([]builder.Op, error) {
	for _, o := range block.Ops {
		if terminators[o.Name] {
			results, err := s.getAll(o.Operands)
			if err != nil {
				return nil, s.l.errorAt(o, err)
			}
			return results, nil
		}
		if err := s.operation(o); err != nil {
			return nil, s.l.errorAt(o, err)
		}
	}
	return nil, nil
}

// operation lowers o and binds its results.
func (s *scope) operation(o *stablehlo.Op) error {
	r := s.l.rules[o.Name]
	if r == nil {
		return fmt.Errorf("expected an operation that can run, got this one")
	}
	args, err := s.getAll(o.Operands)
	if err != nil {
		return err
	}
	c := &call{s: s, b: s.b, op: o, args: args}
	c.at()
	results := c.apply(r)
	if c.err != nil {
		return c.err
	}
	if err := s.b.Err(); err != nil {
		return err
	}
	if err := c.check(results); err != nil {
		return err
	}
	c.annotate(results)
	s.bind(o.Results, results)
	return nil
}

// parameters makes the parameters of the entry function f and binds its arguments.
func (s *scope) parameters(f *stablehlo.Op) error {
	block, err := body(f)
	if err == nil {
		err = s.arguments(f, block)
	}
	if err != nil {
		return s.l.errorAt(f, err)
	}
	return s.b.Err()
}

func (s *scope) arguments(f *stablehlo.Op, block *stablehlo.Block) error {
	numbers, count, err := s.l.numbers(f, block)
	if err != nil {
		return err
	}
	if got := len(s.l.opts.Shapes); got != 0 && got != count {
		return fmt.Errorf("expected shapes for %d parameters, got %d", count, got)
	}
	used := make([]bool, count)
	for i, v := range block.Args {
		s.b.At(s.l.pos(f), s.l.places.at(v.Loc))
		n := numbers[i]
		if n < 0 {
			if s.values[v], err = s.inner(v); err != nil {
				return err
			}
			continue
		}
		declared, err := s.l.parameterShape(n, v)
		if err != nil {
			return fmt.Errorf("parameter %d: %w", n, err)
		}
		s.values[v] = s.b.Parameter(n, declared, s.l.parameterName(n, v))
		used[n] = true
		if err := s.l.shard(s.values[v], f.ArgAttrs(i)); err != nil {
			return fmt.Errorf("parameter %d: %w", n, err)
		}
	}
	for n, is := range used {
		if !is {
			s.b.Parameter(n, s.l.unusedShape(n), s.l.parameterName(n, nil))
		}
	}
	return nil
}

// numbers returns the number of the parameter that each argument is, -1 for one that is
// made inside, and how many parameters there are.
func (l *lowerer) numbers(f *stablehlo.Op, block *stablehlo.Block) (numbers []int, count int, err error) {
	if given := l.opts.Arguments; given != nil {
		count = len(l.opts.Parameters.Params)
		if len(given) != len(block.Args) {
			return nil, 0, fmt.Errorf("expected %d arguments, got %d", len(given), len(block.Args))
		}
		for _, n := range given {
			if n >= count {
				return nil, 0, fmt.Errorf("expected an argument to be one of %d parameters, got %d", count, n)
			}
		}
		return given, count, nil
	}
	for i := range block.Args {
		if isPlatformIndex(f.ArgAttrs(i)) {
			numbers = append(numbers, -1)
			continue
		}
		numbers = append(numbers, count)
		count++
	}
	return numbers, count, nil
}

// inner makes an argument that is no parameter: a token or the platform index.
func (s *scope) inner(v *stablehlo.Value) (builder.Op, error) {
	if _, ok := v.Type.(stablehlo.TokenType); ok {
		return s.b.AfterAll(), nil
	}
	return s.platform(v)
}

// unusedShape returns the shape of a parameter that is no argument. What is not told of
// it does not matter.
func (l *lowerer) unusedShape(n int) shape.Shape {
	if n < len(l.opts.Shapes) {
		return l.opts.Shapes[n]
	}
	return l.opts.Parameters.Params[n]
}

// parameterName returns the name of a parameter: that which the location of the argument
// v has, or else that of the options; "" for none.
func (l *lowerer) parameterName(n int, v *stablehlo.Value) string {
	if v != nil && argumentName(v) != "" {
		return argumentName(v)
	}
	if n < len(l.opts.Parameters.Names) {
		return identifier(l.opts.Parameters.Names[n])
	}
	return ""
}

// body returns the block of a function.
func body(f *stablehlo.Op) (*stablehlo.Block, error) {
	if len(f.Regions) == 0 || len(f.Regions[0].Blocks) == 0 {
		return nil, fmt.Errorf("expected a function with a body, got the declaration @%s", f.SymbolName())
	}
	if n := len(f.Regions[0].Blocks); n != 1 {
		return nil, fmt.Errorf("expected a function of one block, got @%s with %d", f.SymbolName(), n)
	}
	return f.Regions[0].Blocks[0], nil
}

// parameterShape returns the shape of parameter n: that of the options where there is
// one and it fits the type.
func (l *lowerer) parameterShape(n int, v *stablehlo.Value) (shape.Shape, error) {
	declared, err := shapeOf(v.Type)
	if err != nil {
		return shape.Shape{}, err
	}
	if n < len(l.opts.Shapes) {
		given := l.opts.Shapes[n]
		if !declared.Accepts(given) && !declared.CompatibleIgnoringElementType(given) || declared.Type != given.Type {
			return shape.Shape{}, fmt.Errorf("expected a shape that fits %v, got %v", v.Type, given)
		}
		return given, nil
	}
	if declared.HasUnbounded() {
		return shape.Shape{}, fmt.Errorf("expected shapes to run with, as sizes in %v are not known, got none", v.Type)
	}
	return declared, nil
}

// argumentName returns the name that the location gives to an argument, or to that of a
// function which it is handed to; "" for none.
func argumentName(v *stablehlo.Value) string {
	for range maxHandedOn {
		if loc, ok := v.Loc.(*stablehlo.NameLoc); ok && loc.Name != "" {
			return identifier(loc.Name)
		}
		if v = handedTo(v); v == nil {
			break
		}
	}
	return ""
}

// maxHandedOn is through how many calls a name is looked for.
const maxHandedOn = 4

// handedTo returns the argument of the first function that v, an argument, is called
// with; nil if there is none.
func handedTo(v *stablehlo.Value) *stablehlo.Value {
	if v.Block == nil {
		return nil
	}
	for _, o := range v.Block.Ops {
		i := slices.Index(o.Operands, v)
		ref, _ := o.Attr("callee").(*stablehlo.SymbolRef)
		if i < 0 || ref == nil {
			continue
		}
		if f := o.Resolve(ref); f != nil && f.Name == "func.func" {
			if block, err := body(f); err == nil && i < len(block.Args) {
				return block.Args[i]
			}
		}
	}
	return nil
}

// TakesPlatform reports whether main is for several platforms: one of its arguments is the number of the
// one that it runs on, which Options.Platform gives.
func TakesPlatform(m *stablehlo.Module) bool {
	f, err := entry(m, "")
	if err != nil {
		return false
	}
	block, err := body(f)
	if err != nil {
		return false
	}
	for i := range block.Args {
		if isPlatformIndex(f.ArgAttrs(i)) {
			return true
		}
	}
	return false
}

// isPlatformIndex reports whether an argument with these attributes is the number of
// the platform that a program for several platforms runs on.
func isPlatformIndex(attrs *stablehlo.DictAttr) bool {
	if attrs == nil {
		return false
	}
	name, _ := attrs.Get("jax.global_constant").(stablehlo.StringAttr)
	return name.Value == "_platform_index"
}

// platform returns the constant that the platform index is.
func (s *scope) platform(v *stablehlo.Value) (builder.Op, error) {
	declared, err := shapeOf(v.Type)
	if err != nil {
		return builder.Op{}, err
	}
	if !declared.IsScalar() || !declared.Type.IsInteger() {
		return builder.Op{}, fmt.Errorf("expected an integer scalar as the platform index, got %v", v.Type)
	}
	return builder.ConvertElementType(s.b.Const(int32(s.l.opts.Platform)), declared.Type), nil
}
