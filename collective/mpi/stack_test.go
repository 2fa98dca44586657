//go:build linux && (amd64 || arm64)

package mpi

import "fmt"

// sceneStack: what MPI sets is not lost when the stack of a goroutine moves on the way to the call. Every goroutine
// begins with a small stack, which is as good as full in one of them.
func sceneStack(t *Transport) error {
	for depth := range 600 {
		done := make(chan error)
		go func() { done <- deep(depth, t) }()
		if err := <-done; err != nil {
			return err
		}
	}
	return nil
}

// deep asks for the rank from so many frames down.
//
//go:noinline
func deep(depth int, t *Transport) error {
	if depth > 0 {
		return deep(depth-1, t)
	}
	rank, size, err := t.engine.lib.place()
	if err != nil || rank != t.Rank() || size != t.Size() {
		return fmt.Errorf("expects rank %d of %d, got %d of %d, %w", t.Rank(), t.Size(), rank, size, err)
	}
	return nil
}
