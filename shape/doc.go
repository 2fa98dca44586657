// Package shape describes arrays without their data: element types, dimensions,
// layouts, strided buffers, and the text form that XLA prints for each of them.
//
// A [Shape] is an array (element type, dimension sizes, layout), a tuple of
// shapes, a token, an opaque value, or a buffer around an array. Shapes are
// values: functions never change a shape that they were given, and slices inside
// a shape are not to be changed after it was made.
//
//	s, err := shape.Parse("bf16[16,256]{1,0:T(8,128)(2,1)}") // and s.String() is that text
//	t := shape.Make(shape.F32, 2, 3)                          // f32[2,3]{1,0}
//
// A nil [Layout] is the default one, row-major; a layout that says no more than that
// is brought to nil by [Layout.Normalize], which the parsers do. Parsing takes what
// XLA's parser takes; [Shape.Check] tells whether a shape is valid.
//
// Where an element lies in memory is answered by [Indexing], for every layout, tiles
// and padding included; [Strides], [NextIndex] and [NextOffset] serve loops over
// arrays without tiles. A [Strided] describes a buffer of the host by sizes and
// strides; it converts to a shape with a layout and back where both exist.
// [PaddedLayout] is the legacy form of a layout with padded dimensions.
//
// The package knows nothing of data (see literal) or of operations (see op).
//
// Spec: SHAPES.md; text forms: XLA's shape_util and layout printers.
package shape
