// Package npy reads and writes arrays in the file formats of NumPy (.npy, .npz) and
// of safetensors, as literals with the default layout.
//
// Neither format has all element types. What it lacks is stored as unsigned integers
// of the same width, and the key has the type after a colon: array `0:bf16` of an
// .npz holds uint16, and its name is 0. Types narrower than a byte take a byte each.
// Reading strips such a suffix and gives the array its type back; writing adds it
// where it is needed. Key helpers are [ParseKey] and [TypedKey].
//
// What np.save itself writes for such a type (bfloat16 and others of ml_dtypes, as JAX
// has them) has lost the type's name: the dtype is V2. Without a suffix it is read as
// unsigned integers of that width; [literal.BitcastConvert] makes them what they were.
//
// Readers take memory only as data comes: neither a header nor a zip directory
// decides how much. Their limits are the constants of this package and
// [literal.MaxBytes].
package npy
