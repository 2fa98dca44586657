package op

import "github.com/goxla/xla/shape"

// Variadic is the arity of an operation that takes any number of operands.
const Variadic = -1

// Traits are properties of an operation that hold for every instruction with it.
type Traits uint16

// The traits.
const (
	// Elementwise: each result element depends on the operand elements at the same index only.
	Elementwise Traits = 1 << iota
	// Commutative: the two operands may be exchanged.
	Commutative
	// SideEffect: the instruction does more than give its result; it must not be removed or doubled.
	SideEffect
	// Collective: devices exchange data.
	Collective
	// NeedsShape: the result shape does not follow from operands and attributes; text must give it.
	NeedsShape
)

// FusionClass says how a fuser may treat an operation.
type FusionClass uint8

// The fusion classes.
const (
	FuseNever  FusionClass = iota // stands alone
	FuseLoop                      // an index map or element-wise: fuses with producers and consumers
	FuseReduce                    // takes producers in
	FuseOutput                    // takes an element-wise epilogue
)

// Calls says which computations an instruction calls and how text names them.
type Calls struct {
	// Names are the attribute names in text order, one computation each, unless List.
	// They are also the order of the instruction's called computations.
	Names []string
	// List: one attribute Names[0] holds any number of computations in braces.
	List bool
	// Optional: the attribute may be absent.
	Optional bool
	// Proto[i] is the place among Names of the i-th computation in proto order; nil: the same order.
	Proto []int
}

// Info is a row of the table: all that can be said of an operation without data.
type Info struct {
	Name   string      // spelling in HLO text
	Arity  int         // number of operands, or Variadic
	Traits Traits      //
	Fusion FusionClass //
	Attrs  Attrs       // typed nil that names the attribute struct; nil: no attributes
	Calls  *Calls      // nil: calls nothing
	Infer  Rule        // checks constraints, returns the result shape
	Flops  FlopRule    // nil: moves data only
	Spec   string      // section of the specification
}

// Has reports whether the row has all the traits of t.
func (i *Info) Has(t Traits) bool { return i.Traits&t == t }

// Inputs is what a shape rule sees of an instruction: pure shapes.
type Inputs struct {
	Operands []shape.Shape
	Called   []shape.Program // signatures of the called computations, in the row's order
	Attrs    Attrs           // nil or the row's attribute struct
	// Declared is the result shape that the text, proto or builder call states; Type Invalid when
	// none is. A rule of an operation with NeedsShape takes from it what cannot be inferred and
	// checks the rest; other rules ignore it.
	Declared shape.Shape
	// Replicas and Partitions of the module; 0 when not known, which switches the checks that need them off.
	Replicas, Partitions int
}

// Rule checks the constraints of an operation and returns its result shape. The
// layout of the result is the default, save where the rule of XLA sets one. An
// error is an *Error with Attr and Label set where they apply.
type Rule func(in *Inputs) (shape.Shape, error)

// FlopRule returns the floating-point operations of one execution: a multiply-add
// is 2, any elementary function 1. Called computations are counted by the caller.
type FlopRule func(in *Inputs, result shape.Shape) int64

// Infer runs the shape rule of c after checking the operand count and that
// attributes of the right type are there.
func Infer(c Code, in *Inputs) (shape.Shape, error) {
	info := c.Info()
	if info.Arity != Variadic && len(in.Operands) != info.Arity {
		return shape.Shape{}, &Error{Op: c, Err: errf("expects %d operands, got %d", info.Arity, len(in.Operands))}
	}
	if err := checkAttrsType(info, in.Attrs); err != nil {
		return shape.Shape{}, &Error{Op: c, Err: err}
	}
	s, err := info.Infer(in)
	if err != nil {
		return shape.Shape{}, withOp(err, c)
	}
	return s, nil
}
