package xla_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
)

// TestThreadsOfPrograms: every 16th of the programs of bench and its variants has the same bits on 1, 2 and 5 threads.
// XLA_SAME_BITS names the files and folders of programs to try instead, by commas: all that load and have arguments
// of known size, but those whose runs take five seconds.
func TestThreadsOfPrograms(t *testing.T) {
	list, few := benchPrograms(t), os.Getenv("XLA_SAME_BITS") == ""
	if !few {
		list = programFiles(t, strings.Split(os.Getenv("XLA_SAME_BITS"), ","), list)
	}
	counts := map[string]int{}
	var clients []*xla.Client
	for _, threads := range racetest.Threads(1, 2, 5) {
		clients = append(clients, newClient(t, xla.Options{Backend: xla.CPU(), Threads: threads}))
	}
	for k, w := range list {
		if few && k%16 > 0 {
			continue
		}
		counts[sameBits(t, clients, w)]++
	}
	t.Logf("of %d programs: %v", len(list), counts)
	if counts["same"] == 0 {
		t.Error("no program ran")
	}
}

// benchPrograms are the programs of both manifests.
func benchPrograms(t *testing.T) []workload.Workload {
	var list []workload.Workload
	for _, dir := range []string{filepath.Join("bench", "variants"), filepath.Join(hlotest.Shared(t), "bench")} {
		part, err := workload.ReadManifest(filepath.Join(dir, "workloads.json"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part...)
	}
	return list
}

// programFiles are the programs at places; those of manifests have the arguments that these say.
func programFiles(t *testing.T, places []string, known []workload.Workload) []workload.Workload {
	named := map[string]workload.Workload{}
	for _, w := range known {
		named[filepath.Clean(w.File)] = w
	}
	var list []workload.Workload
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.Contains(".hlo .mlir .mlirbc .pb", filepath.Ext(path)) &&
				filepath.Ext(path) != "" {
				w, ok := named[filepath.Clean(path)]
				if !ok {
					w = workload.OfFile(path, 1)
				}
				list = append(list, w)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// mostArgs is the most bytes of arguments of a program that is tried.
const mostArgs = 1 << 28

// sameBits compares the results of w on clients, and returns what became of it.
func sameBits(t *testing.T, clients []*xla.Client, w workload.Workload) string {
	prog, err := xla.Load(w.File)
	if err != nil {
		return "does not load"
	}
	size := 0
	for _, p := range prog.EntrySignature().Params {
		n, err := p.ByteSize()
		if size += n; err != nil || size > mostArgs {
			return "has large arguments"
		}
	}
	args, err := w.Inputs(prog.EntrySignature().Params)
	if err != nil {
		return "has arguments of unknown size"
	}
	var first []literal.Literal
	for k, c := range clients {
		got, err := resultsOf(t.Context(), c, prog, args)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return "takes long"
		case err != nil && k > 0:
			t.Errorf("%s fails on the %d. number of threads only: %v", w.File, k+1, err)
			return "fails"
		case err != nil:
			t.Logf("%s: %v", w.File, err)
			return "fails"
		case k == 0:
			first = got
			continue
		}
		for n := range first {
			if err := literal.Compare(got[n], first[n], literal.ULP(0)); err != nil {
				t.Errorf("%s: result %d of the %d. number of threads is not that of one: %v", w.File, n, k+1, err)
				return "differs"
			}
		}
	}
	return "same"
}

// resultsOf are those of prog on c.
func resultsOf(ctx context.Context, c *xla.Client, prog xla.Source, args []literal.Literal) ([]literal.Literal, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	exe, err := c.Compile(ctx, prog)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.RunWith(ctx, args, xla.WithHost(nil))
}
