//go:build !unix && !windows

package exec

import "errors"

// offHeap: the memory is a Go slice.
const offHeap = false

var errNoMemory = errors.New("out of memory")

func mapMemory(n int) ([]byte, error) {
	if n > maxMap {
		return nil, errNoMemory
	}
	return make([]byte, n), nil
}

func unmapMemory([]byte) {}

func protectExec([]byte) error { return ErrNoExec }

func adviseHuge([]byte) {}
