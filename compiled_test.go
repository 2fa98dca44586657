package xla_test

import (
	"cmp"
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
	"github.com/goxla/xla/internal/perturb"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
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
	closer := 0
	for seed := first; seed < last; seed++ {
		if checkCompiled(t, seed) {
			closer++
		}
	}
	t.Logf("%d modules; %d of them differ, as much as roundings may make of it", last-first, closer)
}

// FuzzCompiled is the same from seeds that the fuzzer chooses.
func FuzzCompiled(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Add(uint64(400670970)) // reductions over no dimension, together
	f.Add(uint64(500366004)) // a product in pieces, of which small ones overflow
	f.Fuzz(func(t *testing.T, seed uint64) { checkCompiled(t, seed) })
}

func checkCompiled(t *testing.T, seed uint64) (closer bool) {
	m, args := hlotest.FromSeed(seed)
	return compareBackends(t, fmt.Sprintf("seed %d", seed), m, args)
}

// compareBackends runs m on the evaluator and on the compiler and reports what differs by more than roundings may
// make of it. It returns whether it took a closer look.
func compareBackends(t *testing.T, name string, m *hlo.Module, args []literal.Literal) (closer bool) {
	t.Helper()
	want, wantErr := runOn(t, xla.Interp(), m, args)
	got, err := runOn(t, xla.CPU(), m, args)
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%s: compiled: error %v, evaluated: error %v\n%s", name, err, wantErr, hlotext.String(m, hlotext.Full()))
		return false
	}
	if err == nil && !areClose(got, want) {
		closer = true
		if err := checkAnswers(t, m, args, got); err != nil {
			t.Errorf("%s: %v\n%s", name, err, hlotext.String(m, hlotext.Full()))
		}
	}
	return closer
}

func runOn(t *testing.T, b xla.Backend, m *hlo.Module, args []literal.Literal) ([]literal.Literal, error) {
	client, err := xla.NewClient(xla.Options{Backend: b, Host: hlotest.Host(m)})
	if err != nil {
		return nil, err
	}
	exe, err := client.Compile(t.Context(), m)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(t.Context(), args...)
}

// areClose tells what needs no closer look.
func areClose(got, want []literal.Literal) bool {
	for k := range want {
		tolerance := literal.RelativeToLargest(roundings(want[k].Type()))
		if literal.Compare(got[k], want[k], tolerance) != nil {
			return false
		}
	}
	return true
}

// roundings is how far results may be apart for some roundings, relative to the largest.
func roundings(t shape.ElementType) float64 {
	switch t {
	case shape.F64, shape.C128:
		return 1e-12
	case shape.F32, shape.C64:
		return 1e-5
	}
	return 1e-3 // less than one
}

// checkAnswers compares results with evaluations whose own roundings are moved at random.
func checkAnswers(t *testing.T, m *hlo.Module, args, got []literal.Literal) error {
	answers, err := perturb.NewAnswers(t.Context(), m, args)
	if err != nil {
		return err
	}
	for _, runs := range []int{20, 200} {
		if err := answers.Extend(t.Context(), runs); err != nil {
			return err
		}
		err = nil
		for k := range got {
			err = cmp.Or(err, answers.Check(k, got[k], roundings(got[k].Type())))
		}
		if err == nil {
			return nil
		}
	}
	return err
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
