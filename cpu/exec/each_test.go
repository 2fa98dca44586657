package exec

import (
	"sync/atomic"
	"testing"
)

// TestEach: every call is made once, whatever the number of threads.
func TestEach(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 2, 100} {
			calls := make([]atomic.Int32, n)
			Each(threads, n, func(k int) { calls[k].Add(1) })
			for k := range calls {
				if got := calls[k].Load(); got != 1 {
					t.Errorf("%d threads, %d calls: call %d: expects 1, got %d", threads, n, k, got)
				}
			}
		}
	}
}

// TestEachPanics: the panic of a call reaches the caller, who can go on, and ends the calls.
func TestEachPanics(t *testing.T) {
	for _, threads := range []int{1, 3} {
		calls := atomic.Int32{}
		func() {
			defer func() {
				if p := recover(); p != "call 5" {
					t.Errorf("%d threads: expects the panic of call 5, got %v", threads, p)
				}
			}()
			Each(threads, 1_000_000, func(k int) {
				if calls.Add(1); k == 5 {
					panic("call 5")
				}
			})
		}()
		if calls.Load() == 1_000_000 {
			t.Errorf("%d threads: all calls were made", threads)
		}
	}
}

// TestHelped: others help with what takes long, and that one call does not hold up.
func TestHelped(t *testing.T) {
	for _, c := range []struct {
		threads int
		work    []int
		want    int
	}{
		{4, nil, 1},
		{4, []int{1e6}, 1},
		{4, []int{300, 300}, 1},
		{2, []int{300, 300, 300}, 2},
		{4, []int{1e6, 100, 100}, 1},
		{4, []int{1e6, 300, 300}, 4},
		{4, []int{300, 300, 300, 300}, 3},
		{1, []int{1e6, 1e6}, 1},
	} {
		if got := Helped(c.threads, c.work); got != c.want {
			t.Errorf("%d threads, work %v: expected %d, got %d", c.threads, c.work, c.want, got)
		}
	}
}
