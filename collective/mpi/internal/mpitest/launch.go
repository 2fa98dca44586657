// Package mpitest starts test binaries as ranks, under the launchers that there are.
package mpitest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// LauncherVariable is the environment variable that lists the programs that start ranks.
const LauncherVariable = "XLA_MPI_LAUNCHER"

// Launchers returns the programs that start ranks: those in LauncherVariable, otherwise mpirun. Without any the test is
// skipped.
func Launchers(t *testing.T) []string {
	t.Helper()
	if list := os.Getenv(LauncherVariable); list != "" {
		return filepath.SplitList(list)
	}
	path, err := exec.LookPath("mpirun")
	if err != nil {
		t.Skipf("no MPI launcher: mpirun is not in PATH and %s is empty", LauncherVariable)
	}
	return []string{path}
}

// Command returns the command that starts this test binary in so many ranks, of which there may be more than cores,
// with arguments and what else there is in the environment. options are for the launcher.
func Command(ctx context.Context, launcher string, ranks int, options, args, environment []string) *exec.Cmd {
	list := append(append([]string{}, options...), "-n", strconv.Itoa(ranks), os.Args[0])
	cmd := exec.CommandContext(ctx, launcher, append(list, args...)...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(append(os.Environ(), environment...), settings()...)
	return cmd
}

// settings of Open MPI let it run as root, with more ranks than cores, each on all of them. It looks for networks by
// libfabric, which no test needs, for a second.
func settings() []string {
	return []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
		"OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_hwloc_default_binding_policy=none", "OMPI_MCA_btl=^ofi"}
}
