package xla_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
)

// TestCompiledRandomModules runs random modules on the evaluator and on the compiler. XLA_SEEDS says how many.
func TestCompiledRandomModules(t *testing.T) {
	seeds := uint64(200)
	if n, err := strconv.ParseUint(os.Getenv("XLA_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	for seed := range seeds {
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
		t.Errorf("seed %d: compiled: error %v, evaluated: error %v\n%s", seed, err, wantErr, hlotext.String(m, hlotext.Full()))
		return
	}
	for k := range want {
		err := literal.Compare(got[k], want[k], literal.RelativeToLargest(1e-3))
		if err != nil && literal.Compare(got[k], want[k], literal.Relative(1e-3, 1e-9)) != nil { // what cancels is small
			t.Errorf("seed %d: result %d: %v\n%s", seed, k, err, hlotext.String(m, hlotext.Full()))
			return
		}
	}
}
