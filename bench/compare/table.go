package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/goxla/xla/internal/workload"
)

// row is the comparison of one program.
type row struct {
	workload             workload.Workload
	ours, theirs         workload.Result
	oursHost, theirsHost workload.Host
	err                  error
}

const tableHead = "| program | ours us | XLA us | XLA / ours | ours GF/s | compile ours ms | XLA ms | XLA / ours " +
	"| ours MB | XLA MB | check |\n|---|---|---|---|---|---|---|---|---|---|---|\n"

// line is the row in the table.
func (r row) line() string {
	result := "ok"
	if r.err != nil {
		result = "**" + shortened(r.err.Error()) + "**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.workload.Name,
		number(r.ours.RunUSMin), number(r.theirs.RunUSMin), number(r.speed()), number(r.ours.GFlops),
		number(r.ours.CompileMS), number(r.theirs.CompileMS), number(r.compileSpeed()),
		number(r.ours.PeakRSSMB), number(r.theirs.PeakRSSMB), result)
}

// speed is how many times as fast as XLA the program runs, 0 if not known.
func (r row) speed() float64 { return ratio(r.theirs.RunUSMin, r.ours.RunUSMin) }

// compileSpeed is speed for the compilation.
func (r row) compileSpeed() float64 { return ratio(r.theirs.CompileMS, r.ours.CompileMS) }

func ratio(theirs, ours float64) float64 {
	if ours == 0 {
		return 0
	}
	return theirs / ours
}

// shortened makes an error one cell of a table.
func shortened(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "|", "/")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// number writes v with three digits, or all those before the point; 0 is "-".
func number(v float64) string {
	switch {
	case v == 0:
		return "-"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// table is the rows of a comparison.
type table struct {
	options options
	rows    []row
	// load is what the system said before the first program; see loadAverage.
	load string
}

func (t *table) add(r row) { t.rows = append(t.rows, r) }

// failed counts the programs that failed or differ.
func (t *table) failed() int {
	n := 0
	for _, r := range t.rows {
		if r.err != nil {
			n++
		}
	}
	return n
}

// markdown is the file of results.
func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Run and compile times beside XLA:CPU\n\n%s\n%s", t.conditions(), tableHead)
	for _, r := range t.rows {
		b.WriteString(r.line())
	}
	return b.String() + "\n" + t.summary()
}

// conditions says where, when and how the numbers were taken.
func (t *table) conditions() string {
	i := slices.IndexFunc(t.rows, func(r row) bool { return r.err == nil })
	if i < 0 {
		return "No program ran with both.\n"
	}
	ours, theirs := t.rows[i].oursHost, t.rows[i].theirsHost
	call, theirCall := math.Inf(1), math.Inf(1)
	for _, r := range t.rows {
		if r.err == nil {
			call, theirCall = min(call, r.oursHost.CallUS), min(theirCall, r.theirsHost.CallUS)
		}
	}
	return fmt.Sprintf(`Taken %s on %s, %d CPUs, with bench/compare (README.md says how).
Ours: %s, machine code of tier **%s**. XLA: jaxlib %s.
Best of %d rounds by turns, at least %g s of each in a round. "XLA / ours" above 1: ours is faster.
A run contains the call: ours %s us, XLA's from Python %s us. XLA's memory contains about 200 MB of
Python and libraries.
%s`, ours.Date, ours.CPU, ours.CPUs, ours.Go, ours.Tier, theirs.Jaxlib, t.options.rounds, t.options.seconds,
		number(call), number(theirCall), t.loadText())
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

// summary is the means of the ratios, by group and of all, and what is below the bars.
func (t *table) summary() string {
	var b strings.Builder
	b.WriteString("| group | programs | run, XLA / ours | compile, XLA / ours |\n|---|---|---|---|\n")
	var groups []string
	for _, r := range t.rows {
		if !slices.Contains(groups, r.workload.Group) {
			groups = append(groups, r.workload.Group)
		}
	}
	for _, g := range append(groups, "") {
		m := t.means(g)
		if g == "" {
			g = "**all**"
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", g, m.n, number(m.speed), number(m.compile))
	}
	fmt.Fprintf(&b, "\nMeans are geometric, over the programs that ran with both. %d of %d programs agree with XLA.\n",
		len(t.rows)-t.failed(), len(t.rows))
	for _, bar := range []float64{0.5, 0.9} {
		if names := t.below(bar); len(names) > 0 {
			fmt.Fprintf(&b, "Below %g: %s.\n", bar, strings.Join(names, ", "))
		}
	}
	return b.String()
}

// means are geometric means over n programs.
type means struct {
	n              int
	speed, compile float64
}

// means are those of a group, or for "" of all.
func (t *table) means(group string) means {
	var m means
	for _, r := range t.rows {
		if r.speed() == 0 || r.compileSpeed() == 0 || group != "" && r.workload.Group != group {
			continue
		}
		m.n++
		m.speed += math.Log(r.speed())
		m.compile += math.Log(r.compileSpeed())
	}
	if m.n > 0 {
		m.speed, m.compile = math.Exp(m.speed/float64(m.n)), math.Exp(m.compile/float64(m.n))
	}
	return m
}

// below names the programs that run less than bar times as fast as XLA.
func (t *table) below(bar float64) []string {
	var names []string
	for _, r := range t.rows {
		if r.speed() > 0 && r.speed() < bar {
			names = append(names, r.workload.Name)
		}
	}
	return names
}
