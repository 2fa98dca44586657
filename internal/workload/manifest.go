package workload

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Version is the version of the manifest that ReadManifest reads.
const Version = 1

// Workload is a program to measure.
type Workload struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	// File is the program. ReadManifest makes it relative to the working folder.
	File string `json:"file"`
	// Flops and Bytes are the nominal operations and memory traffic of one run, 0 if not known.
	Flops float64 `json:"flops"`
	Bytes float64 `json:"bytes"`
	Seed  uint64  `json:"seed"`
	// RTol and Mismatch are the tolerances of Check.
	RTol     float64 `json:"rtol"`
	Mismatch float64 `json:"mismatch"`
	// Params says how each parameter is filled. Without it DefaultSpec does.
	Params []Spec `json:"params"`
}

// ReadManifest reads the manifest at path and returns the workloads in it with the given names, in the
// order of the manifest; without names all. It fails if a name is not in the manifest.
func ReadManifest(path string, names ...string) ([]Workload, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m struct {
		Version   int        `json:"version"`
		Workloads []Workload `json:"workloads"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s: expects a manifest in JSON, as bench/README.md has it: %w", path, err)
	}
	if m.Version != Version {
		return nil, fmt.Errorf("%s: expects version %d, got %d", path, Version, m.Version)
	}
	list, err := selected(m.Workloads, names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, w := range list {
		list[i].File = filepath.Join(filepath.Dir(path), w.File)
		if w.Seed == 0 {
			list[i].Seed = 1
		}
	}
	return list, nil
}

// selected returns the workloads with the given names, or all.
func selected(all []Workload, names []string) ([]Workload, error) {
	if len(names) == 0 {
		return all, nil
	}
	unknown := slices.Clone(names)
	var list []Workload
	for _, w := range all {
		if slices.Contains(names, w.Name) {
			list = append(list, w)
		}
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return name == w.Name })
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("no workload %s", strings.Join(unknown, ", "))
	}
	return list, nil
}

// OfFile returns the program in a file as a workload that is called as the file without its extension, with
// the inputs of DefaultSpec.
func OfFile(path string, seed uint64) Workload {
	name := filepath.Base(path)
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return Workload{Name: name, File: path, Seed: seed}
}
