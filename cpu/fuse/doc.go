// Package fuse turns a region of HLO into one loop nest. A region is a set of values to compute
// ([Root]) over an iteration space; everything they need is computed in place, element by element, back
// to the instructions whose values are in memory ([Spec.InMemory]). Element-wise operations become
// vector operations; broadcasts, transposes, reshapes, slices, reversals, pads, concatenations,
// iotas, gathers and dynamic slices become index maps; reductions become loops inside.
//
// The dimensions of the space are kept or inner. Reductions over inner dimensions have one value for
// each position of the kept ones: they are found first, computed level by level with those of one level in one
// pass, and what follows them along the same rows is computed behind them. So a softmax is
// one nest.
//
// A while loop whose iterations work element by element is two nests ([Interchange]): one of all that is scalar, and
// one that does a number of iterations for an element at a time.
//
// Which instructions share a nest is decided by package plan.
package fuse
