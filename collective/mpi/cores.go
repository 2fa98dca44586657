//go:build linux && (amd64 || arm64)

package mpi

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// IdleCores says that the processes of this host together may not run on all the cores that they have been given,
// because the launcher binds each to too few; "" if they may. It is for a warning at the start.
func IdleCores() string { return idleCores(os.Getenv, runtime.NumCPU(), coresOnline()) }

func idleCores(env func(string) string, allowed, online int) string {
	host := cmp.Or(countOf(env, "SLURM_CPUS_ON_NODE"), online) // a job may have a part of the host
	local := max(1, localProcesses(env))
	if host == 0 || allowed*local >= host {
		return ""
	}
	return fmt.Sprintf("this process may run on %d of the %d cores of its host, of which %d lie idle with %d processes: "+
		"start with mpirun --bind-to none, or --map-by slot:PE=%d, or srun --cpu-bind=none",
		allowed, host, host-allowed*local, local, host/local)
}

// localProcesses returns how many processes of the world this host has, as the launcher tells; 0 if it does not.
func localProcesses(env func(string) string) int {
	return cmp.Or(countOf(env, "OMPI_COMM_WORLD_LOCAL_SIZE"), countOf(env, "MPI_LOCALNRANKS"),
		countOf(env, "SLURM_NTASKS_PER_NODE"), countOf(env, "SLURM_TASKS_PER_NODE"))
}

// countOf reads a number from the environment: the first one of 4, of 4(x2) and of 4,3; 0 if there is none.
func countOf(env func(string) string, name string) int {
	text := env(name)
	if end := strings.IndexAny(text, "(,"); end >= 0 {
		text = text[:end]
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// coresOnline returns how many cores the host runs on, 0 if it does not tell.
func coresOnline() int {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return 0
	}
	n := 0
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), ",") {
		first, last, isRange := strings.Cut(part, "-")
		a, err1 := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		switch {
		case err1 != nil || isRange && err2 != nil:
			return 0
		case isRange:
			n += b - a + 1
		default:
			n++
		}
	}
	return n
}
