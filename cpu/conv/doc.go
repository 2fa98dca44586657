// Package conv makes products of matrices of convolutions: the rows are the places of the window, in all of the batch,
// the depth is the taps of the window times the input features, the columns are the output features.
//
//	changed, err := conv.Canonical(m, machine) // before planning: pads and transposes in front, transposes behind
//	specs, ok := conv.Products(i, vector, x, kernel) // the products that a convolution is
//
// No matrix of all windows is made. Its element for a place and a tap is at the sum of two distances in the
// input, which package gemm takes as they are: the dimensions of a [gemm.Axis] may overlap. All that this needs is an
// input in which each tap is there, at each place. So Canonical pads the input with zeros, by an ordinary pad that is
// one kernel with what computes the input, and brings the dimensions of input, kernel and result into an order that
// suits: features innermost (in the kernel, those of either kind), or the batch where that is innermost in the result,
// as in gradients of weights. Those with features last stay as they are: their depth is in the order of memory.
//
// Holes between the elements of the input (base dilation, as in transposed convolutions) fall to no product: places
// whose windows hit the same taps are a phase, which is a convolution without holes by these taps only, whose rows are
// every so many places of the result. Groups, of features or of the batch, are a batch of products. Groups of features
// that are short pieces of the input become ones of the batch, whose elements are neighbours (canonical.go).
//
// Few output features are products, too, if the input features are pieces of which several depths go at once. Where the
// places are innermost, or the input has holes, all taps are columns of one product, that reads the input once, and
// what comes to a place is added behind it (outward.go). Short
// pieces of half floats are widened to f32, once for all windows (widened.go); so are those of bytes. Where bf16
// are multiplied two at once, an odd number of few features gets one more of zeros instead (evened.go).
//
// Groups of 2, 4 or 8 features of either kind that fill vectors together, features innermost, are products of groups
// that package gemm makes by vectors of several groups. These bring the input near with the zeros around it, or with
// none, a few rows of a vector of groups at a time (edges.go), half floats as f32.
//
// Where the places are innermost and a group has few output features, or more whose rows of places fill vectors, these
// are the rows, the places are the columns, and nothing changes its order (planes.go). Planes that each product has for
// itself are brought near with the zeros around them, too; even and odd columns apart, where a window moves on by two.
//
// Where a window moves on by several elements of such a row, these become features of their own (parted.go): results
// that are large are not transposed then, as those of the first layer of networks whose images come plane by plane.
//
// Windows that cut the input into patches read each element once: places that are innermost stay so, and the rows of a
// patch are runs of the depth (patches.go).
//
// The gradient of weights of bf16 has the kernel as A where tiles multiply: its input is packed once for all taps
// (swapped.go).
//
// The gradient of the weights of a depthwise convolution becomes a sum for each tap (taps.go). Other convolutions of
// few features a group, as depthwise ones, stay loops. Those of long windows are padded in front too
// (padded.go), if many places reach beyond the input: without masks, several places of the window go side by side. The
// loops of depthwise ones in several dimensions do that themselves, for a tile at a time, or leave out what is beyond
// the ends of rows, or read zeros there by masks (package fuse).
//
// A large input that nothing computes on the way is not padded: the places at its edges are products of their own, by
// the taps that hit an element (edges.go). So is one over whose groups of few features windows move on by several
// elements, unless it is very large.
//
// # Padding
//
// The definition leaves out what is beyond the input. Here it is a zero times an element of the kernel. Both are the
// same unless that element is infinite or not a number: then the definition has the sum of the other products, and this
// has not a number, as XLA has on CPUs, which pads with zeros too, except for f64 and where the input has holes. The
// evaluator follows the definition, and so do convolutions that are loops, but those that bring their input near, or
// read zeros by masks.
//
// Gradients over lines (taps.go) also multiply elements of the input by zeros, at the ends of rows: an infinite one
// there makes NaN of taps that do not hit it.
package conv
