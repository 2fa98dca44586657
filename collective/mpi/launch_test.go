//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective/mpi/internal/mpitest"
)

// sceneVariable names the scene that this process, a rank, plays.
const sceneVariable = "XLA_MPI_TEST_SCENE"

// scenes are what ranks do; they return the exit status.
func scenes() map[string]func(*Transport) error {
	return map[string]func(*Transport) error{
		"operations": sceneOperations, "transfers": sceneTransfers, "lost": sceneLost, "golden": sceneGolden,
		"missing": sceneMissing, "peer": scenePeer, "ended": sceneEnded, "signal": sceneSignal, "killed": sceneKilled,
		"twice": sceneTwice, "types": sceneTypes, "order": sceneOrder, "sizes": sceneSizes, "silent": sceneSilent,
		"runs": sceneRuns, "huge": sceneHuge, "stranded": sceneStranded, "many": sceneMany, "stack": sceneStack,
	}
}

func TestMain(m *testing.M) {
	if name := os.Getenv(sceneVariable); name != "" {
		os.Exit(play(name))
	}
	os.Exit(m.Run())
}

// play runs a scene as a program would run: Close at the end, Abort after an error.
func play(name string) int {
	t, err := New(optionsOf(name))
	if err != nil {
		fmt.Println("FAIL:", err)
		return 1
	}
	scene := scenes()[sceneOf(name)]
	if trouble := troubles()[name]; trouble != nil {
		scene = sceneTrouble(name, trouble)
	}
	if err := scene(t); err != nil {
		fmt.Printf("FAIL: rank %d: %v\n", t.Rank(), err)
		time.Sleep(500 * time.Millisecond) // the others say what they have to say
		fmt.Println(t.Abort(3))
		return 3
	}
	if err := t.Close(); err != nil {
		fmt.Println("FAIL: close:", err)
		return 1
	}
	fmt.Printf("DONE %d of %d\n", t.Rank(), t.Size())
	t.Exit(0)
	return 0
}

// worlds are the numbers of ranks for tests of many cases: with -short, for machines with few cores, where MPICH's
// ranks take turns in waiting, 2 only. TestScenes has 4 ranks in any case.
func worlds() []int {
	if testing.Short() {
		return []int{2}
	}
	return []int{2, 4}
}

// launch plays a scene in so many ranks and returns what they print. Options are for the launcher.
func launch(t *testing.T, launcher string, ranks int, scene string, options ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := launching(ctx, launcher, ranks, scene, options...).CombinedOutput()
	return string(out), err
}

// launching returns the command that plays a scene in so many ranks.
func launching(ctx context.Context, launcher string, ranks int, scene string, options ...string) *exec.Cmd {
	return mpitest.Command(ctx, launcher, ranks, options, nil, []string{sceneVariable + "=" + scene})
}

// TestScenes: all ranks get through.
func TestScenes(t *testing.T) {
	for _, launcher := range mpitest.Launchers(t) {
		for _, ranks := range []int{1, 2, 4} {
			for _, scene := range []string{"operations", "transfers", "lost", "golden", "peer", "ended", "signal", "twice"} {
				t.Run(fmt.Sprintf("%s/%d/%s", launcher, ranks, scene), func(t *testing.T) {
					out, err := launch(t, launcher, ranks, scene)
					if err != nil || strings.Count(out, "DONE") != ranks || strings.Contains(out, "FAIL") {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		}
	}
}

// TestFailures: all ranks end, and the error says who is missing.
func TestFailures(t *testing.T) {
	tests := []struct{ scene, want string }{
		{"missing", "all-gather of devices [0 1]: device 1 did not come (gave up after 300ms)"},
		{"killed", ""},
	}
	for _, launcher := range mpitest.Launchers(t) {
		for _, test := range tests {
			t.Run(launcher+"/"+test.scene, func(t *testing.T) {
				start := time.Now()
				out, err := launch(t, launcher, 2, test.scene)
				if err == nil || !strings.Contains(out, test.want) || time.Since(start) > time.Minute {
					t.Errorf("%v after %v: expects %q\n%s", err, time.Since(start), test.want, out)
				}
			})
		}
	}
}

// TestWrongLibrary: the library of another launcher is refused, by us or by itself, as MPICH 5 does under Open MPI.
func TestWrongLibrary(t *testing.T) {
	list := mpitest.Launchers(t)
	if len(list) < 2 {
		t.Skip("needs two MPI launchers in XLA_MPI_LAUNCHER")
	}
	for i, launcher := range list[:2] {
		other, err := filepath.Glob(filepath.Join(filepath.Dir(list[1-i]), "..", "lib", "libmpi.so.[14]*"))
		if err != nil || len(other) != 1 {
			t.Skipf("no libmpi.so.12 or .40 beside %s", list[1-i])
		}
		t.Setenv(LibraryVariable, other[0])
		out, err := launch(t, launcher, 2, "signal")
		refused := strings.Contains(out, "expects a world of 2 processes") || strings.Contains(out, "unsupported PMI version")
		if err == nil || !refused || strings.Contains(out, "DONE") {
			t.Errorf("%s with %s: expects a world of the wrong size, got %v\n%s", launcher, other[0], err, out)
		}
	}
}
