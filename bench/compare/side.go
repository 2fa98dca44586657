package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/goxla/xla/internal/workload"
)

// side is one of the two engines with what it measured of some programs.
type side struct {
	name    string
	command []string
	dir     string // of the results
	best    map[string]*best
}

// best is the best of all rounds of one program.
type best struct {
	result workload.Result
	host   workload.Host
	err    error // no more rounds after it
}

// round measures the programs once more, and keeps the best. Programs that share a process and give no
// report, since one of them is slow or ends the process, run again each on its own.
func (s *side) round(ctx context.Context, names, args []string, keepOutputs bool, limit time.Duration) {
	var healthy []string
	for _, name := range names {
		if s.best[name] == nil {
			s.best[name] = &best{}
		}
		if s.best[name].err == nil {
			healthy = append(healthy, name)
		}
	}
	if len(healthy) == 0 {
		return
	}
	report, err := s.run(ctx, healthy, args, keepOutputs, limit*time.Duration(len(healthy)))
	switch {
	case err == nil:
		for i, name := range healthy {
			s.best[name].add(s.name, report.Results[i], report.Host)
		}
	case len(healthy) == 1:
		s.best[healthy[0]].err = fmt.Errorf("%s: %w", s.name, err)
	case ctx.Err() == nil:
		for _, name := range healthy {
			s.round(ctx, []string{name}, args, keepOutputs, limit)
		}
	}
}

// add takes one more measurement.
func (b *best) add(engine string, r workload.Result, host workload.Host) {
	if r.Error != "" {
		b.err = fmt.Errorf("%s: %s", engine, r.Error)
		return
	}
	if b.result.Runs == 0 {
		b.result, b.host = r, host
		return
	}
	b.host.CallUS = min(b.host.CallUS, host.CallUS)
	if b.host.Rates != nil && host.Rates != nil {
		merged := b.host.Rates.Merge(*host.Rates)
		b.host.Rates = &merged
	}
	merge(&b.result, r)
}

// merge keeps the better of each number.
func merge(best *workload.Result, r workload.Result) {
	best.CompileMS = min(best.CompileMS, r.CompileMS)
	best.RunUS = min(best.RunUS, r.RunUS)
	best.RunUSMin = min(best.RunUSMin, r.RunUSMin)
	best.GFlops, best.GBs = max(best.GFlops, r.GFlops), max(best.GBs, r.GBs)
	best.PeakRSSMB = min(best.PeakRSSMB, r.PeakRSSMB)
	best.Runs += r.Runs
}

// run runs the engine and reads its report, which has a result for each name.
func (s *side) run(ctx context.Context, names, args []string, keepOutputs bool, limit time.Duration) (
	*workload.Report, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no result within %v", limit))
	defer cancel()
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, err
	}
	file := filepath.Join(s.dir, "report.json")
	_ = os.Remove(file) // of the round before
	command := append(s.command[1:len(s.command):len(s.command)], "--json", file)
	if keepOutputs {
		command = append(command, "--dump-io", s.dir, "--no-inputs")
	}
	command = append(append(command, args...), names...)
	cmd := exec.CommandContext(ctx, s.command[0], command...)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	failed := cmd.Run()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	report, err := workload.ReadReport(file) // a program that fails has one too
	if err == nil {
		err = matches(report, names)
	}
	if err != nil && failed != nil {
		err = fmt.Errorf("%w: %s", failed, lastLine(stderr.Bytes()))
	}
	return report, err
}

// matches refuses a report that is not of these programs.
func matches(report *workload.Report, names []string) error {
	if len(report.Results) != len(names) {
		return fmt.Errorf("expects %d results, got %d", len(names), len(report.Results))
	}
	for i, r := range report.Results {
		if r.Name != names[i] {
			return fmt.Errorf("result %d: expects that of %s, got %s", i, names[i], r.Name)
		}
	}
	return nil
}

// lastLine returns the last line of a text.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
