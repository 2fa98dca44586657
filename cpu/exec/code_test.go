package exec

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// TestCallConvention: what a kernel finds in its registers, and that the caller does not mind what
// the kernel leaves in them.
func TestCallConvention(t *testing.T) {
	c := kernel(t, "convention", AVX2)
	for depth := range 300 {
		b := uint64(depth)
		args := struct {
			a     uint64
			b     *uint64
			sum   uint64
			spill uintptr
			mxcsr uint32
		}{a: 1 << 40, b: &b}
		recurse(depth, func() { call(c, unsafe.Pointer(&args)) })
		if args.sum != 1<<40+uint64(depth) {
			t.Fatalf("sum: expected %d, got %d", 1<<40+b, args.sum)
		}
		if args.spill%64 != 0 {
			t.Errorf("spill space: expected a multiple of 64, got %#x", args.spill)
		}
		if args.mxcsr&^0x3f != 0x1f80 {
			t.Errorf("MXCSR: expected 0x1f80 beside status bits, got %#x", args.mxcsr)
		}
	}
}

// recurse calls f with depth frames below it, so that the stack grows at different places.
//
//go:noinline
func recurse(depth int, f func()) byte {
	var pad [256]byte
	pad[depth%256] = byte(depth)
	if depth == 0 {
		f()
		return pad[0]
	}
	return recurse(depth-1, f) + pad[depth%256]
}

func TestCallAllocates(t *testing.T) {
	c := kernel(t, "convention", AVX2)
	if n := testing.AllocsPerRun(100, func() {
		b := uint64(1)
		args := [5]uint64{}
		p := struct {
			a uint64
			b *uint64
			r [3]uint64
		}{b: &b}
		call(c, unsafe.Pointer(&p))
		args[0] = p.r[0]
	}); n != 0 {
		t.Errorf("expected no allocation, got %v", n)
	}
}

func TestCode(t *testing.T) {
	if !canExec {
		if _, err := NewCode([]byte{0xc3}); !errors.Is(err, ErrNoExec) {
			t.Errorf("expected ErrNoExec, got %v", err)
		}
		return
	}
	want := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 2000)
	c, err := NewCode(want)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Len() != len(want) || !bytes.Equal(c.mem[:c.Len()], want) {
		t.Error("the region does not hold the code")
	}
	for _, b := range c.mem[c.Len():] {
		if b != trap {
			t.Fatalf("padding: expected %#x, got %#x", trap, b)
		}
	}
	if c.Entry(0)%pageSize != 0 || c.Entry(9999)-c.Entry(0) != 9999 {
		t.Errorf("entries: got %#x and %#x", c.Entry(0), c.Entry(9999))
	}
	for _, off := range []int{-1, c.Len()} {
		if !panics(func() { c.Entry(off) }) {
			t.Errorf("offset %d: expected a panic", off)
		}
	}
	if empty, err := NewCode(nil); err != nil {
		t.Error(err)
	} else {
		empty.Close()
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestCodeClose: Close in the midst of runs lets them end, and refuses the next ones.
func TestCodeClose(t *testing.T) {
	c := kernel(t, "ret", AVX2)
	var calls atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for c.Acquire() {
				for range 10 {
					call(c, nil)
					calls.Add(1)
				}
				c.Release()
			}
		})
	}
	for calls.Load() < 1000 {
		time.Sleep(time.Millisecond)
	}
	c.Close()
	c.Close()
	wg.Wait()
	if c.Acquire() {
		t.Error("closed code can be acquired")
	}
	if n := c.users.Load(); n != 0 {
		t.Errorf("users: expected 0, got %d", n)
	}
	if !panics(c.Release) {
		t.Error("Release without Acquire: expected a panic")
	}
}

func BenchmarkCall(b *testing.B) {
	c := kernel(b, "ret", AVX2)
	fn, args := c.Entry(0), [8]uint64{}
	for b.Loop() {
		Call(fn, unsafe.Pointer(&args))
	}
}

func BenchmarkAcquireRelease(b *testing.B) {
	c := kernel(b, "ret", AVX2)
	for b.Loop() {
		c.Acquire()
		c.Release()
	}
}

func BenchmarkNewCode(b *testing.B) {
	kernel(b, "ret", AVX2)
	code := make([]byte, 3000)
	for b.Loop() {
		c, err := NewCode(code)
		if err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
	runtime.KeepAlive(code)
}
