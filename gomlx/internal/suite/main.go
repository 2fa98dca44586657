// Command suite runs GoMLX's own tests on the backend, without cgo, plugins or network beyond the module proxy:
//
//	go run ./internal/suite graph      the tests of package core/graph
//	go run ./internal/suite layers     layers, attention, losses, optimizers, models, and what they stand on
//	go run ./internal/suite ./ml/nn    other packages
//
// As shipped these tests import the XLA plugin and download it. The command makes a copy of the module without that,
// tests the packages in a workspace with the backend, and counts. A test that fails or is skipped must be among those
// that are known, with the reason; the exit status is 1 otherwise.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	module  = "github.com/gomlx/gomlx"
	version = "v0.28.7"
	backend = "github.com/goxla/xla/gomlx"
)

// groups are lists of packages that have a name.
var groups = map[string][]string{
	"graph":  {"./core/graph/"},
	"layers": {"./ml/...", "./core/tensors/..."},
}

func main() {
	config := flag.String("config", "goxla:devices=4", "the backend and its configuration")
	run := flag.String("run", "", "only the tests that match, as for go test")
	verbose := flag.Bool("v", false, "show the output of failed tests")
	flag.Parse()
	var packages []string
	for _, a := range flag.Args() {
		if list, ok := groups[a]; ok {
			packages = append(packages, list...)
			continue
		}
		packages = append(packages, a)
	}
	if len(packages) == 0 {
		packages = groups["graph"]
	}
	ok, err := suite(*config, *run, packages, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// suite runs the tests of packages and reports whether none failed that is not known.
func suite(config, run string, packages []string, verbose bool) (bool, error) {
	dir, err := os.MkdirTemp("", "gomlx-suite")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := prepare(dir); err != nil {
		return false, err
	}
	args := []string{"test", "-json", "-count=1", "-timeout=30m", "-tags=noxla"}
	if run != "" {
		args = append(args, "-run="+run)
	}
	args = append(args, packages...)
	if slices.Equal(packages, groups["graph"]) {
		args = append(args, "-args", "-dot_general_dtypes") // without it a test is skipped
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join(dir, "gomlx")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+filepath.Join(dir, "go.work"), "GOMLX_BACKEND="+config,
		"GOMLX_NO_AUTO_INSTALL=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return report(out, verbose)
}

// prepare puts into dir a copy of the module whose tests use the backend, and a workspace of both.
func prepare(dir string) error {
	out, err := output("go", "mod", "download", "-json", module+"@"+version)
	if err != nil {
		return err
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return err
	}
	own, err := output("go", "list", "-m", "-f", "{{.Dir}}", backend)
	if err != nil {
		return err
	}
	root := filepath.Join(dir, "gomlx")
	if err := os.CopyFS(root, os.DirFS(found.Dir)); err != nil {
		return err
	}
	err = filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		return err
	}
	for file, change := range edits {
		if err := change(filepath.Join(root, file)); err != nil {
			return err
		}
	}
	also := "package _default\n\nimport _ \"" + backend + "\"\n" // what tests import besides that file
	if err := os.WriteFile(filepath.Join(root, "backends/default/goxla.go"), []byte(also), 0o644); err != nil {
		return err
	}
	work := fmt.Sprintf("go 1.26.5\n\nuse (\n\t./gomlx\n\t%s\n)\n", strings.TrimSpace(string(own)))
	return os.WriteFile(filepath.Join(dir, "go.work"), []byte(work), 0o644)
}

// output runs a command and returns what it prints.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}

// edits are what is changed in files of the module.
var edits = map[string]func(file string) error{
	"support/testutil/testutil.go":   useBackend,
	"core/graph/graph_test.go":       useBackend,
	"core/graph/ops_bitwise_test.go": runBroken,
}

// useBackend makes a file import the backend in place of the plugin, and not install the latter.
func useBackend(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var out []string
	imported, skip := false, 0
	for line := range strings.Lines(string(data)) {
		switch {
		case skip > 0:
			skip--
			continue
		case strings.Contains(line, `"github.com/gomlx/go-xla/`):
			if imported {
				continue
			}
			imported, line = true, "\t_ \""+backend+"\"\n"
		case strings.Contains(line, "err := xla.AutoInstall()"):
			skip = 3 // if err != nil { ... }
			continue
		}
		out = append(out, line)
	}
	if !imported {
		return fmt.Errorf("%s: expected an import of the plugin, got none", file)
	}
	return os.WriteFile(file, []byte(strings.Join(out, "")), 0o644)
}

// runBroken runs the tests of a file that are skipped on every backend, for a bug of XLA's plugin.
func runBroken(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	const skip = `t.Skip("Skipping broken test: `
	if !bytes.Contains(data, []byte(skip)) {
		return fmt.Errorf("%s: expected tests that are skipped, got none", file)
	}
	return os.WriteFile(file, bytes.ReplaceAll(data, []byte(skip), []byte(`t.Log("not skipped: `)), 0o644)
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// report counts the results of tests without subtests, and tells which failed or were skipped.
func report(data []byte, verbose bool) (bool, error) {
	results := map[string]string{} // by package and test
	var order []string
	logs := map[string]string{}
	parents, failed := map[string]bool{}, map[string]bool{}
	for line := range bytes.Lines(data) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return false, fmt.Errorf("go test: %s", line)
		}
		key := e.Package + " " + e.Test
		switch {
		case e.Action == "output" || e.Action == "build-output":
			logs[key] += e.Output
		case e.Test == "" && e.Action == "fail":
			failed[e.Package] = true
		case e.Test != "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			results[key] = e.Action
			order = append(order, key)
		}
		for i := range e.Test {
			if e.Test[i] == '/' {
				parents[e.Package+" "+e.Test[:i]] = true
			}
		}
	}
	counts := map[string]int{}
	ok := true
	for _, key := range order {
		if parents[key] {
			continue
		}
		counts[results[key]]++
		if results[key] == "pass" {
			continue
		}
		pkg, test, _ := strings.Cut(key, " ")
		delete(failed, pkg)
		reason := known(test, logs[key])
		fmt.Printf("%s %s %s: %s\n", results[key], strings.TrimPrefix(pkg, module+"/"), test, reason)
		if reason == "" {
			ok = false
			if verbose {
				fmt.Println(logs[key])
			}
		}
	}
	for pkg := range failed { // a crash, or no build
		ok = false
		fmt.Printf("fail %s\n%s\n", pkg, logs[pkg+" "])
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", counts["pass"], counts["fail"], counts["skip"])
	return ok && counts["pass"] > 0, nil
}
