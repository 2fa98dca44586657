package main

import (
	"bufio"
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/rates"
	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
)

// timing says how often a program is run: exactly runs times, or if that is 0, for at least
// so many seconds and minRuns times.
type timing struct {
	seconds float64
	minRuns int
	runs    int
}

// duration returns the seconds that f took.
func duration(f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return time.Since(start).Seconds(), err
}

// measure returns the seconds of each call of f, which was called once before. What f returned is released outside of
// them, as the garbage of XLA's script is.
func (t timing) measure(f func() (results, error)) ([]float64, error) {
	runtime.GC() // what the compilation left
	if t.runs == 0 {
		for range 2 { // the first has new memory
			if _, err := t.once(f); err != nil {
				return nil, err
			}
		}
	}
	start := time.Now()
	var times []float64
	for t.wants(len(times), start) {
		d, err := t.once(f)
		if err != nil {
			return nil, err
		}
		times = append(times, d)
	}
	return times, nil
}

// once returns the seconds of a call of f.
func (timing) once(f func() (results, error)) (float64, error) {
	var out results
	d, err := duration(func() (err error) {
		out, err = f()
		return err
	})
	out.release()
	return d, err
}

// wants reports whether to go on after n runs.
func (t timing) wants(n int, start time.Time) bool {
	if t.runs > 0 {
		return n < t.runs
	}
	return n < t.minRuns || time.Since(start).Seconds() < t.seconds
}

// setTimes fills what follows from the times of the runs.
func setTimes(r *workload.Result, w workload.Workload, times []float64) {
	slices.Sort(times)
	n := len(times)
	best, median := times[0], (times[(n-1)/2]+times[n/2])/2
	r.RunUS, r.RunUSMin, r.Runs = 1e6*median, 1e6*best, n
	r.GFlops, r.GBs = w.Flops/best/1e9, w.Bytes/best/1e9
}

// nothing is the program whose run shows what a call costs.
const nothing = "HloModule nothing\nENTRY e { p = f32[] parameter(0) ROOT r = f32[] add(p, p) }"

// host describes the machine, and measures a call.
func (b *bencher) host(ctx context.Context) (workload.Host, error) {
	threads := b.flags.threads
	h := workload.Host{CPUs: threads, Go: runtime.Version(), Date: time.Now().Format(time.DateOnly), CPU: cpuModel()}
	if threads == 0 {
		h.CPUs = runtime.GOMAXPROCS(0)
	}
	m, err := xla.Parse("nothing", []byte(nothing))
	if err != nil {
		return h, err
	}
	exe, err := b.client.Compile(ctx, m)
	if err != nil {
		return h, err
	}
	h.Tier = exe.Tier()
	run, err := b.runs(ctx, exe, []literal.Literal{literal.Scalar(float32(1))})
	if err != nil {
		return h, err
	}
	times, err := timing{runs: 3000}.measure(run)
	if err != nil {
		return h, err
	}
	h.CallUS = 1e6 * slices.Min(times)
	return h, nil
}

// hostRates measures what the machine can do with the tier and the threads of h.
func hostRates(h workload.Host) (*rates.Rates, error) {
	tier, err := exec.ParseTier(h.Tier)
	if err != nil { // of another backend
		return nil, nil
	}
	r, err := rates.Measure(tier, h.CPUs)
	return &r, err
}

// bytesOf returns the memory of the elements of arrays and tuples.
func bytesOf(values []literal.Literal) int64 {
	var n int64
	for _, v := range values {
		if size, err := v.Shape().ByteSize(); err == nil { // else it would not be here
			n += int64(size)
		}
	}
	return n
}

// cpuModel returns the name that the system has for the processor, "" if it has none.
func cpuModel() string { return procField("/proc/cpuinfo", "model name") }

// resetPeak makes the system forget the most memory that the process had so far, where it can.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // else the peak is that of all programs so far
}

// peakMB returns the most memory that the process had since resetPeak, in units of 2^20 bytes, or 0
// where the system does not tell.
func peakMB() float64 {
	value, _, _ := strings.Cut(procField("/proc/self/status", "VmHWM"), " ")
	kb, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return kb / 1024
}

// procField returns the first value of a field in a file of lines "field: value", or "".
func procField(path, field string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(name) == field {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
