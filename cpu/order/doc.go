// Package order is machine code that orders integers of 4 and 8 bytes: networks in registers, partitions around a
// pivot, filters by a bound. Elements of other types have order-preserving images among them, see [Map]; a word whose
// upper half is such an image and whose lower one is an index sorts with the index as its payload, and stably.
//
// The code is for AVX2 and AVX-512. What steers it - pivots, recursion, threads - is Go.
package order
