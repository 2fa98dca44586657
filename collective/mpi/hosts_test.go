//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective/mpi/internal/mpitest"
)

// hosts are two network namespaces with names of hosts and a link between them.
type hosts struct {
	names, addresses, devices [2]string
	agent                     string // what launchers call in the place of ssh
}

// agentScript runs a command on the host of an address: AGENT [-OPTION...] ADDRESS COMMAND...
const agentScript = `#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
case $1 in
%s) host=%s ;;
*) host=%s ;;
esac
shift
exec ip netns exec $host unshare -u sh -c "hostname $host; $*"
`

// twoHosts makes the hosts, or skips the test where that is not allowed.
func twoHosts(t *testing.T) *hosts {
	t.Helper()
	for _, tool := range []string{"ip", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("two hosts need network namespaces, and there is no %s: %v", tool, err)
		}
	}
	h := &hosts{}
	id := os.Getpid()%50_000 + int(time.Now().UnixMilli()%10)*50_000
	for i := range 2 {
		h.names[i], h.devices[i] = fmt.Sprintf("xla%d-%d", id, i), fmt.Sprintf("xv%d-%d", id, i)
		h.addresses[i] = fmt.Sprintf("10.77.%d.%d", id%250, i+1)
	}
	steps := []string{"netns add " + h.names[0], "netns add " + h.names[1],
		fmt.Sprintf("link add %s type veth peer name %s", h.devices[0], h.devices[1])}
	for i, name := range h.names {
		steps = append(steps, fmt.Sprintf("link set %s netns %s", h.devices[i], name),
			fmt.Sprintf("-n %s link set %s name %s", name, h.devices[i], linkName),
			fmt.Sprintf("-n %s addr add %s/24 dev %s", name, h.addresses[i], linkName),
			fmt.Sprintf("-n %s link set %s up", name, linkName), fmt.Sprintf("-n %s link set lo up", name))
		t.Cleanup(func() { _ = ip("netns del " + name) }) // there is none if it could not be made
	}
	for _, step := range steps {
		if err := ip(step); err != nil {
			t.Skipf("this machine does not let us make network namespaces with a link: %v", err)
		}
	}
	h.agent = filepath.Join(t.TempDir(), "agent")
	script := fmt.Sprintf(agentScript, h.addresses[0], h.names[0], h.names[1])
	if err := os.WriteFile(h.agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

// linkName is what the link is called on each host.
const linkName = "xlalink"

// ip runs the command ip.
func ip(line string) error {
	out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %v: %s", line, err, out)
	}
	return nil
}

// linkDown takes the link between the hosts down.
func (h *hosts) linkDown() error {
	return ip(fmt.Sprintf("-n %s link set %s down", h.names[0], linkName))
}

// launching returns the command that plays a scene in two ranks on each host.
func (h *hosts) launching(ctx context.Context, launcher, scene string) *exec.Cmd {
	list := fmt.Sprintf("%s:2,%s:2", h.addresses[0], h.addresses[1])
	network := strings.TrimSuffix(h.addresses[0], "1") + "0/24"
	options := []string{"-launcher", "rsh", "-launcher-exec", h.agent, "-hosts", list}
	if isOpenMPI(launcher) {
		options = []string{"--prtemca", "plm_ssh_agent", h.agent, "--prtemca", "prte_if_include", network,
			"--mca", "btl_tcp_if_include", network, "--mca", "pml", "ob1", "--host", list, "--bind-to", "none"}
		for _, name := range []string{sceneVariable, logVariable, tokenVariable, "XLA_SHARED"} {
			options = append(options, "-x", strings.TrimSuffix(name, "="))
		}
	}
	cmd := launching(ctx, launcher, 4, scene, options...)
	here := fmt.Sprintf(`hostname %s; exec "$0" "$@"`, h.names[0])
	cmd.Args = append([]string{"ip", "netns", "exec", h.names[0], "unshare", "-u", "sh", "-c", here}, cmd.Args...)
	cmd.Path, cmd.Err = exec.LookPath("ip")
	// MPICH would see through the names of the hosts and use their common memory. Its UCX takes two namespaces of one
	// machine for one host, and one's loopback device for the other's, so libfabric carries the data.
	cmd.Env = append(cmd.Env, "XLA_SHARED="+os.Getenv("XLA_SHARED"), "MPIR_CVAR_NOLOCAL=1", "MPIR_CVAR_CH4_NETMOD=ofi",
		"FI_PROVIDER=tcp", "FI_TCP_IFACE="+linkName)
	return cmd
}

// isOpenMPI reports whether a launcher is that of Open MPI 5.
func isOpenMPI(launcher string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(launcher), "prterun"))
	return err == nil
}

// TestTwoHosts: all ranks get through on two hosts.
func TestTwoHosts(t *testing.T) {
	for _, launcher := range mpitest.Launchers(t) {
		for _, scene := range []string{"operations", "transfers", "golden"} {
			t.Run(launcher+"/"+scene, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := twoHosts(t).launching(ctx, launcher, scene)
				cmd.Env = append(cmd.Env, tokenVariable+"none", logVariable+os.DevNull)
				out, err := cmd.CombinedOutput()
				if text := string(out); err != nil || strings.Count(text, "DONE") != 4 || strings.Contains(text, "FAIL") {
					t.Errorf("%v\n%s", err, text)
				}
			})
		}
	}
}

// TestLinkDown: when the link between the hosts goes down, the ranks on both end within the time-out and say whom
// they waited for.
func TestLinkDown(t *testing.T) {
	for _, launcher := range mpitest.Launchers(t) {
		t.Run(launcher, func(t *testing.T) {
			h := twoHosts(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			log := filepath.Join(t.TempDir(), "log") // nothing comes over the link any more
			down := false
			endureCommand(t, cancel, h.launching(ctx, launcher, "trouble-link"), log, func(text string) {
				if !down && strings.Count(text, "AT WORK") == 4 {
					down = true
					if err := errors.Join(h.linkDown(), os.WriteFile(log+downSuffix, nil, 0o600)); err != nil {
						t.Error(err)
					}
				}
			})
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			for rank := range 4 {
				far := 2 - rank/2*2 // the first device of the other host
				late := total + fmt.Sprintf(`device %d does not answer, device %d does not answer \(gave up after 3s\)`, far, far+1)
				told := fmt.Sprintf(`%%total: all-reduce: device %d failed: %s`, rank^1, late)
				line := fmt.Sprintf(`device %d: (%s|troubled\.hlo:13:8: %s)`, rank, late, told)
				if !regexp.MustCompile(line).Match(text) {
					t.Errorf("expects %s, got\n%s", line, text)
				}
			}
		})
	}
}
