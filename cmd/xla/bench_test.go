package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

const doubled = `HloModule doubled

ENTRY e {
  p = f32[3] parameter(0)
  q = bf16[2] parameter(1)
  s = f32[3] add(p, p)
  ROOT t = (f32[3], bf16[2]) tuple(s, q)
}
`

func TestBench(t *testing.T) {
	in, dir := file(t, "doubled.hlo", doubled), t.TempDir()
	report := filepath.Join(dir, "r.json")
	out := expect(t, exitDone, "run_us_med", "bench", in, "--runs", "3", "--json", report, "--dump-io", dir,
		"--threads", "1", "--rates")
	if !strings.Contains(out, "\ndoubled  ") {
		t.Errorf("printed\n%s", out)
	}
	r, err := workload.ReadReport(report)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Results[0]
	if got.Runs != 3 || got.RunUS < got.RunUSMin || got.RunUSMin <= 0 || got.CompileMS <= 0 ||
		got.TempBytes == nil || got.ArgBytes != 16 || got.OutBytes != 16 {
		t.Errorf("got %+v", got)
	}
	if r.Engine != "goxla:cpu" || r.Host.CPUs != 1 || r.Host.CallUS <= 0 || r.Host.Tier == "" ||
		len(r.Host.Rates.Copy) == 0 {
		t.Errorf("got %+v", r)
	}
	checkDump(t, dir)
}

// TestBenchRates: operations and bytes of a file are those of its program, but for loops that turn as often as data
// says.
func TestBenchRates(t *testing.T) {
	rates := func(text string) workload.Result {
		report := filepath.Join(t.TempDir(), "r.json")
		expect(t, exitDone, "", "bench", file(t, "m.hlo", text), "--runs", "1", "--json", report)
		r, err := workload.ReadReport(report)
		if err != nil {
			t.Fatal(err)
		}
		return r.Results[0]
	}
	near := func(got, want float64) bool { return got > 0.999*want && got < 1.001*want }
	if r := rates(sevenTimes); !near(1e3*r.GFlops*r.RunUSMin, 7014) || !near(1e3*r.GBs*r.RunUSMin, 8000) {
		t.Errorf("got %+v", r)
	}
	data := strings.Replace(sevenTimes, "zero = s32[] constant(0)", "zero = s32[] parameter(1)", 1)
	if r := rates(data); r.GFlops != 0 || !near(1e3*r.GBs*r.RunUSMin, 8004) {
		t.Errorf("got %+v", r)
	}
}

// checkDump: the inputs are those of seed 1, and the outputs follow.
func checkDump(t *testing.T, dir string) {
	t.Helper()
	ins, err := npy.Open(filepath.Join(dir, "doubled.in.npz"))
	if err != nil {
		t.Fatal(err)
	}
	outs, err := npy.Open(filepath.Join(dir, "doubled.out.npz"))
	if err != nil {
		t.Fatal(err)
	}
	x, y := ins[0].Value, outs[0].Value
	if v := x.FloatAt(0); v != -0.7207759618759155 {
		t.Errorf("element 0 of the input: %v", v)
	}
	if y.FloatAt(0) != 2*x.FloatAt(0) || !literal.Equal(ins[1].Value, outs[1].Value) {
		t.Errorf("inputs %v, outputs %v", ins, outs)
	}
}

// TestBenchInput: inputs come from files, and say the sizes where the program leaves them open.
func TestBenchInput(t *testing.T) {
	in, dir := file(t, "doubled.hlo", doubled), t.TempDir()
	x := npy.Named{Name: "p", Value: literal.Of([]float32{1, 2, 4})}
	q := npy.Named{Name: "q", Value: literal.Of([]uint16{0x3f80, 0xc000})}
	bench := []string{"bench", in, "--runs", "1", "--dump-io", dir, "--input", archive(t, x)}
	expect(t, exitFailed, "parameter 1 (q): no array for it", bench...)
	expect(t, exitDone, "doubled  ", append(bench, "--input", archive(t, q))...)
	outs, err := npy.Open(filepath.Join(dir, "doubled.out.npz"))
	if err != nil {
		t.Fatal(err)
	}
	if want := literal.Of([]float32{2, 4, 8}); !literal.Equal(outs[0].Value, want) {
		t.Errorf("got %v, want %v", outs[0].Value, want)
	}
	expect(t, exitDone, "digits_cnn_dynamic  ", "bench", digits(t, "digits_cnn_dynamic.jaxexport"), "--no-time",
		"--input", digits(t, "digits_test.npz"))
	expect(t, exitUsage, "--input: expects one program file", append(bench, in)...)
	expect(t, exitUsage, "--input: expects one program file", "bench", "--manifest", "m.json", "--input", "in.npz")
}

// TestBenchKeys: the keys are those of the script that measures XLA.
func TestBenchKeys(t *testing.T) {
	manifest := file(t, "m.json", `{"version": 1, "workloads": [{"name": "a", "group": "g", "file": "a.hlo",
 "flops": 3, "bytes": 24, "params": [{"shape": "f32[3]", "dist": "const", "value": 2},
 {"shape": "bf16[2]", "dist": "normal"}]}]}`)
	if err := os.WriteFile(filepath.Join(filepath.Dir(manifest), "a.hlo"), []byte(doubled), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := command(t, "bench", "--manifest", manifest, "--seconds", "0", "--json", "-", "a")
	var r struct{ Results []map[string]any }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	for _, key := range []string{"name", "compile_ms", "run_us", "run_us_min", "runs", "gflops", "gbs", "temp_bytes"} {
		if _, ok := r.Results[0][key]; !ok {
			t.Errorf("no key %s in %v", key, r.Results[0])
		}
	}
}

func TestBenchErrors(t *testing.T) {
	good, bad := file(t, "good.hlo", doubled), file(t, "bad.hlo", "these are words")
	out := expect(t, exitFailed, "1 of 2 programs failed", "bench", "--no-time", bad, good)
	if !strings.Contains(out, "bad.hlo: expects a program as HLO text") || !strings.Contains(out, "\ngood ") {
		t.Errorf("printed\n%s", out)
	}
	expect(t, exitUsage, good+": expects a manifest in JSON, as bench/README.md has it: ", "bench", "--manifest", good)
	expect(t, exitUsage, "expects programs: files, or --manifest", "bench")
	expect(t, exitUsage, "--threads: expects", "bench", "--threads", "-1", good)
	expect(t, exitUsage, "--seconds, --min-runs, --runs: expects", "bench", "--runs", "-1", good)
	expect(t, exitUsage, "--backend: expects one of", "bench", "--backend", "tpu", good)
	expect(t, exitUsage, "no such file", "bench", "--manifest", "absent.json")
}

// TestBenchPrograms: every program of the shared manifest compiles for its inputs.
func TestBenchPrograms(t *testing.T) {
	manifest := filepath.Join(hlotest.Shared(t), "bench", "workloads.json")
	expect(t, exitDone, "scalar_add", "bench", "--manifest", manifest, "--no-time", "scalar_add", "gemm_f32_64",
		"gelu_1m", "cumsum_4096x1024")
}

// TestBenchVariants: the programs of bench/variants are read, and some of each kind run.
func TestBenchVariants(t *testing.T) {
	manifest := filepath.Join("..", "..", "bench", "variants", "workloads.json")
	list, err := workload.ReadManifest(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		prog, err := xla.Load(w.File)
		if err != nil {
			t.Error(err)
			continue
		}
		for i, p := range prog.EntrySignature().Params {
			if got := p.StringNoLayout(); i >= len(w.Params) || w.Params[i].Shape != got {
				t.Errorf("%s: parameter %d is %s, the manifest has another", w.Name, i, got)
			}
		}
	}
	expect(t, exitDone, "v_small_vector_ops", "bench", "--manifest", manifest, "--no-time", "v_gemm_f32_24",
		"v_conv_f64_3x3", "v_exp_64k", "v_take_along_axis", "v_fft2_c128_256", "v_collatz", "v_small_vector_ops")
}
