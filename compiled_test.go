package xla_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
)

// TestCompiledRandomModules runs random modules on the evaluator and on the compiler. XLA_SEEDS says how many, as
// "1000", or from which to which, as "1000-2000".
func TestCompiledRandomModules(t *testing.T) {
	first, last := uint64(0), uint64(200)
	if s := os.Getenv("XLA_SEEDS"); s != "" {
		var err error
		from, to, isRange := strings.Cut(s, "-")
		if isRange {
			first, err = strconv.ParseUint(from, 10, 64)
			from = to
		}
		if err == nil {
			last, err = strconv.ParseUint(from, 10, 64)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for seed := first; seed < last; seed++ {
		checkCompiled(t, seed)
	}
}

// FuzzCompiled is the same from seeds that the fuzzer chooses.
func FuzzCompiled(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(checkCompiled)
}

func checkCompiled(t *testing.T, seed uint64) {
	m, args := hlotest.FromSeed(seed)
	compareBackends(t, fmt.Sprintf("seed %d", seed), m, args)
}

// compareBackends runs m on the evaluator and on the compiler and reports what differs.
func compareBackends(t *testing.T, name string, m *hlo.Module, args []literal.Literal) {
	t.Helper()
	run := func(b xla.Backend) ([]literal.Literal, error) {
		client, err := xla.NewClient(xla.Options{Backend: b, Host: hlotest.Host(m)})
		if err != nil {
			return nil, err
		}
		exe, err := client.Compile(t.Context(), m)
		if err != nil {
			return nil, err
		}
		return exe.Run(t.Context(), args...)
	}
	want, wantErr := run(xla.Interp())
	got, err := run(xla.CPU())
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%s: compiled: error %v, evaluated: error %v\n%s", name, err, wantErr, hlotext.String(m, hlotext.Full()))
		return
	}
	for k := range want {
		err := literal.Compare(got[k], want[k], literal.RelativeToLargest(1e-3))
		if err != nil && literal.Compare(got[k], want[k], literal.Relative(1e-3, 1e-9)) != nil { // what cancels is small
			t.Errorf("%s: result %d: %v\n%s", name, k, err, hlotext.String(m, hlotext.Full()))
			return
		}
	}
}

// TestCompiledCases runs the programs of testdata/compiled, each of which was once compiled wrongly.
func TestCompiledCases(t *testing.T) {
	files, err := filepath.Glob("testdata/compiled/*.hlo")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			prog, err := xla.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			args := hlotest.Arguments(rand.New(rand.NewPCG(1, 2)), prog.Module())
			compareBackends(t, path, prog.Module(), args)
		})
	}
}
