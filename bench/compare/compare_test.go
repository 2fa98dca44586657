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

	"github.com/goxla/xla/internal/rates"
	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// fakeEnv makes the test program an engine: its value is "MICROSECONDS VALUE [sleep|break NAME]".
const fakeEnv = "COMPARE_FAKE_ENGINE"

func TestMain(m *testing.M) {
	if fields := strings.Fields(os.Getenv(fakeEnv)); len(fields) > 0 && len(os.Args) > 2 {
		os.Exit(engine(fields, os.Args))
	}
	os.Exit(m.Run())
}

// engine does what xla bench and xla_cpu.py do with their arguments: "sleep NAME" and "break NAME" behind the two
// numbers say what becomes of one program.
func engine(fields, args []string) int {
	us, _ := strconv.ParseFloat(fields[0], 64)
	value, _ := strconv.ParseFloat(fields[1], 32)
	threads, _ := strconv.Atoi(args[slices.Index(args, "--threads")+1])
	report := workload.Report{Host: workload.Host{CPUs: threads, CallUS: 1, Tier: "avx2",
		Rates: &rates.Rates{GFlops: 100, Copy: []rates.Bandwidth{{Bytes: 1, GBs: 10}}, LatencyNS: 1}}}
	for _, name := range args[slices.Index(args, "--threads")+2:] {
		scratch := int64(16 << 20)
		r := workload.Result{Name: name, RunUSMin: us, RunUS: us, CompileMS: us / 10, Runs: 1, TempBytes: &scratch}
		if len(fields) > 3 && fields[3] == name {
			switch fields[2] {
			case "sleep":
				time.Sleep(time.Minute)
			case "break":
				r.Error = "broken"
			}
		}
		report.Results = append(report.Results, r)
		if i := slices.Index(args, "--dump-io"); i > 0 {
			out := []npy.Named{{Name: "0", Value: literal.Of([]float32{float32(value)})}}
			if npy.Save(filepath.Join(args[i+1], r.Name+".out.npz"), out) != nil {
				return 1
			}
		}
	}
	if err := report.Write(args[slices.Index(args, "--json")+1], nil); err != nil {
		return 1
	}
	return 0
}

// fake returns an engine that answers as text says.
func fake(t *testing.T, text string) side {
	t.Setenv(fakeEnv, text)
	return side{name: "engine", command: []string{os.Args[0], "bench"}, dir: t.TempDir(), best: map[string]*best{}}
}

// one are the arguments of one thread.
var one = []string{"--threads", "1"}

func TestSide(t *testing.T) {
	s := fake(t, "30 1.5")
	s.round(t.Context(), []string{"p"}, one, true, time.Minute)
	t.Setenv(fakeEnv, "20 1.5")
	s.round(t.Context(), []string{"p"}, one, false, time.Minute)
	b := s.best["p"]
	if b.err != nil || b.result.RunUSMin != 20 || b.result.CompileMS != 2 || b.result.Runs != 2 || b.host.Tier != "avx2" {
		t.Errorf("got %+v", b)
	}
	other := fake(t, "20 1.6")
	other.round(t.Context(), []string{"p"}, one, true, time.Minute)
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

// TestSideFails: a program that reports an error or is slow is alone in it.
func TestSideFails(t *testing.T) {
	tests := []struct {
		engine, want string
		limit        time.Duration
	}{
		{"1 1 break p", "engine: broken", time.Minute},
		{"1 1 sleep p", "engine: no result within 200ms", 200 * time.Millisecond},
	}
	for _, test := range tests {
		s := fake(t, test.engine)
		for range 2 {
			s.round(t.Context(), []string{"p", "q"}, one, true, test.limit)
		}
		if err := s.best["p"].err; err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.engine, err, test.want)
		}
		if b := s.best["q"]; b.err != nil || b.result.Runs != 2 {
			t.Errorf("%s: the other program: %+v", test.engine, b)
		}
	}
	s := side{name: "engine", command: []string{filepath.Join(t.TempDir(), "absent")}, dir: t.TempDir(),
		best: map[string]*best{}}
	s.round(t.Context(), []string{"p"}, nil, false, time.Minute)
	if s.best["p"].err == nil {
		t.Error("no error without an engine")
	}
}

// TestInterrupted: the cause of an interruption is no slow program.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := options{rounds: 1, limit: time.Minute, xla: os.Args[0], python: os.Args[0]}
	st := &state{Programs: map[string]map[int]*measured{}}
	if err := measure(ctx, o, 1, make([]workload.Workload, 2), st, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// manifest writes one of two programs, and returns its flags.
func manifest(t *testing.T) []string {
	path := filepath.Join(t.TempDir(), "m.json")
	text := `{"version": 1, "workloads": [{"name": "a", "group": "g", "file": "a.hlo", "flops": 2000000},
 {"name": "b", "group": "h", "file": "b.hlo"}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"-manifest", path, "-xla", os.Args[0], "-python", os.Args[0], "-rounds", "2", "-threads", "1"}
}

// TestRun: the whole way, with one engine for both.
func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.md")
	args := append(manifest(t), "-out", out)
	t.Setenv(fakeEnv, "30 1.5")
	var printed strings.Builder
	if err := run(t.Context(), args, &printed); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| a | 1 | 30.0 | 30.0 | 1.00 | - | - | FMA | 20.0 | 0.67 | ok |\n",
		"| b | 3.00 | 3.00 | 1.00 | 16384 | 16384 | - | - | - |\n", "| b | 1 | 30.0 | 30.0 | 1.00 | - | - | call | 1.00 |",
		"| **all** | 2 | 1.00 | 1.00 |\n", "2 of 2 comparisons agree", "tier **avx2**", "ours 32768 KB, XLA's 32768 KB."} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	if !strings.Contains(printed.String(), "| a | 1 | 30.0") {
		t.Errorf("printed\n%s", printed.String())
	}
	t.Setenv(fakeEnv, "30 1.5 break a")
	if err := run(t.Context(), append(args, "a"), &printed); !errors.Is(err, errDiffers) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(printed.String(), "**xla bench: broken xla_cpu.py: broken** |") {
		t.Errorf("printed\n%s", printed.String())
	}
}

// TestState: what is in the file is measured again only if it is named.
func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	args := append(manifest(t), "-state", path)
	measure := func(us, want string, more ...string) {
		t.Helper()
		t.Setenv(fakeEnv, us+" 1.5")
		var printed strings.Builder
		if err := run(t.Context(), append(slices.Clone(args), more...), &printed); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(printed.String()) {
			if strings.HasPrefix(line, "| a ") || strings.HasPrefix(line, "| b ") {
				lines = append(lines, line[2:10])
			}
		}
		if got := strings.Join(lines, ","); got != want {
			t.Errorf("measured %s, want %s", got, want)
		}
	}
	measure("30", "a | 1 | ", "-programs", "^a")
	measure("40", "b | 1 | ")
	measure("50", "")
	measure("60", "a | 1 | ", "a")
	st, err := readState(path)
	if err != nil || st.Programs["a"][1].Ours.RunUSMin != 60 || st.Programs["b"][1].Ours.RunUSMin != 40 {
		t.Errorf("got %+v, %v", st, err)
	}
	if err := os.WriteFile(path, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), args, &strings.Builder{}); err == nil {
		t.Error("no error for a state that is none")
	}
}

func TestFlags(t *testing.T) {
	for _, test := range [][]string{{"no workload c", "c"}, {"no program matches x", "-programs", "x"},
		{"-rounds, -seconds, -limit: expects", "-rounds", "0"}, {"expects numbers from 1", "-threads", "1,0"},
		{"missing closing", "-programs", "("}} {
		err := run(t.Context(), append(manifest(t), test[1:]...), &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), test[0]) {
			t.Errorf("%v: error %v, want %s", test[1:], err, test[0])
		}
	}
}

func TestChunks(t *testing.T) {
	var list []workload.Workload
	for _, g := range []string{"a", "a", "b", "b", "b", "b", "b", "b", "b", "b", "b", "c"} {
		list = append(list, workload.Workload{Group: g})
	}
	var sizes []int
	for _, c := range chunks(list) {
		sizes = append(sizes, len(c))
	}
	if want := []int{2, 8, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("chunks of %v programs, want %v", sizes, want)
	}
}

func TestTable(t *testing.T) {
	result := func(us float64, bytes int64) workload.Result {
		return workload.Result{RunUSMin: us, CompileMS: 1, TempBytes: &bytes, ArgBytes: 5}
	}
	st := &state{Load: "3.50", Programs: map[string]map[int]*measured{}}
	st.set("a", 1, &measured{Ours: result(10, 9<<20), Theirs: result(40, 9<<20)})
	st.set("b", 1, &measured{Ours: result(40, 9<<20), Theirs: result(10, 8<<20)})
	st.set("c", 1, &measured{Error: shortened("x | y\nz " + strings.Repeat("é", 200))})
	all := []workload.Workload{{Name: "a", Group: "g"}, {Name: "b", Group: "g"}, {Name: "c", Group: "h"}}
	tab := newTable(options{}, all, st)
	if m := mean(inGroup(tab.rows[1], "g"), row.speed); m < 0.999 || m > 1.001 {
		t.Errorf("mean %g, want 1", m)
	}
	if got := below(tab.rows[1], 0.5); !slices.Equal(got, []string{"b (0.25)"}) {
		t.Errorf("below 0.5: %v", got)
	}
	text := tab.markdown()
	for _, want := range []string{"2 of 3 comparisons agree", "| h | 1 | - | - |", "**x / y z é", "when it began: 3.50.",
		"and than XLA: b.\n", "ours 18432 KB, XLA's 17408 KB.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestBound: the longest of the times bounds.
func TestBound(t *testing.T) {
	m := &measured{OursHost: workload.Host{CallUS: 1,
		Rates: &rates.Rates{GFlops: 100, Copy: []rates.Bandwidth{{Bytes: 1, GBs: 10}}, LatencyNS: 2}}}
	double := []workload.Spec{{Shape: "f64[3]"}}
	tests := []struct {
		program workload.Workload
		chain   float64
		want    bound
	}{
		{workload.Workload{Flops: 10, Bytes: 10}, 0, bound{"call", 1}},
		{workload.Workload{Flops: 1e6, Bytes: 10}, 0, bound{"FMA", 10}},
		{workload.Workload{Flops: 1e6, Bytes: 10, Params: double}, 0, bound{"FMA", 20}},
		{workload.Workload{Flops: 1e6, Bytes: 1e6}, 0, bound{"copy", 100}},
		{workload.Workload{Flops: 1e6, Bytes: 1e6}, 1e6, bound{"latency", 2000}},
	}
	for _, test := range tests {
		m.Ours.Chain = test.chain
		if got := boundOf(test.program, m); got != test.want {
			t.Errorf("%+v, chain %g: %+v, want %+v", test.program, test.chain, got, test.want)
		}
	}
	if got := boundOf(tests[1].program, &measured{}); got != (bound{}) {
		t.Errorf("without rates: %+v", got)
	}
}

func TestNumber(t *testing.T) {
	for want, v := range map[string]float64{"-": 0, "1235": 1234.6, "12.3": 12.34, "0.12": 0.123, "0.012": 0.0123} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %s, want %s", v, got, want)
		}
	}
}
