//go:build linux && (amd64 || arm64)

package mpi

import (
	"unsafe"

	"github.com/goxla/xla/collective"
)

// This file holds the reductions that MPI may do as done here, for arrays for which calling MPI takes longer.

// kernel sets each element of acc to the combination of it and that of x.
type kernel func(acc, x []byte)

// kernelOf returns the kernel of integers of a type of MPI; nil for other types and reductions.
func kernelOf(e element, kind collective.ReduceKind) kernel {
	switch e {
	case int8s:
		return kernelOn[int8](kind)
	case int16s:
		return kernelOn[int16](kind)
	case int32s:
		return kernelOn[int32](kind)
	case int64s:
		return kernelOn[int64](kind)
	case uint8s:
		return kernelOn[uint8](kind)
	case uint16s:
		return kernelOn[uint16](kind)
	case uint32s:
		return kernelOn[uint32](kind)
	case uint64s:
		return kernelOn[uint64](kind)
	}
	return nil
}

// integers are the Go types of the elements.
type integers interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func kernelOn[T integers](kind collective.ReduceKind) kernel {
	return map[collective.ReduceKind]kernel{
		collective.ReduceSum:     sumOf[T],
		collective.ReduceProduct: productOf[T],
		collective.ReduceMin:     minOf[T],
		collective.ReduceMax:     maxOf[T],
		collective.ReduceAnd:     andOf[T],
		collective.ReduceOr:      orOf[T],
		collective.ReduceXor:     xorOf[T],
	}[kind]
}

// elementsOf returns the elements of both arrays, which have as many.
func elementsOf[T integers](acc, x []byte) (a, b []T) {
	n := len(acc) / int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(acc))), n),
		unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), n)
}

func sumOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] += v
	}
}

func productOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] *= v
	}
}

func minOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] = min(a[i], v)
	}
}

func maxOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] = max(a[i], v)
	}
}

func andOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] &= v
	}
}

func orOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] |= v
	}
}

func xorOf[T integers](acc, x []byte) {
	a, b := elementsOf[T](acc, x)
	for i, v := range b {
		a[i] ^= v
	}
}
