package exec

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func TestArena(t *testing.T) {
	for _, size := range []int{0, 1, 63, pageSize, pageSize + 1, hugePage - 1, hugePage, 3*hugePage + 5} {
		a, err := NewArena(size)
		if err != nil {
			t.Fatal(err)
		}
		mem := a.Bytes()
		if len(mem) != size || cap(mem) != size {
			t.Errorf("expected %d bytes, got %d of %d", size, len(mem), cap(mem))
		}
		align := pageSize
		if size >= hugePage {
			align = hugePage
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(mem))); at%uintptr(align) != 0 {
			t.Errorf("%d bytes: expected a multiple of %d, got %#x", size, align, at)
		}
		if len(bytes.Trim(mem, "\x00")) != 0 {
			t.Errorf("%d bytes: not zero", size)
		}
		for i := range mem {
			mem[i] = 1
		}
		a.Close()
		a.Close()
		if a.Bytes() != nil {
			t.Errorf("%d bytes: there after Close", size)
		}
	}
	for _, size := range []int{-1, math.MinInt, math.MaxInt, maxMap} {
		if a, err := NewArena(size); err == nil {
			t.Errorf("%d bytes: expected an error, got %d bytes", size, len(a.Bytes()))
		}
	}
}

// TestArenaCollected: the memory of an arena that nobody holds is unmapped.
func TestArenaCollected(t *testing.T) {
	if !offHeap {
		t.Skip("the memory is of the Go heap")
	}
	const total = 100 * hugePage
	mapped := mappedKiB(t)
	func() {
		a, err := NewArena(total)
		if err != nil {
			t.Fatal(err)
		}
		if grown := mappedKiB(t) - mapped; grown < total>>10 {
			t.Fatalf("address space: expected %d KiB more, got %d", total>>10, grown)
		}
		runtime.KeepAlive(a)
	}()
	grown := 0
	for range 100 {
		runtime.GC()
		if grown = mappedKiB(t) - mapped; grown < total>>11 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d KiB are still mapped", grown)
}

// mappedKiB returns the size of the address space in use.
func mappedKiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmSize:")
	kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(kib)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
