package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/goxla/xla/internal/workload"
)

// table is the rows of a comparison, by the number of threads.
type table struct {
	options options
	threads []int
	rows    map[int][]row
	// load is what the system said before the first program; see loadAverage.
	load string
}

// newTable makes the table of what is known of the programs of a manifest, in its order.
func newTable(o options, all []workload.Workload, st *state) *table {
	t := &table{options: o, rows: map[int][]row{}, load: st.Load}
	for _, p := range all {
		for n, m := range st.Programs[p.Name] {
			t.rows[n] = append(t.rows[n], row{p, m})
			if !slices.Contains(t.threads, n) {
				t.threads = append(t.threads, n)
			}
		}
	}
	slices.Sort(t.threads)
	return t
}

// most returns the rows of the largest number of threads.
func (t *table) most() []row {
	if len(t.threads) == 0 {
		return nil
	}
	return t.rows[slices.Max(t.threads)]
}

// failed counts the rows that failed or differ.
func (t *table) failed() int {
	n := 0
	for _, rows := range t.rows {
		for _, r := range rows {
			if r.Error != "" {
				n++
			}
		}
	}
	return n
}

// markdown is the file of results.
func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Run and compile times beside XLA:CPU\n\n%s", t.conditions())
	fmt.Fprintf(&b, "\n## Summary\n\n%s", t.summary())
	for _, n := range t.threads {
		fmt.Fprintf(&b, "\n## Run time, threads: %d\n\n%s%s", n, t.limits(n), runHead)
		for _, r := range t.rows[n] {
			b.WriteString(r.line())
		}
	}
	fmt.Fprintf(&b, "\n## Compilation and memory\n\n%s", compileHead)
	for _, r := range t.most() {
		b.WriteString(r.compileLine())
	}
	return b.String()
}

// conditions says where, when and how the numbers were taken.
func (t *table) conditions() string {
	i := slices.IndexFunc(t.most(), func(r row) bool { return r.Error == "" })
	if i < 0 {
		return "No program ran with both.\n"
	}
	ours, theirs := t.most()[i].OursHost, t.most()[i].TheirsHost
	call, theirCall := math.Inf(1), math.Inf(1)
	for _, r := range t.most() {
		if r.Error == "" {
			call, theirCall = min(call, r.OursHost.CallUS), min(theirCall, r.TheirsHost.CallUS)
		}
	}
	return fmt.Sprintf(`Taken %s on %s, with bench/compare (README.md says how).
Ours: %s, machine code of tier **%s**. XLA: jaxlib %s.
Best of %d rounds by turns, at least %g s of each in a round. "XLA / ours" above 1: ours is faster.
A run contains the call: ours %s us, XLA's from Python %s us. XLA's memory contains about 200 MB of
Python and libraries; programs of a group share a process.
%s
The bound of a program is the longest of: its nominal operations at the rate of multiply-adds in registers, its
nominal bytes at the bandwidth of a copy that touches as many, the steps of its loops that wait for one another at
the latency of a multiply-add, and a call; all measured between its own runs. The share is the bound over our time.
Bytes that are only read can be faster than a copy, and a neighbour on the machine can be quiet at the right time:
a share above 1 is possible. The rates are those of f32, halved for f64; narrower types have no rate of their own.
`, ours.Date, ours.CPU, ours.Go, ours.Tier, theirs.Jaxlib, t.options.rounds, t.options.seconds,
		number(call), number(theirCall), t.loadText())
}

// limits says what the machine could do on that many threads, at its best.
func (t *table) limits(threads int) string {
	var text string
	var best workload.Host
	for _, r := range t.rows[threads] {
		if now := r.OursHost.Rates; now != nil {
			merged := *now
			if best.Rates != nil {
				merged = best.Rates.Merge(*now)
			}
			best.Rates = &merged
		}
	}
	if best.Rates == nil {
		return ""
	}
	text = fmt.Sprintf("The machine at its best: multiply-adds %s GF/s, %s ns each in a chain; copies in GB/s of",
		number(best.Rates.GFlops), number(best.Rates.LatencyNS))
	for i, c := range best.Rates.Copy {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %d KB %s", c.Bytes>>10, number(c.GBs))
	}
	return text + ".\n\n"
}

// loadText says how busy the machine was, if the system told.
func (t *table) loadText() string {
	if t.load == "" {
		return ""
	}
	return fmt.Sprintf("Load average of the machine when it began: %s.\n", t.load)
}

// loadAverage returns how many threads wanted a CPU in the last minute, "" where the system does not tell.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	load, _, _ := strings.Cut(string(data), " ")
	return load
}
