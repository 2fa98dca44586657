package exec

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// See prctl(2), PR_SET_MDWE, Linux 6.3.
const (
	prSetMDWE          = 65
	mdweRefuseExecGain = 1
)

// TestRefused: where the system forbids to make memory executable, NewCode says ErrNoExec. The
// program cannot undo that, so the test runs in a program of its own.
func TestRefused(t *testing.T) {
	const inner = "XLA_EXEC_TEST_REFUSED"
	if os.Getenv(inner) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRefused$", "-test.v")
		cmd.Env = append(os.Environ(), inner+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip("this kernel cannot forbid executable memory")
		}
		return
	}
	if err := unix.Prctl(prSetMDWE, mdweRefuseExecGain, 0, 0, 0); err != nil {
		t.Skip(err)
	}
	if c, err := NewCode([]byte{0xc3}); !errors.Is(err, ErrNoExec) {
		t.Errorf("expected ErrNoExec, got %v, %v", c, err)
	}
	if Executable() {
		t.Error("expected no executable memory")
	}
}
