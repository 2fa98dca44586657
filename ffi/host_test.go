package ffi_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

func TestQueueOrder(t *testing.T) {
	const n = 100
	q := ffi.NewHost().Infeed(0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			if err := q.Put(literal.Scalar(int32(i))); err != nil {
				t.Error(err)
			}
		}
		q.Close()
	})
	for i := range n {
		v, err := q.Take(t.Context())
		if err != nil || v.IntAt(0) != int64(i) {
			t.Fatalf("value %d: %v, %v", i, v, err)
		}
	}
	wg.Wait()
	if _, err := q.Take(t.Context()); !errors.Is(err, ffi.ErrClosed) {
		t.Errorf("taking from a closed queue: %v", err)
	}
	if err := q.Put(literal.Scalar(int32(0))); !errors.Is(err, ffi.ErrClosed) {
		t.Errorf("putting into a closed queue: %v", err)
	}
}

func TestQueueWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q ffi.Queue
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := q.Take(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		go func() {
			time.Sleep(time.Hour)
			_ = q.Put(literal.Scalar(int32(5)))
			_ = q.Put(literal.Scalar(int32(6)))
		}()
		if v, err := q.Take(t.Context()); err != nil || v.IntAt(0) != 5 {
			t.Errorf("got %v, %v", v, err)
		}
		synctest.Wait()
		if rest := q.Drain(); len(rest) != 1 || rest[0].IntAt(0) != 6 {
			t.Errorf("left over: %v", rest)
		}
	})
}

// TestHostClose: closing ends what devices read, also queues that come later, and not
// what they write.
func TestHostClose(t *testing.T) {
	h := ffi.NewHost()
	early := h.FromHost(0, 3)
	h.Close()
	for _, q := range []*ffi.Queue{early, h.Infeed(1)} {
		if _, err := q.Take(t.Context()); !errors.Is(err, ffi.ErrClosed) {
			t.Errorf("got %v, want %v", err, ffi.ErrClosed)
		}
	}
	for _, q := range []*ffi.Queue{h.Outfeed(1), h.ToHost(0, 3)} {
		if err := q.Put(literal.Scalar(int32(1))); err != nil {
			t.Error(err)
		}
	}
	if first := h.Outfeed(1); first != h.Outfeed(1) || h.Outfeed(1) == h.Outfeed(2) || h.ToHost(0, 1) == h.ToHost(0, 2) {
		t.Error("expects one queue a port")
	}
}
