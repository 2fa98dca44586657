package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goxla/xla/gomlx/internal/upstream"
)

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// results are those of tests, in the order in which they ended.
type results struct {
	order    []string          // tests, with their packages
	actions  map[string]string // how tests ended; run for those that did not
	logs     map[string]string // of tests and of packages
	parents  map[string]bool   // tests with subtests; true if one of these failed
	packages map[string]bool   // that failed
}

// read collects the results from the output of go test -json.
func read(data []byte) (results, error) {
	r := results{actions: map[string]string{}, logs: map[string]string{}, parents: map[string]bool{},
		packages: map[string]bool{}}
	for line := range bytes.Lines(data) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return r, fmt.Errorf("go test: %s", line)
		}
		r.add(e)
	}
	for _, key := range slices.Sorted(maps.Keys(r.actions)) {
		if r.actions[key] == "run" { // the process ended in the middle of it
			r.order = append(r.order, key)
		}
	}
	return r, nil
}

func (r *results) add(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		r.logs[key] += e.Output
	case "run":
		r.actions[key] = e.Action
	case "pass", "fail", "skip":
		for i := range e.Test {
			if e.Test[i] == '/' {
				r.parents[e.Package+" "+e.Test[:i]] = r.parents[e.Package+" "+e.Test[:i]] || e.Action == "fail"
			}
		}
		switch {
		case e.Test != "":
			r.actions[key] = e.Action
			r.order = append(r.order, key)
		case e.Action == "fail":
			r.packages[e.Package] = true
		}
	}
}

// report counts the results of tests without subtests, tells which did not pass, and reports whether all others did.
// A package that failed though no test of it did counts too: it does not build, or its process ended early.
func report(w io.Writer, data []byte, verbose bool) (bool, error) {
	r, err := read(data)
	if err != nil {
		return false, err
	}
	counts := map[string]int{}
	ok := true
	for _, key := range r.order {
		pkg, test, _ := strings.Cut(key, " ")
		action := r.actions[key]
		if action == "fail" {
			delete(r.packages, pkg)
		}
		if action == "run" {
			action = "fail"
		}
		if below, ok := r.parents[key]; ok && (below || action != "fail") {
			continue
		}
		counts[action]++
		if action == "pass" {
			continue
		}
		reason := known(test, r.logs[key])
		fmt.Fprintf(w, "%s %s %s: %s\n", action, strings.TrimPrefix(pkg, upstream.Module+"/"), test, reason)
		if reason == "" {
			ok = false
			if verbose {
				fmt.Fprintln(w, r.logs[key])
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(r.packages)) {
		ok = false
		fmt.Fprintf(w, "fail %s\n%s\n", pkg, r.logs[pkg+" "])
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", counts["pass"], counts["fail"], counts["skip"])
	return ok && counts["pass"] > 0, nil
}
