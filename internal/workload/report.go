package workload

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/goxla/xla/internal/rates"
)

// Report is what a measurement of several programs gives. Its JSON form is that of the script that
// measures XLA.
type Report struct {
	// Engine is what ran the programs.
	Engine  string   `json:"engine"`
	Host    Host     `json:"host"`
	Results []Result `json:"results"`
}

// Host is where and when the programs were measured.
type Host struct {
	CPUs int `json:"cpus"`
	// Jaxlib is the version of the XLA that was measured, Go that of the Go compiler that built this one.
	Jaxlib string `json:"jaxlib,omitempty"`
	Go     string `json:"go,omitempty"`
	// Tier is the level of machine code that the programs ran as.
	Tier string `json:"tier,omitempty"`
	Date string `json:"date"`
	CPU  string `json:"cpu,omitempty"`
	// CallUS is the time of a call of a program that does next to nothing, in microseconds.
	CallUS float64 `json:"call_us"`
	// Rates are what the machine can do, if they were measured.
	Rates *rates.Rates `json:"rates,omitempty"`
}

// Result is the measurement of one program. What was not measured is 0.
type Result struct {
	Name      string  `json:"name"`
	CompileMS float64 `json:"compile_ms,omitempty"`
	// RunUS is the median time of a run, RunUSMin the best, of Runs, in microseconds.
	RunUS    float64 `json:"run_us,omitempty"`
	RunUSMin float64 `json:"run_us_min,omitempty"`
	Runs     int     `json:"runs,omitempty"`
	// GFlops and GBs are the nominal operations and bytes over the best time.
	GFlops float64 `json:"gflops,omitempty"`
	GBs    float64 `json:"gbs,omitempty"`
	// TempBytes is the scratch memory of a run.
	TempBytes *int64 `json:"temp_bytes,omitempty"`
	// ArgBytes and OutBytes are the memory of the arguments and of the results.
	ArgBytes int64 `json:"arg_bytes,omitempty"`
	OutBytes int64 `json:"out_bytes,omitempty"`
	// Chain is how many operations the program's loops do one after another, each of which waits for the
	// one before.
	Chain float64 `json:"chain,omitempty"`
	// PeakRSSMB is the most memory that the process had while it compiled and ran the program.
	PeakRSSMB float64 `json:"peak_rss_mb,omitempty"`
	// Error says why there is no measurement.
	Error string `json:"error,omitempty"`
}

// ReadReport reads the JSON form of a report.
func ReadReport(path string) (*Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Write writes the JSON form to the file at path; "-" is stdout.
func (r *Report) Write(path string, stdout io.Writer) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if path == "-" {
		_, err = stdout.Write(data)
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// WriteHeader writes the head of the table whose lines WriteLine writes.
func WriteHeader(w io.Writer) {
	fmt.Fprintf(w, "%-28s %11s %12s %12s %9s %8s %6s\n",
		"name", "compile_ms", "run_us_min", "run_us_med", "GFLOP/s", "GB/s", "runs")
}

// WriteLine writes the result as a line of a table.
func (r *Result) WriteLine(w io.Writer) {
	cell := func(v float64, digits int) string {
		if v == 0 {
			return "-"
		}
		return fmt.Sprintf("%.*f", digits, v)
	}
	fmt.Fprintf(w, "%-28s %11s %12s %12s %9s %8s %6s %s\n", r.Name, cell(r.CompileMS, 1), cell(r.RunUSMin, 1),
		cell(r.RunUS, 1), cell(r.GFlops, 1), cell(r.GBs, 1), cell(float64(r.Runs), 0), r.Error)
}
