// Package vmath writes elementary functions as vector instructions of package loop: exp, log,
// trigonometric and hyperbolic functions and their inverses, erf, pow, and what belongs to them.
//
// Every function takes and returns values of kind F32 or F64. There are no branches: all lanes go
// the same way, and selections put special values in at the end. Most functions are written once for both
// kinds, with the constants of a [format]; where few bits allow a shorter way the formats have
// functions of their own.
//
// Three ideas come again and again:
//
//   - To round t = x*c to an integer n, 1.5*2^23 (2^52) is added: the sum has n in its low bits, and
//     subtracting the constant gives n as a float.
//   - A fused multiply-add gives the rounding error of a product, and (a-s)+b that of a sum
//     s = a+b of a larger and a smaller number. Such errors are carried as low parts ("l" at the end of a name).
//     So no operation here may be contracted or reordered.
//   - MinX and MaxX give their second operand if one is NaN: a clamp with the constant first keeps NaN.
//
// How exact the functions are is measured by the tests and stands in docs/ACCURACY.md.
package vmath
