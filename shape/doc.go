// Package shape describes arrays without their data: element types, dimensions,
// layouts, strided buffers, and the text form that XLA prints for each of them.
//
// A [Shape] is an array (element type, dimension sizes, layout), a tuple of
// shapes, a token, an opaque value, or a buffer around an array. Shapes are
// values: functions never change a shape that they were given, and slices inside
// a shape are not to be changed after it was made.
//
// The package knows nothing of data (see literal) or of operations (see op).
//
// Spec: SHAPES.md; text forms: XLA's shape_util and layout printers.
package shape
