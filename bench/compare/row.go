package main

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/internal/workload"
)

// row is the comparison of one program on a number of threads.
type row struct {
	workload workload.Workload
	*measured
}

const runHead = "| program | threads | ours us | XLA us | XLA / ours | GF/s | GB/s | bound | its us | share | check |" +
	"\n|---|---|---|---|---|---|---|---|---|---|---|\n"

// line is the row in the table of the run times.
func (r row) line() string {
	result := "ok"
	if r.Error != "" {
		result = "**" + r.Error + "**"
	}
	b := boundOf(r.workload, r.measured)
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.workload.Name, r.OursHost.CPUs,
		number(r.Ours.RunUSMin), number(r.Theirs.RunUSMin), number(r.speed()), number(r.Ours.GFlops),
		number(r.Ours.GBs), b.name, number(b.us), number(ratio(b.us, r.Ours.RunUSMin)), result)
}

const compileHead = "| program | compile ours ms | XLA ms | XLA / ours | scratch ours KB | XLA KB | " +
	"in and out KB | peak ours MB | XLA MB |\n|---|---|---|---|---|---|---|---|---|\n"

// compileLine is the row in the table of compilation and memory.
func (r row) compileLine() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.workload.Name,
		number(r.Ours.CompileMS), number(r.Theirs.CompileMS), number(r.compileSpeed()),
		number(kb(scratch(r.Ours))), number(kb(scratch(r.Theirs))), number(kb(r.inOut())),
		number(r.Ours.PeakRSSMB), number(r.Theirs.PeakRSSMB))
}

// speed is how many times as fast as XLA the program runs, 0 if not known.
func (r row) speed() float64 { return ratio(r.Theirs.RunUSMin, r.Ours.RunUSMin) }

// compileSpeed is speed for the compilation.
func (r row) compileSpeed() float64 { return ratio(r.Theirs.CompileMS, r.Ours.CompileMS) }

// inOut is the memory of arguments and results.
func (r row) inOut() int64 { return r.Ours.ArgBytes + r.Ours.OutBytes }

// wasteful reports whether the program takes more scratch memory than its inputs and outputs with 8 MB more,
// and more than XLA.
func (r row) wasteful() bool {
	const free = 8 << 20
	ours := scratch(r.Ours)
	return ours > r.inOut()+free && ours > scratch(r.Theirs)
}

// scratch is the scratch memory of a program, 0 if not known.
func scratch(r workload.Result) int64 {
	if r.TempBytes == nil {
		return 0
	}
	return *r.TempBytes
}

func kb(bytes int64) float64 { return float64(bytes) / 1024 }

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
