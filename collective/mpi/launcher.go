//go:build linux && (amd64 || arm64)

package mpi

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// LibraryVariable is the environment variable that names the MPI library.
const LibraryVariable = "XLA_MPI_LIB"

// launcher is what the environment says of how this process was started.
type launcher struct {
	name string
	// libraries are the file names of the libraries that its processes use.
	libraries []string
	// size is the number of processes, 0 if it does not tell.
	size int
	// sizeFrom is the variable that told it.
	sizeFrom string
}

func openMPILibraries() []string {
	return []string{"libmpi.so.40", "libmpi_abi_openmpi.so.1", "libmpi.so"}
}

func mpichLibraries() []string {
	return []string{"libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi_mpich.so.1"}
}

// findLauncher reads the environment. The wrong library would not fail: each process
// would be a world of its own.
func findLauncher(env func(string) string) (launcher, error) {
	var l launcher
	switch {
	case env("OMPI_COMM_WORLD_SIZE") != "":
		l = launcher{name: "Open MPI", libraries: openMPILibraries(), sizeFrom: "OMPI_COMM_WORLD_SIZE"}
	case env("PMI_RANK") != "" || env("PMI_FD") != "":
		l = launcher{name: "PMI", libraries: mpichLibraries(), sizeFrom: "PMI_SIZE"}
	case env("PMIX_RANK") != "":
		l = launcher{name: "PMIx", libraries: openMPILibraries(), sizeFrom: "SLURM_STEP_NUM_TASKS"}
	default:
		return launcher{name: "none", libraries: append(mpichLibraries(), openMPILibraries()...), size: 1,
			sizeFrom: "no launcher in the environment"}, nil
	}
	for _, name := range []string{l.sizeFrom, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"} {
		text := env(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return l, fmt.Errorf("mpi: %s: expects a number from 1, got %q", name, text)
		}
		l.size, l.sizeFrom = n, name
		return l, nil
	}
	return l, nil
}

// candidates returns the libraries to try: the one that is named, otherwise those
// beside the launcher and then those of the system.
func (l launcher) candidates(named string, env func(string) string) []string {
	if named == "" {
		named = env(LibraryVariable)
	}
	if named != "" {
		return []string{named}
	}
	var list []string
	for _, dir := range l.folders(env) {
		for _, name := range l.libraries {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				list = append(list, path)
			}
		}
	}
	return append(list, l.libraries...)
}

// folders returns where the library of the launcher is, if it is not where the system looks.
func (l launcher) folders(env func(string) string) []string {
	var list []string
	if prefix := env("OPAL_PREFIX"); prefix != "" {
		list = append(list, filepath.Join(prefix, "lib"))
	}
	if l.name == "none" {
		return list
	}
	for pid, depth := os.Getppid(), 0; pid > 1 && depth < maxAncestors; pid, depth = parentOf(pid), depth+1 {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if err == nil && launcherName().MatchString(filepath.Base(exe)) {
			list = append(list, filepath.Join(filepath.Dir(exe), "..", "lib"))
		}
	}
	return list
}

// maxAncestors is how far up the launcher is looked for: there may be shells in between.
const maxAncestors = 8

// launcherName matches the programs that start ranks: hydra_pmi_proxy, prterun, prted, orted, mpirun, mpiexec.
func launcherName() *regexp.Regexp { return regexp.MustCompile(`^(hydra|prte|orte|mpi)`) }

// parentOf returns the parent of a process, 0 if it is not known.
func parentOf(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "PPid:"); ok {
			parent, _ := strconv.Atoi(strings.TrimSpace(text)) // 0 if it is no number
			return parent
		}
	}
	return 0
}

// check compares the size of the world with what the launcher said.
func (l launcher) check(lib *library, size int) error {
	if l.size == 0 || l.size == size {
		return nil
	}
	return fmt.Errorf("mpi: launcher %s: expects a world of %d processes (%s), got %d from %s: "+
		"the library does not belong to the launcher (%s names another one)",
		l.name, l.size, l.sizeFrom, size, lib.path, LibraryVariable)
}
