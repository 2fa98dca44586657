//go:build linux && (amd64 || arm64)

package mpi

import "slices"

// This file keeps what belongs to an operation that was given up. MPI reads and writes the memory of its requests until
// they are over, which is seen by nobody but who tests them, and knows of it by address alone: the garbage collector
// would give it to others.

// strand keeps a lane whose operation has failed, with the arrays of that, until its requests are over: for ever, if
// they are not. What was to be done with the arrays then is not done.
func (e *engine) strand(l *lane) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range l.rounds {
		l.rounds[i].flight.giveUp()
	}
	e.stranded = append(e.stranded, l)
}

// giveUp drops the calls behind the test. The lock of the engine is held.
func (f *flight) giveUp() {
	if len(f.calls) > f.count {
		f.calls, f.names = f.calls[:f.count+1], f.names[:f.count+1]
	}
}

// progressStranded lets go of the lanes whose requests are over.
func (e *engine) progressStranded() {
	if len(e.stranded) > 0 {
		e.stranded = slices.DeleteFunc(e.stranded, func(l *lane) bool {
			first, second := e.drained(&l.rounds[0].flight), e.drained(&l.rounds[1].flight)
			return first && second
		})
	}
}

// drained tests the requests of a flight that nobody waits for. After an error of MPI nothing is known of them.
func (e *engine) drained(f *flight) bool {
	if e.direct && f.count > 0 && !f.over && f.err == nil {
		f.over, f.err = f.fly(f.count, 1)
	}
	return f.count == 0 || f.over
}
