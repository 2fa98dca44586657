package xla_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla"
	"github.com/goxla/xla/shape"
)

// TestBufferHugePages: a large slice that becomes a buffer may be on huge pages.
func TestBufferHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("no huge pages")
	}
	x := make([]float32, 4<<20)
	if _, err := newClient(t, xla.Options{}).Buffer(x, shape.Strided{}); err != nil {
		t.Fatal(err)
	}
	if flags := mappingFlags(t, uintptr(unsafe.Pointer(&x[len(x)/2]))); !strings.Contains(flags+" ", " hg ") {
		t.Errorf("not asked for: the flags of the memory are%s", flags)
	}
}

// mappingFlags is what the system says of the mapped memory that has an address.
func mappingFlags(t *testing.T, address uintptr) string {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	in := false
	for line := range strings.Lines(string(smaps)) {
		var lo, hi uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &lo, &hi); n == 2 {
			in = lo <= address && address < hi
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && in {
			return strings.TrimRight(flags, "\n")
		}
	}
	t.Skip("the system does not say what memory is for")
	return ""
}
