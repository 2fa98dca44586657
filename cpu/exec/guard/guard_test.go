package guard

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

func TestGuards(t *testing.T) {
	for _, n := range []int{1, 63, page, page + 1, 3 * page} {
		for name, mem := range map[string][]byte{"before": Before(t, n), "after": After(t, n)} {
			if len(mem) != n {
				t.Fatalf("%s: expected %d bytes, got %d", name, n, len(mem))
			}
			for i := range mem {
				mem[i]++
			}
		}
		if !Guarded {
			continue
		}
		if below := unsafe.Add(unsafe.Pointer(&Before(t, n)[0]), -1); !faults(below) {
			t.Errorf("%d bytes: the byte before them can be read", n)
		}
		if above := unsafe.Add(unsafe.Pointer(&After(t, n)[0]), n); !faults(above) {
			t.Errorf("%d bytes: the byte after them can be read", n)
		}
	}
	if n := len(After(t, 0)) + len(Before(t, 0)); n != 0 {
		t.Errorf("expected empty buffers, got %d bytes", n)
	}
}

func faults(p unsafe.Pointer) (fault bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() != nil }()
	sink = *(*byte)(p)
	return false
}

var sink byte
