//go:build race

package exec

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// TestRaceAnnotations: what machine code is said to write without order is reported as a race. The
// report ends a program with an error, so the test runs in a program of its own.
func TestRaceAnnotations(t *testing.T) {
	const inner = "XLA_EXEC_TEST_RACE"
	if os.Getenv(inner) != "" {
		mem := new([4096]byte)
		var wg sync.WaitGroup
		wg.Go(func() { RaceRead(unsafe.Pointer(mem), len(mem)) })
		wg.Go(func() { RaceWrite(unsafe.Pointer(&mem[100]), 8) })
		wg.Wait()
		RaceWrite(unsafe.Pointer(mem), 0)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRaceAnnotations$")
	cmd.Env = append(os.Environ(), inner+"=1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("expected a race, got %v\n%s", err, out)
	}
}
