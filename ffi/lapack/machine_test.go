package lapack

import (
	"sync"
	"testing"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// TestMemory: a matrix is made where one of its size, or a larger one, was.
func TestMemory(t *testing.T) {
	steps, err := dense.New[float64](exec.Portable)
	if err != nil {
		t.Fatal(err)
	}
	p := &problem[float64]{steps: steps, memory: new(sync.Pool)}
	again := 0
	const tries = 100 // a pool may forget what it is given
	for range tries {
		large := borrow(p, 40, 40)
		at := &large.At[0]
		lend(p, large)
		small := borrow(p, 20, 30)
		lend(p, small)
		equal := borrow(p, 40, 40)
		if &small.At[0] == at && &equal.At[0] == at {
			again++
		}
		if len(small.At) != small.Size() || len(equal.At) != equal.Size() {
			t.Fatalf("got %d and %d numbers, want %d and %d", len(small.At), len(equal.At), small.Size(), equal.Size())
		}
	}
	if again == 0 {
		t.Errorf("memory was used again in 0 of %d tries", tries)
	}
}
