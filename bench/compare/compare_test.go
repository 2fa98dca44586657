package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// fakeEnv makes the test program an engine: its value is "MICROSECONDS VALUE [ERROR]", or "sleep".
const fakeEnv = "COMPARE_FAKE_ENGINE"

func TestMain(m *testing.M) {
	if fields := strings.Fields(os.Getenv(fakeEnv)); len(fields) > 0 && len(os.Args) > 2 {
		os.Exit(engine(fields, os.Args))
	}
	os.Exit(m.Run())
}

// engine does what xla bench and xla_cpu.py do with their arguments.
func engine(fields, args []string) int {
	if fields[0] == "sleep" {
		time.Sleep(time.Minute)
	}
	us, _ := strconv.ParseFloat(fields[0], 64)
	value, _ := strconv.ParseFloat(fields[1], 32)
	r := workload.Result{Name: args[len(args)-1], RunUSMin: us, RunUS: us, CompileMS: us / 10, Runs: 1}
	if len(fields) > 2 {
		r.Error = fields[2]
	}
	report := workload.Report{Results: []workload.Result{r}, Host: workload.Host{CallUS: 1, Tier: "avx2"}}
	if err := report.Write(args[slices.Index(args, "--json")+1], nil); err != nil {
		return 1
	}
	if i := slices.Index(args, "--dump-io"); i > 0 {
		out := []npy.Named{{Name: "0", Value: literal.Of([]float32{float32(value)})}}
		if npy.Save(filepath.Join(args[i+1], r.Name+".out.npz"), out) != nil {
			return 1
		}
	}
	return 0
}

// fake returns an engine that answers as text says.
func fake(t *testing.T, text string) side {
	t.Setenv(fakeEnv, text)
	return side{name: "engine", command: []string{os.Args[0], "bench"}, dir: t.TempDir()}
}

func TestSide(t *testing.T) {
	s := fake(t, "30 1.5")
	s.round(t.Context(), []string{"p"}, true, time.Minute)
	t.Setenv(fakeEnv, "20 1.5")
	s.round(t.Context(), []string{"p"}, false, time.Minute)
	if s.err != nil || s.best.RunUSMin != 20 || s.best.CompileMS != 2 || s.best.Runs != 2 || s.host.Tier != "avx2" {
		t.Errorf("got %+v, %v", s, s.err)
	}
	other := fake(t, "20 1.6")
	other.round(t.Context(), []string{"p"}, true, time.Minute)
	p := workload.Workload{Name: "p", RTol: 0.01}
	if err := check(p, s.dir, other.dir); err == nil {
		t.Error("1.5 and 1.6 agree within 0.01")
	}
	p.RTol = 0.1
	if err := check(p, s.dir, other.dir); err != nil {
		t.Error(err)
	}
	if err := check(workload.Workload{Name: "q"}, s.dir, other.dir); err == nil {
		t.Error("no error without outputs")
	}
}

// TestSideFails: an engine that reports an error, is slow, or is not there.
func TestSideFails(t *testing.T) {
	tests := []struct {
		engine, want string
		limit        time.Duration
	}{
		{"1 1 broken", "engine: broken", time.Minute},
		{"sleep", "engine: no result within 100ms", 100 * time.Millisecond},
	}
	for _, test := range tests {
		s := fake(t, test.engine)
		s.round(t.Context(), []string{"p"}, true, test.limit)
		if s.err == nil || s.err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.engine, s.err, test.want)
		}
		before := s.err
		s.round(t.Context(), []string{"p"}, true, time.Minute)
		if s.err != before {
			t.Errorf("%s: a round after a failure", test.engine)
		}
	}
	s := side{name: "engine", command: []string{filepath.Join(t.TempDir(), "absent")}, dir: t.TempDir()}
	s.round(t.Context(), nil, false, time.Minute)
	if s.err == nil {
		t.Error("no error without an engine")
	}
}

// TestInterrupted: the cause of an interruption is no slow program.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := measure(ctx, options{rounds: 1, limit: time.Minute, xla: os.Args[0], python: os.Args[0]},
		workload.Workload{}, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestRun: the whole way, with one engine for both.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	manifest, out := filepath.Join(dir, "m.json"), filepath.Join(dir, "out.md")
	text := `{"version": 1, "workloads": [{"name": "a", "group": "g", "file": "a.hlo"},
 {"name": "b", "group": "h", "file": "b.hlo"}]}`
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-manifest", manifest, "-xla", os.Args[0], "-python", os.Args[0], "-rounds", "2", "-out", out}
	t.Setenv(fakeEnv, "30 1.5")
	var printed strings.Builder
	if err := run(t.Context(), args, &printed); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| b | 30.0 | 30.0 | 1.00 | - | 3.00 | 3.00 | 1.00 | - | - | ok |\n",
		"| **all** | 2 | 1.00 | 1.00 |\n", "2 of 2 programs agree", "tier **avx2**"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	if !strings.Contains(printed.String(), "| a | 30.0") {
		t.Errorf("printed\n%s", printed.String())
	}
	t.Setenv(fakeEnv, "30 1.5 broken")
	if err := run(t.Context(), append(args, "a"), &printed); !errors.Is(err, errDiffers) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(printed.String(), "**xla bench: broken xla_cpu.py: broken** |") {
		t.Errorf("printed\n%s", printed.String())
	}
	if err := run(t.Context(), append(args, "c"), &printed); err == nil ||
		!strings.Contains(err.Error(), "no workload c") {
		t.Errorf("got %v", err)
	}
	if err := run(t.Context(), []string{"-rounds", "0"}, &printed); err == nil {
		t.Error("no error for -rounds 0")
	}
}

func TestTable(t *testing.T) {
	result := func(us float64) workload.Result { return workload.Result{RunUSMin: us, CompileMS: 1} }
	tab := &table{load: "3.50", rows: []row{
		{workload: workload.Workload{Name: "a", Group: "g"}, ours: result(10), theirs: result(40)},
		{workload: workload.Workload{Name: "b", Group: "g"}, ours: result(40), theirs: result(10)},
		{workload: workload.Workload{Name: "c", Group: "h"}, err: errors.New("x | y\nz " + strings.Repeat("é", 200))},
	}}
	if m := tab.means("g"); m.n != 2 || m.speed < 0.999 || m.speed > 1.001 {
		t.Errorf("means %+v, want 1 of 2", m)
	}
	if got := tab.below(0.5); !slices.Equal(got, []string{"b"}) {
		t.Errorf("below 0.5: %v", got)
	}
	text := tab.markdown()
	if !strings.Contains(text, "2 of 3 programs agree") || !strings.Contains(text, "| h | 0 | - | - |") ||
		!strings.Contains(text, "**x / y z é") || !strings.Contains(text, "when it began: 3.50.") {
		t.Errorf("got\n%s", text)
	}
}

func TestNumber(t *testing.T) {
	for want, v := range map[string]float64{"-": 0, "1235": 1234.6, "12.3": 12.34, "0.12": 0.123, "0.012": 0.0123} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %s, want %s", v, got, want)
		}
	}
}
