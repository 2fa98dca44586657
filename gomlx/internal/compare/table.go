package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// results are the least times by section and row.
type results struct {
	sections []string
	rows     map[string][]string
	times    map[[2]string]*[len(contenders)]time.Duration // by section and row; 0: none
}

func newResults() *results {
	return &results{rows: map[string][]string{}, times: map[[2]string]*[len(contenders)]time.Duration{}}
}

// add adds what a contender did in a turn.
func (r *results) add(c int, section string, list []row) {
	if !slices.Contains(r.sections, section) {
		r.sections = append(r.sections, section)
	}
	for _, x := range list {
		key := [2]string{section, x.name}
		if r.times[key] == nil {
			r.times[key] = new([len(contenders)]time.Duration)
			r.rows[section] = append(r.rows[section], x.name)
		}
		if t := &r.times[key][c]; *t == 0 || x.time < *t {
			*t = x.time
		}
	}
}

// write writes the tables, with a summary in front.
func (r *results) write(to io.Writer, o options) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# Beside the backend that comes with GoMLX\n\n")
	fmt.Fprintf(w, "Taken %s on %s, %d CPUs, %s/%s, %s,\nby `go run ./internal/compare`, in one run: GoMLX v0.28.7, "+
		"compute v0.1.6. ", time.Now().Format(time.DateOnly), cpu(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version())
	fmt.Fprintf(w, "A number is the least of %d measurements of %s, in microseconds.\n*go* is GoMLX's backend in the "+
		"default build, *SIMD* the one with GOEXPERIMENT=simd (and GODEBUG=asyncpreemptoff=1,\nwithout which it is slower), "+
		"*goxla* is this one. All use all CPUs.", o.turns*o.count, o.seconds)
	if load := load(); load != "" {
		fmt.Fprintf(w, " Load averages of the machine at the end: %s.", load)
	}
	fmt.Fprint(w, "\n\n")
	r.summary(w)
	for _, section := range r.sections {
		fmt.Fprintf(w, "\n## %s\n\n| | go | SIMD | goxla | go / goxla | better / goxla |\n", section)
		fmt.Fprint(w, "|---|--:|--:|--:|--:|--:|\n")
		for _, name := range r.rows[section] {
			t := r.times[[2]string{section, name}]
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", name, micros(t[plain]), micros(t[simd]), micros(t[ours]),
				ratio(t[plain], t[ours]), ratio(better(t), t[ours]))
		}
	}
	return w.Flush()
}

// summary says how many rows are slower, and the means of the ratios.
func (r *results) summary(w io.Writer) {
	count, slower := 0, []string{}
	var logs, all []float64
	for _, section := range r.sections {
		for _, name := range r.rows[section] {
			t := r.times[[2]string{section, name}]
			if better(t) == 0 || t[ours] == 0 {
				continue
			}
			count++
			if t[ours] > better(t) {
				slower = append(slower, name)
			}
			gain := math.Log(float64(t[plain]) / float64(t[ours]))
			all = append(all, gain)
			if isProduct(section, name) {
				logs = append(logs, gain)
			}
		}
	}
	fmt.Fprintf(w, "Of %d rows, %d are slower than the better of both builds", count, len(slower))
	if len(slower) > 0 {
		fmt.Fprintf(w, ": %s", strings.Join(slower, ", "))
	}
	fmt.Fprintf(w, ". Geometric means over the default build:\n%.1f times in %d rows of products and convolutions, "+
		"%.1f times in all rows.\n", mean(logs), len(logs), mean(all))
}

// isProduct reports whether a row is a matrix product or a convolution.
func isProduct(section, name string) bool {
	return section == "Convolutions" || strings.Contains(section, "products") || strings.HasPrefix(name, "DotGeneral") ||
		strings.HasPrefix(name, "Dense")
}

// mean is the geometric mean of numbers of which the logarithms are given.
func mean(logs []float64) float64 {
	sum := 0.0
	for _, x := range logs {
		sum += x
	}
	return math.Exp(sum / float64(max(1, len(logs))))
}

// better is the time of the faster one of GoMLX's builds; 0 if it lacks one.
func better(t *[len(contenders)]time.Duration) time.Duration { return min(t[plain], t[simd]) }

func micros(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(d)/1e3)
}

func ratio(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// load are the load averages of the machine, where the system tells them.
func load() string {
	data, _ := os.ReadFile("/proc/loadavg") // elsewhere there is no such file
	if f := strings.Fields(string(data)); len(f) >= 3 {
		return strings.Join(f[:3], ", ")
	}
	return ""
}

// cpu is the name of the processor, where the system tells it.
func cpu() string {
	data, _ := os.ReadFile("/proc/cpuinfo") // elsewhere there is no such file
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown CPU"
}
