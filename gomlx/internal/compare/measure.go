package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goxla/xla/gomlx/internal/upstream"
)

// contender is a backend in a build.
type contender struct {
	name, backend string
	simd          bool
	environment   []string
}

// contenders are what is compared: the last one is ours. Without asynchronous preemption the build with SIMD does not
// pay for registers that the runtime of Go 1.26 leaves in a slow state.
var contenders = [...]contender{
	{name: "go", backend: "go"},
	{name: "go, SIMD", backend: "go", simd: true, environment: []string{"GODEBUG=asyncpreemptoff=1"}},
	{name: "goxla", backend: "goxla"},
}

const (
	plain = iota
	simd
	ours
)

// measurement is one run of a test binary.
type measurement struct {
	name, section string
	binary        string
	args          []string
	parse         func(out []byte) []row
}

// row is a result: what was measured, and how long it takes once.
type row struct {
	name string
	time time.Duration
}

// build makes the test binaries of both builds.
func (o options) build(dir string) error {
	if err := upstream.Copy(dir); err != nil {
		return err
	}
	for _, experiment := range []string{"", "simd"} {
		for _, b := range []struct {
			binary, dir, pkg string
			environment      []string
		}{
			{"bench", ".", "./internal/compare", append(os.Environ(), "CGO_ENABLED=0")},
			{"perf", filepath.Join(dir, "gomlx"), "./internal/perf", upstream.Environment(dir)},
		} {
			if b.binary == "perf" && o.rows != "" {
				continue
			}
			cmd := exec.Command("go", "test", "-c", "-tags=perf,noxla", "-o", filepath.Join(dir, b.binary+experiment), b.pkg)
			cmd.Dir, cmd.Env, cmd.Stderr = b.dir, append(b.environment, "GOEXPERIMENT="+experiment), os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("building %s: %w", b.pkg, err)
			}
		}
	}
	return nil
}

// measurements are the runs of a turn.
func (o options) measurements() []measurement {
	bench := func(section, pattern string) measurement {
		return measurement{name: pattern, section: section, binary: "bench", parse: parseBenchmarks,
			args: []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + o.seconds.String(),
				fmt.Sprint("-test.count=", o.count)}}
	}
	if o.rows != "" {
		return []measurement{bench("Benchmarks", o.rows)}
	}
	list := []measurement{bench("Dispatch", "^BenchmarkDispatch$"), bench("Operations", "^BenchmarkOperation$"),
		bench("Convolutions", "^BenchmarkConvolution$")}
	for _, p := range []string{"Softmax", "Gelu", "LayerNorm", "^Dense", "QuantizedDense", "DotGeneral/KA",
		"DotGeneral/BAAI", "DotGeneral/adult", "DotGeneral/test"} {
		list = append(list, bench("GoMLX's benchmarks of backends", "^BenchmarkSuite$/"+p))
	}
	for _, dtype := range []string{"Float32", "Float64", "BFloat16", "Float16"} {
		list = append(list, o.perf("NoBatch,Unbalanced,LargeBatch,KA-Batch,adult", dtype))
	}
	if o.large {
		list = append(list, o.perf("Batched-Large", "Float32")) // in other types GoMLX's backend takes minutes for one
	}
	return list
}

// perf is a part of GoMLX's performance table.
func (o options) perf(names, dtype string) measurement {
	return measurement{name: names + " " + dtype, section: "GoMLX's performance table of products", binary: "perf",
		parse: parseTable, args: []string{"-test.run=DotGeneral", "-test.v", "-markdown", "-perf_min_runs=1",
			"-dg_perf_names=" + names, "-dg_perf_dtypes=" + dtype, "-perf_duration=" + o.seconds.String(),
			"-perf_min_warmup_duration=" + (o.seconds / 2).String(), fmt.Sprint("-test.count=", o.count)}}
}

// measure runs m for a contender and returns what it prints.
func (o options) measure(dir string, c int, m measurement) ([]byte, error) {
	who := contenders[c]
	binary := m.binary
	if who.simd {
		binary += "simd"
	}
	args := append(append([]string{}, o.prefix...), filepath.Join(dir, binary))
	args = append(args, m.args...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOMLX_BACKEND="+who.backend), who.environment...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w\n%s", who.name, m.name, err, out)
	}
	return out, nil
}

// parseBenchmarks reads lines of go test -bench.
func parseBenchmarks(out []byte) []row {
	var list []row
	for line := range bytes.Lines(out) {
		f := strings.Fields(string(line))
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") || f[3] != "ns/op" {
			continue
		}
		ns, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(f[0], "Benchmark"), "Suite/")
		if i := strings.LastIndexByte(name, '-'); i > 0 { // the number of processors
			name = name[:i]
		}
		list = append(list, row{name, time.Duration(ns)})
	}
	return list
}

// parseTable reads the lines of a table in Markdown: test, sizes of both sides, layout, type, batch, time.
func parseTable(out []byte) []row {
	var list []row
	for line := range bytes.Lines(out) {
		f := strings.Split(string(line), "|")
		if len(f) < 9 {
			continue
		}
		for i := range f {
			f[i] = strings.Trim(f[i], " `")
		}
		d, err := time.ParseDuration(f[7])
		if err != nil {
			continue
		}
		list = append(list, row{f[1] + " " + f[5] + " " + f[4], d})
	}
	return list
}
