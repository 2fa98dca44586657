//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi/internal/mpitest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// hugeVariable is set to run the test that needs 5 GB of memory.
const hugeVariable = "XLA_MPI_HUGE"

// TestHuge: an array of more than 2^31 bytes, which is more than a count of MPI can say.
func TestHuge(t *testing.T) {
	if os.Getenv(hugeVariable) == "" {
		t.Skip("needs 5 GB of memory: set " + hugeVariable)
	}
	for _, launcher := range mpitest.Launchers(t) {
		for _, way := range []string{"", "/staged"} {
			out, err := launch(t, launcher, 2, "huge"+way)
			if err != nil || strings.Count(out, "DONE") != 2 || strings.Contains(out, "FAIL") {
				t.Errorf("%s%s: %v\n%s", launcher, way, err, out)
			}
		}
	}
}

// sceneHuge broadcasts 2^31 bytes and some.
func sceneHuge(t *Transport) error {
	const n = 1<<31 + 12_345
	value := func(i int) byte { return byte(i ^ i>>8 ^ i>>20) }
	return meetings(t, time.Minute, func(c collective.Communicator, m collective.Meeting) error {
		x := literal.New(shape.Make(shape.U8, n))
		b := x.Bytes()
		if c.Device() == 1 {
			for i := range b {
				b[i] = value(i)
			}
		}
		m.Op = "collective-broadcast"
		list := []literal.Literal{x}
		if err := c.Broadcast(context.Background(), m, 1, list, list); err != nil {
			return err
		}
		for i, got := range b {
			if got != value(i) {
				return fmt.Errorf("byte %d: got %d, want %d", i, got, value(i))
			}
		}
		return nil
	})
}
