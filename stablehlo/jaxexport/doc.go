// Package jaxexport reads the files of jax.export: a function with the names and types
// of its arguments and results, the platforms and devices it was made for, and the
// function itself as a portable artifact of StableHLO.
//
// A file is a FlatBuffers table. Arguments and results are trees of tuples, lists and
// dictionaries ([Tree]); their leaves have a type whose sizes may be expressions in
// dimension variables ([Dim]). The function @main of the module takes the leaves that
// [Exported.Kept] names, after a platform index and tokens where there are some
// ([Exported.MainArgs]).
package jaxexport
