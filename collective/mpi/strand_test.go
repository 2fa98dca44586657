//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"weak"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// sceneStranded: all but the last member give up an operation, to which that comes later. What they gave to MPI is kept
// until then, even after the run, and not longer; and no operation follows one that was given up.
func sceneStranded(t *Transport) error {
	const timeout = 1500 * time.Millisecond
	last := t.Rank() == t.Size()-1
	var arrays []weak.Pointer[byte]
	var again error
	err := meetings(t, timeout, func(c collective.Communicator, m collective.Meeting) (err error) {
		if err := one(c, m); err != nil {
			return err
		}
		if last {
			time.Sleep(3 * timeout)
		}
		if arrays, err = sum(c, m); err != nil {
			again = refused(c, m)
		}
		return err
	})
	switch {
	case last:
		return errors.Join(again, meetings(t, time.Minute, one))
	case err == nil || again != nil:
		return fmt.Errorf("expects an error of the operation to which one did not come, got %w, %w", err, again)
	case !some(arrays):
		return errors.New("expects arrays that MPI knows of to be kept, got them freed")
	}
	for start := time.Now(); some(arrays); time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > 20*timeout {
			return errors.New("expects arrays to be freed when all have come")
		}
	}
	return meetings(t, time.Minute, one)
}

// refused checks that an operation after one that was given up fails at once.
func refused(c collective.Communicator, m collective.Meeting) error {
	start := time.Now()
	if err := one(c, m); err == nil || time.Since(start) > time.Second {
		return fmt.Errorf("expects that the next operation fails at once, got %w after %v", err, time.Since(start))
	}
	return nil
}

// some reports whether any of the arrays is there.
func some(arrays []weak.Pointer[byte]) bool {
	runtime.GC()
	for _, p := range arrays {
		if p.Value() != nil {
			return true
		}
	}
	return false
}

// sum adds arrays of the members, and returns where they are.
//
//go:noinline
func sum(c collective.Communicator, m collective.Meeting) ([]weak.Pointer[byte], error) {
	send := []literal.Literal{literal.New(shape.Make(shape.S32, 20_000))}
	recv := []literal.Literal{literal.New(shape.Make(shape.S32, 20_000))}
	m.Op = "all-reduce"
	err := c.AllReduce(context.Background(), m, recv, send, collective.Reducer{Kind: collective.ReduceSum,
		Combine: func(acc, x literal.Literal) error { return nil }})
	return []weak.Pointer[byte]{weak.Make(&send[0].Bytes()[0]), weak.Make(&recv[0].Bytes()[0])}, err
}
