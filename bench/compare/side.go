package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal/npy"
)

// side is one of the two engines with what it measured of a program.
type side struct {
	name    string
	command []string
	dir     string // of the results
	best    workload.Result
	host    workload.Host
	err     error // no more rounds after it
}

// round measures the program once more, and keeps the best.
func (s *side) round(ctx context.Context, args []string, keepOutputs bool, limit time.Duration) {
	if s.err != nil {
		return
	}
	report, err := s.run(ctx, args, keepOutputs, limit)
	if err == nil && report.Results[0].Error != "" {
		err = errors.New(report.Results[0].Error)
	}
	if err != nil {
		s.err = fmt.Errorf("%s: %w", s.name, err)
		return
	}
	if s.best.Runs == 0 {
		s.best, s.host = report.Results[0], report.Host
		return
	}
	s.host.CallUS = min(s.host.CallUS, report.Host.CallUS)
	merge(&s.best, report.Results[0])
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

// run runs the engine and reads its report.
func (s *side) run(ctx context.Context, args []string, keepOutputs bool, limit time.Duration) (
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
	cmd := exec.CommandContext(ctx, s.command[0], append(command, args...)...)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	failed := cmd.Run()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	report, err := workload.ReadReport(file) // a program that fails has one too
	if err == nil && len(report.Results) != 1 {
		err = fmt.Errorf("expects a result, got %d", len(report.Results))
	}
	if err != nil && failed != nil {
		err = fmt.Errorf("%w: %s", failed, lastLine(stderr.Bytes()))
	}
	return report, err
}

// lastLine returns the last line of a text.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// check compares the outputs in two folders.
func check(p workload.Workload, ours, theirs string) error {
	file := p.Name + ".out.npz"
	got, err := npy.Open(filepath.Join(ours, file))
	if err != nil {
		return err
	}
	want, err := npy.Open(filepath.Join(theirs, file))
	if err != nil {
		return err
	}
	return p.Check(got, want)
}
