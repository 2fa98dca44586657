package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal/npy"
)

// most is how many programs share a process at most: its start takes longer than most programs.
const most = 8

// chunks cuts the programs into those that share a process: neighbours of one group.
func chunks(list []workload.Workload) [][]workload.Workload {
	var all [][]workload.Workload
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && end-start < most && list[end].Group == list[start].Group {
			end++
		}
		all, start = append(all, list[start:end]), end
	}
	return all
}

// measure runs programs by turns with both engines, compares the results and notes all in st. The error is
// that of an interruption: what fails is in the state.
func measure(ctx context.Context, o options, threads int, list []workload.Workload, st *state, dir string) error {
	ours := side{name: "xla bench", command: []string{o.xla, "bench", "--rates", "--pin"},
		dir: filepath.Join(dir, "ours"), best: map[string]*best{}}
	theirs := side{name: "xla_cpu.py", command: []string{o.python, o.script},
		dir: filepath.Join(dir, "theirs"), best: map[string]*best{}}
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	for round := range o.rounds {
		for _, s := range []*side{&ours, &theirs} {
			s.round(ctx, names, o.arguments(threads), round == 0, o.limit)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, p := range list {
		st.set(p.Name, threads, joined(p, &ours, &theirs))
	}
	return errors.Join(os.RemoveAll(ours.dir), os.RemoveAll(theirs.dir))
}

// joined returns what both engines did with a program.
func joined(p workload.Workload, ours, theirs *side) *measured {
	a, b := ours.best[p.Name], theirs.best[p.Name]
	m := &measured{Ours: a.result, Theirs: b.result, OursHost: a.host, TheirsHost: b.host}
	err := errors.Join(a.err, b.err)
	if err == nil {
		err = check(p, ours.dir, theirs.dir)
	}
	if err != nil {
		m.Error = shortened(err.Error())
	}
	return m
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

// arguments are those of both engines.
func (o options) arguments(threads int) []string {
	return []string{"--manifest", o.manifest, "--seconds", strconv.FormatFloat(o.seconds, 'g', -1, 64),
		"--threads", strconv.Itoa(threads)}
}
