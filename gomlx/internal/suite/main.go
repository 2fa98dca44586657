// Command suite runs GoMLX's own tests on the backend, without cgo, plugins or network beyond the module proxy:
//
//	go run ./internal/suite backend    GoMLX's suite for backends, and the tests of package gomlx
//	go run ./internal/suite graph      the tests of package core/graph
//	go run ./internal/suite layers     layers, attention, losses, optimizers, models, and what they stand on
//	go run ./internal/suite ./ml/nn    other packages
//
// As shipped these tests import the XLA plugin and download it. The command makes a copy of the module without that,
// tests the packages in a workspace with the backend, and counts. A test that fails or is skipped must be among those
// that are known, with the reason; the exit status is 1 otherwise.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/goxla/xla/gomlx/internal/upstream"
)

// groups are lists of packages that have a name.
var groups = map[string][]string{
	"backend": {"github.com/goxla/xla/gomlx"},
	"graph":   {"./core/graph/"},
	"layers":  {"./ml/...", "./core/tensors/..."},
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
	if err := upstream.Copy(dir); err != nil {
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
	cmd.Dir, cmd.Env = filepath.Join(dir, "gomlx"), append(upstream.Environment(dir), "GOMLX_BACKEND="+config)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return report(os.Stdout, out, verbose)
}
