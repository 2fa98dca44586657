// Command compare measures the backend beside the one that comes with GoMLX, in Go without and with
// GOEXPERIMENT=simd, by turns, and writes a table:
//
//	go run ./internal/compare -out RESULTS.md
//
// Rows are GoMLX's benchmarks of backends, its performance tables of products, and convolutions, operations and
// dispatch, which it has no benchmarks for. A number is the least of many short measurements.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	out     string
	prefix  []string // a command that runs the measurements
	turns   int
	count   int           // how often a row is measured in a turn
	seconds time.Duration // of one measurement of a row
	rows    string        // a regular expression of go test -bench; empty: all
	large   bool          // the largest products too
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "", "the file to write, in Markdown; the standard output if empty")
	prefix := flag.String("exec", "", "a command to run each measurement with, such as: taskset 1")
	flag.IntVar(&o.turns, "turns", 3, "how often each contender has its turn")
	flag.IntVar(&o.count, "count", 10, "how often to measure a row in a turn")
	flag.DurationVar(&o.seconds, "time", 2*time.Millisecond, "how long one measurement of a row is: what disturbs it "+
		"disturbs few that are short")
	flag.StringVar(&o.rows, "rows", "", "only benchmarks that match, as for go test -bench, and no performance tables")
	flag.BoolVar(&o.large, "large", false, "the rows Batched-Large of GoMLX's performance table too, in float32")
	flag.Parse()
	o.prefix = strings.Fields(*prefix)
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	dir, err := os.MkdirTemp("", "gomlx-compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := o.build(dir); err != nil {
		return err
	}
	results := newResults()
	for turn := range o.turns {
		for _, m := range o.measurements() {
			for c := range contenders {
				fmt.Fprintf(os.Stderr, "turn %d of %d: %s: %s\n", turn+1, o.turns, contenders[c].name, m.name)
				out, err := o.measure(dir, c, m)
				if err != nil {
					return err
				}
				results.add(c, m.section, m.parse(out))
			}
			if err := o.save(results, turn+1); err != nil {
				return err
			}
		}
	}
	if o.out == "" {
		return results.write(os.Stdout, o)
	}
	return nil
}

// save writes the file with what there is, so that one may stop at any time.
func (o options) save(r *results, turns int) error {
	if o.out == "" {
		return nil
	}
	o.turns = turns
	f, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.write(f, o)
}
