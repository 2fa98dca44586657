//go:build linux && (amd64 || arm64)

package mpi

import "unsafe"

// flight is requests that are begun together and waited for together. It belongs to a lane, which uses it again.
type flight struct {
	engine *engine
	// calls begin the requests; behind them stands the one that tests all of them, and then what is to be done at the end.
	calls    []invocation
	names    []function // of the calls
	finally  []invocation
	requests []uint64 // handles, of requestSize bytes each
	count    int      // of the requests
	flag     int32
	batch    batch

	// over and err are under the lock of the engine where one goroutine makes all calls, and bell rings then.
	over bool
	err  error
	bell chan struct{}
}

// testsAtOnce is how often a flight is tested before the engine looks after the rest.
const testsAtOnce = 64

// clear makes the flight ready for other requests, as many as that at most.
func (f *flight) clear(most int) {
	f.calls, f.names, f.finally, f.count, f.flag = f.calls[:0], f.names[:0], f.finally[:0], 0, 0
	if len(f.requests) < most {
		f.requests = make([]uint64, most)
	}
}

// begin adds a call that begins a request, whose address is its last argument. The memory behind the other
// addresses is kept by the caller.
func (f *flight) begin(fn function, args ...uintptr) {
	c := invocation{function: f.engine.lib.functions[fn]}
	c.args[copy(c.args[:], args)] = f.request(f.count)
	f.calls, f.names = append(f.calls, c), append(f.names, fn)
	f.count++
}

// then adds a call of MPI_Reduce_local for when all requests are over.
func (f *flight) then(args ...uintptr) {
	c := invocation{function: f.engine.lib.functions[fnReduceLocal]}
	copy(c.args[:], args)
	f.finally = append(f.finally, c)
}

// request returns the address of a request.
func (f *flight) request(i int) uintptr {
	return uintptr(unsafe.Pointer(&f.requests[0])) + uintptr(i*f.engine.lib.requestSize)
}

// ready adds the test.
func (f *flight) ready() {
	f.calls = append(f.calls, invocation{function: f.engine.lib.functions[fnTestall], args: [8]uintptr{uintptr(f.count),
		f.request(0), uintptr(unsafe.Pointer(&f.flag)), f.engine.lib.statusIgnore}})
	f.names = append(f.names, fnTestall)
	for _, c := range f.finally {
		f.calls, f.names = append(f.calls, c), append(f.names, fnReduceLocal)
	}
}

// launch begins the requests.
func (f *flight) launch() error {
	f.over, f.err = f.count == 0, nil
	if f.over {
		return nil
	}
	f.ready()
	e := f.engine
	if e.direct {
		e.mu.Lock()
		defer e.mu.Unlock()
		f.takeOff()
		return f.err
	}
	e.add(func() {
		if f.takeOff(); f.over || f.err != nil {
			ring(f.bell)
			return
		}
		e.flights = append(e.flights, f)
	})
	return nil
}

// takeOff makes the calls that begin the requests, and tests them. The lock of the engine is held.
func (f *flight) takeOff() {
	if f.err = f.engine.failed; f.err == nil {
		f.over, f.err = f.fly(0, testsAtOnce)
	}
}

// test reports whether all requests are over.
func (f *flight) test() (over bool, err error) {
	e := f.engine
	if e.direct && f.over {
		return true, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.direct {
		return f.over, f.err
	}
	if e.failed != nil {
		return false, e.failed
	}
	f.over, f.err = f.fly(f.count, testsAtOnce)
	return f.over, f.err
}

// fly makes the calls from one on, to that which tests, so often at most, or the end. The lock of the engine is held.
func (f *flight) fly(from, tests int) (over bool, err error) {
	f.batch.set(f.calls[from:], f.count-from, tests, &f.flag)
	f.batch.run()
	if f.batch.code != 0 {
		return false, f.engine.lib.check(f.names[from+f.batch.last()], int32(f.batch.code))
	}
	return f.flag != 0, nil
}

// progressFlights tests flights for those who wait for them, and reports whether any is over.
func (e *engine) progressFlights() (some bool) {
	left := e.flights[:0]
	for _, f := range e.flights {
		if f.over, f.err = f.fly(f.count, testsAtOnce); f.over || f.err != nil {
			some = true
			ring(f.bell)
			continue
		}
		left = append(left, f)
	}
	clear(e.flights[len(left):])
	e.flights = left
	return some
}
