package dense

import (
	"sync"

	"github.com/goxla/xla/cpu/exec"
)

// Set makes the kernels of a tier when they are first asked for. It is safe for concurrent use.
type Set struct {
	f32 func() (*Kernels[float32], error)
	f64 func() (*Kernels[float64], error)
	c32 func() (*Triangles, error)
	c64 func() (*Triangles, error)
}

// NewSet returns the set of a tier.
func NewSet(tier exec.Tier) *Set {
	return &Set{
		f32: sync.OnceValues(func() (*Kernels[float32], error) { return New[float32](tier) }),
		f64: sync.OnceValues(func() (*Kernels[float64], error) { return New[float64](tier) }),
		c32: sync.OnceValues(func() (*Triangles, error) { return newTriangleSteps(tier, 4) }),
		c64: sync.OnceValues(func() (*Triangles, error) { return newTriangleSteps(tier, 8) }),
	}
}

// Of returns the kernels of a set for a type of numbers. Where the system refuses memory for code the error wraps
// [exec.ErrNoExec].
func Of[T Float](s *Set) (*Kernels[T], error) {
	var zero T
	if _, ok := any(zero).(float32); ok {
		k, err := s.f32()
		typed, _ := any(k).(*Kernels[T])
		return typed, err
	}
	k, err := s.f64()
	typed, _ := any(k).(*Kernels[T])
	return typed, err
}

// Triangles returns the steps of a set for complex numbers of so many bytes; nil: its tier has no machine code. Where
// the system refuses memory for code the error wraps [exec.ErrNoExec].
func (s *Set) Triangles(size int) (*Triangles, error) {
	if size == 8 {
		return s.c32()
	}
	return s.c64()
}
