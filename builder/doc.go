// Package builder makes HLO modules from Go code: one function an operation.
//
//	b := builder.New("axpy")
//	x := b.Parameter(0, shape.Make(shape.F32, 1024), "x")
//	y := b.Parameter(1, shape.Make(shape.F32, 1024), "y")
//	module, err := b.Build(builder.Add(builder.Mul(b.Const(float32(2)), x), y))
//
// An operation is a package function on its operands; only what has no operand, or may
// have none, is a method of Builder. Every function checks its operands with the shape
// rule of package op and adds the instruction, so that Op.Shape is known at once.
//
// # Errors
//
// The first error is kept, with the caller's file and line, and Build returns it as an
// *op.Error. From then on every function does nothing and returns an invalid Op, so a
// program needs no checks on its way; its shape is the zero Shape, Op.Dim is 0. Doc
// comments name under "fails" what makes an error. It is always an error to mix values
// of two computations, and to use an Op that no function returned.
//
// # Called computations
//
// What an operation calls is a Go function of the right form, or a Computation:
//
//	builder.Reduce(x, zero, []int{0}, builder.Add)
//	builder.Reduce(x, zero, []int{0}, func(a, b builder.Op) builder.Op { return builder.Max(a, builder.Abs(b)) })
//	builder.Reduce(x, zero, []int{0}, sum) // sum is a Computation
//
// The Go function runs once, on values that stand for the computation's parameters. It
// gets everything through them: values from outside belong to another computation.
// Constants are made by ScalarLike or by the Builder of a parameter (Op.Builder).
//
// # Broadcasting
//
// HLO never broadcasts by itself; functions of two operands do it here, and write the
// broadcast into the program. Operands of one rank stretch dimensions of size 1, a scalar
// goes with anything, and between other ranks the trailing broadcastDims tell, for each
// dimension of the operand of lower rank, which dimension of the other one it meets:
// Add(f32[2,3], f32[3], 1). Element types must be equal. Spec: OPS.md section 1.
//
// Integer lists may be nil where a zero or one for every dimension is meant; the text
// says so. Options are structs whose zero value is the usual case.
package builder
