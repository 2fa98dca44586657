//go:build linux && (amd64 || arm64)

package mpi

import "sync"

// queue is the work that other goroutines have for the engine. Adding to it never waits.
type queue struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{} // rings when there is something new
}

func (q *queue) add(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
}

// ring lets one who waits for the bell, or the next one, go on.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// waiting reports whether there is work.
func (q *queue) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list) > 0
}

// run does the work and reports whether there was any.
func (q *queue) run() bool {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, f := range list {
		f()
	}
	return len(list) > 0
}
