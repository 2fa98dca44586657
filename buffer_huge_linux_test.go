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

// TestBufferHugePages: a large slice that becomes a buffer keeps its elements, and where the system has huge pages and
// says what it was asked for, it was asked for them.
func TestBufferHugePages(t *testing.T) {
	x := make([]float32, 4<<20)
	x[0], x[len(x)-1] = 1, 2
	if _, err := newClient(t, xla.Options{}).Buffer(x, shape.Strided{}); err != nil {
		t.Fatal(err)
	}
	if x[0] != 1 || x[1] != 0 || x[len(x)-1] != 2 {
		t.Error("the slice changed")
	}
	_, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled")
	flags := mappingFlags(uintptr(unsafe.Pointer(&x[len(x)/2])))
	if err == nil && flags != "" && !strings.Contains(flags+" ", " hg ") {
		t.Errorf("not asked for: the flags of the memory are%s", flags)
	}
}

// mappingFlags is what the system says of the mapped memory that has an address; "" where it does not say.
func mappingFlags(address uintptr) string {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return ""
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
	return ""
}
