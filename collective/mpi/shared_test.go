//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ebitengine/purego"
)

// idleLibrary returns a library whose functions succeed and do nothing.
func idleLibrary(t *testing.T) *library {
	t.Helper()
	f, err := purego.Dlsym(purego.RTLD_DEFAULT, "sched_yield")
	if err != nil {
		t.Fatalf("no function to stand for those of MPI: %v", err)
	}
	lib := &library{constants: abiConstants()}
	for i := range lib.functions {
		lib.functions[i] = f
	}
	return lib
}

// TestConnectAlone: where others do not come a member gives up at the end of the context, or after the time-out.
func TestConnectAlone(t *testing.T) {
	for _, test := range []struct {
		limit, cancel time.Duration
		want          error
	}{
		{time.Minute, 50 * time.Millisecond, context.Canceled}, {50 * time.Millisecond, time.Minute, errBusy},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(test.cancel, cancel).Stop()
		l := newLane(&engine{lib: idleLibrary(t), arena: &arena{}}, 0, 0, []int{0, 1}, 0, true)
		start := time.Now()
		if err := l.connect(ctx, test.limit, true, true); !errors.Is(err, test.want) || l.pipes != nil {
			t.Errorf("expects %v and no pipes, got %v", test.want, err)
		}
		if spent := time.Since(start); spent > time.Minute/2 {
			t.Errorf("%v: gave up after %v", test.want, spent)
		}
	}
}

// TestDoCancelled: nobody waits for a library that does not return longer than the context lasts.
func TestDoCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := &engine{work: queue{bell: make(chan struct{}, 1)}}
	if err := e.do(ctx, time.Minute, func() error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("expects the end of the context, got %v", err)
	}
}
