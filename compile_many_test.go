package xla_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// executables returns how many pieces of executable memory the process has that come from no file, -1 where the system
// does not tell.
func executables() int {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return -1
	}
	n := 0
	for line := range strings.Lines(string(maps)) {
		if f := strings.Fields(line); len(f) == 5 && strings.Contains(f[1], "x") {
			n++
		}
	}
	return n
}

func heapNow() uint64 {
	runtime.GC()
	runtime.GC() // what cleanups let go
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// scaled multiplies by a number.
const scaled = `HloModule scaled

ENTRY main {
  p = f32[64] parameter(0)
  c = f32[] constant(%d)
  b = f32[64] broadcast(c), dimensions={}
  ROOT r = f32[64] multiply(p, b)
}
`

// TestManyExecutables: a thousand executables live side by side, and give their memory back when they are closed.
func TestManyExecutables(t *testing.T) {
	const count, least = 1000, 4 << 10 // least bytes that an executable takes
	client := newClient(t, xla.Options{Backend: xla.CPU(), Threads: 1})
	before, regions := heapNow(), executables()
	list := make([]*xla.Executable, count)
	for n := range list {
		var err error
		list[n], err = client.Compile(t.Context(), parse(t, fmt.Sprintf(scaled, n)))
		if err != nil {
			t.Fatal(err)
		}
	}
	two := literal.New(shape.Make(shape.F32, 64))
	for i := range 64 {
		two.SetFloat(i, 2)
	}
	for n, exe := range list {
		out, err := exe.Run(t.Context(), two)
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].FloatAt(63); got != float64(2*n) {
			t.Errorf("executable %d: expected %d, got %v", n, 2*n, got)
		}
		exe.Close()
	}
	with := heapNow()
	runtime.KeepAlive(list)
	clear(list)
	if with < before+count*least {
		t.Errorf("expected %d executables to take %d bytes at least, got %d", count, count*least, with-before)
	}
	if after := heapNow(); after > before+(with-before)/10 {
		t.Errorf("expected the heap to fall from %d bytes to about %d, got %d", with, before, after)
	}
	if after := executables(); after > regions {
		t.Errorf("expected %d regions of executable memory once all is closed, got %d", regions, after)
	}
}
