package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/goxla/xla/internal/workload"
)

// measured is what both engines did with a program on a number of threads.
type measured struct {
	Ours       workload.Result `json:"ours"`
	Theirs     workload.Result `json:"theirs"`
	OursHost   workload.Host   `json:"ours_host"`
	TheirsHost workload.Host   `json:"theirs_host"`
	// Error says what failed or differs, "" for nothing.
	Error string `json:"error,omitempty"`
}

// state is all that was measured. Its JSON form is the file of -state, so that a comparison may be made
// program by program.
type state struct {
	// Load is what the system said before the first program; see loadAverage.
	Load string `json:"load"`
	// Programs has what was measured by the name of the program and the threads.
	Programs map[string]map[int]*measured `json:"programs"`
}

// readState reads a state; without a file it is empty.
func readState(path string) (*state, error) {
	st := &state{Programs: map[string]map[int]*measured{}}
	if path == "" {
		return st, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, st); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return st, nil
}

// write writes the state, unless path is empty.
func (st *state) write(path string) error {
	if path == "" {
		return nil
	}
	data, err := json.MarshalIndent(st, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// has reports whether a program was measured with each number of threads.
func (st *state) has(name string, threads []int) bool {
	for _, n := range threads {
		if st.Programs[name][n] == nil {
			return false
		}
	}
	return true
}

// set notes what was measured.
func (st *state) set(name string, threads int, m *measured) {
	if st.Programs[name] == nil {
		st.Programs[name] = map[int]*measured{}
	}
	st.Programs[name][threads] = m
}
