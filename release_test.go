package xla_test

import (
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// released compiles a program of n elements that adds one, and hands its argument on.
func released(t *testing.T, backend xla.Backend) (*xla.Client, *xla.Executable) {
	t.Helper()
	client := newClient(t, xla.Options{Backend: backend})
	exe, err := client.Compile(t.Context(), parse(t, `HloModule m
ENTRY e {
  x = f32[40000] parameter(0)
  one = f32[] constant(1)
  ones = f32[40000] broadcast(one), dimensions={}
  y = f32[40000] add(x, ones)
  ROOT t = (f32[40000], f32[40000]) tuple(y, x)
}`))
	if err != nil {
		t.Fatal(err)
	}
	return client, exe
}

func runBuffers(t *testing.T, exe *xla.Executable, x *xla.Buffer) []*xla.Buffer {
	t.Helper()
	out, err := exe.RunBuffers(t.Context(), []*xla.Buffer{x})
	if err != nil {
		t.Error(err)
	}
	return out
}

// place is where the elements of a buffer are.
func place(t *testing.T, b *xla.Buffer) *byte { return unsafe.SliceData(value(t, b).Bytes()) }

// TestReleaseKeepsOthers: results that are alive, arguments, and what a caller owns are nobody else's memory, whatever
// was released.
func TestReleaseKeepsOthers(t *testing.T) {
	for _, backend := range []xla.Backend{xla.Interp(), xla.CPU()} {
		client, exe := released(t, backend)
		data := make([]float32, 40000)
		mine := buffer(t, client, data)
		x := bufferOf(t, client, literal.New(shape.Make(shape.F32, 40000)))
		out := runBuffers(t, exe, x)
		for range 5 {
			next := runBuffers(t, exe, out[0])
			used := map[*byte]bool{}
			for _, b := range append(next, out[0], mine, x) {
				used[place(t, b)] = true
			}
			if len(used) != 5 {
				t.Errorf("%s: 5 arrays have %d places", backend.Name(), len(used))
			}
			for _, b := range out {
				b.Release()
				b.Release() // which does nothing
			}
			out = next
		}
		mine.Release()
		if got := value(t, out[0]).Bytes(); len(got) == 0 || value(t, out[0]).FloatAt(39999) != 6 {
			t.Errorf("%s: got %v, want 6", backend.Name(), value(t, out[0]).FloatAt(39999))
		}
		_ = runBuffers(t, exe, x)
		if data[7] != 0 {
			t.Errorf("%s: memory of the caller was written", backend.Name())
		}
	}
}

// TestReleaseReuses: the memory of a result that was released is that of a later one, and NewBuffer has zeros in it.
func TestReleaseReuses(t *testing.T) {
	client, exe := released(t, xla.CPU())
	x := bufferOf(t, client, literal.New(shape.Make(shape.F32, 40000)))
	seen, again := map[*byte]bool{}, 0
	for range 50 {
		for _, b := range runBuffers(t, exe, x) {
			if p := place(t, b); seen[p] {
				again++
			} else {
				seen[p] = true
			}
			b.Release()
		}
		b, err := client.NewBuffer(shape.Make(shape.F32, 40000))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range value(t, b).Bytes() {
			if v != 0 {
				t.Fatal("NewBuffer: memory that was released is not cleared")
			}
		}
		b.Release()
	}
	if again == 0 {
		t.Error("no result was in memory that was released")
	}
}

// TestReleased: a buffer that was released is refused, and one that was donated can be released, which does nothing.
func TestReleased(t *testing.T) {
	client, exe := released(t, xla.CPU())
	x := bufferOf(t, client, literal.New(shape.Make(shape.F32, 40000)))
	out := runBuffers(t, exe, x)
	out[0].Release()
	_, err := out[0].Literal()
	wantError(t, err, "donated to a run or released")
	_, err = exe.RunBuffers(t.Context(), out[:1])
	wantError(t, err, "donated or released")
	wantError(t, exe.RunInto(t.Context(), out, []*xla.Buffer{x}), "result 0 of m: expects f32[40000]")
	taken, err := exe.RunBuffers(t.Context(), out[1:], xla.Donate(0))
	if err != nil {
		t.Fatal(err)
	}
	out[1].Release()
	fresh := runBuffers(t, exe, x)
	for _, b := range fresh {
		if place(t, b) == place(t, taken[0]) || place(t, b) == place(t, taken[1]) {
			t.Error("memory that was donated is that of two results")
		}
	}
}

// TestReleaseConcurrent: results that several goroutines have at a time are apart.
func TestReleaseConcurrent(t *testing.T) {
	client, exe := released(t, xla.CPU())
	var wg sync.WaitGroup
	for g := range 4 {
		xs := make([]float32, 40000)
		for i := range xs {
			xs[i] = float32(g * 1000)
		}
		x := buffer(t, client, xs)
		wg.Go(func() {
			for range 50 {
				for k, b := range runBuffers(t, exe, x) {
					l, err := b.Literal()
					if got, want := l.FloatAt(12345), float64(g*1000+1-k); err != nil || got != want {
						t.Errorf("result %d: got %v, %v, want %v", k, got, err, want)
					}
					b.Release()
				}
			}
		})
	}
	wg.Wait()
}

// TestReleaseKeepsNoClient: a buffer that is kept does not keep the client, whose threads end when it is collected.
func TestReleaseKeepsNoClient(t *testing.T) {
	gone := make(chan bool)
	var kept *xla.Buffer
	func() {
		client, err := xla.NewClient(xla.Options{Backend: xla.CPU(), Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if kept, err = client.NewBuffer(shape.Make(shape.F32, 100)); err != nil {
			t.Fatal(err)
		}
		runtime.AddCleanup(client, func(gone chan bool) { close(gone) }, gone)
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			kept.Release()
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the client was not collected")
}
