// Package upstream makes copies of the module of GoMLX whose tests run on the backend, without cgo, plugins or network
// beyond the module proxy. As shipped these tests import the XLA plugin and download it.
package upstream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Module is the module that is copied.
const Module = "github.com/gomlx/gomlx"

const (
	version = "v0.28.7"
	backend = "github.com/goxla/xla/gomlx"
)

// Environment returns that of a go command for the copy in dir; its tag is noxla.
func Environment(dir string) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+filepath.Join(dir, "go.work"), "GOMLX_NO_AUTO_INSTALL=1")
}

// Copy puts into dir a copy of the module whose tests use the backend, in gomlx, and a workspace of both.
func Copy(dir string) error {
	out, err := output("go", "mod", "download", "-json", Module+"@"+version)
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
