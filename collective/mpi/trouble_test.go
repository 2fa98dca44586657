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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective/mpi/internal/mpitest"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// troubled is a program in which something happens to device 1 in front of a collective operation.
const troubled = `HloModule troubled, num_partitions=4

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main {
  x = f32[2] parameter(0)
  first = f32[2] all-reduce(x), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add
  y = f32[2] custom-call(first), custom_call_target="trouble", custom_call_has_side_effect=true
  ROOT total = f32[2] all-reduce(y), channel_id=2, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add
}
`

// troubleTime is how long devices wait for one another there.
const troubleTime = 3 * time.Second

// troubles are what happens, by the name of the scene; a trouble that returns lets the device go on.
func troubles() map[string]func(context.Context, *Transport) error {
	return map[string]func(context.Context, *Transport) error{
		"trouble-killed": func(context.Context, *Transport) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) },
		"trouble-panic": func(context.Context, *Transport) error {
			go panic("out of order")
			time.Sleep(time.Hour)
			return nil
		},
		"trouble-panic-in-program": func(context.Context, *Transport) error { panic("out of order") },
		"trouble-exit": func(context.Context, *Transport) error {
			os.Exit(0)
			return nil
		},
		"trouble-finalize": func(_ context.Context, t *Transport) error {
			err := t.engine.do(context.Background(), time.Hour, t.engine.finalize)
			fmt.Println("finalized:", err)
			t.Exit(0)
			return nil
		},
		"trouble-hang": func(context.Context, *Transport) error {
			time.Sleep(time.Hour)
			return nil
		},
		"trouble-loop": func(context.Context, *Transport) error {
			for { //nolint:staticcheck // this is the trouble
			}
		},
		"trouble-error": func(context.Context, *Transport) error { return errors.New("out of luck") },
		// The link goes down while devices are at work; see TestLinkDown.
		"trouble-link": func(context.Context, *Transport) error {
			say("AT WORK")
			for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(logFile() + downSuffix); err == nil {
					return nil
				}
			}
			return errors.New("expects the link to go down, got nothing")
		},
	}
}

// sceneTrouble runs the troubled program. All devices are given what happens to device 1, but for the link.
func sceneTrouble(name string, trouble func(context.Context, *Transport) error) func(*Transport) error {
	return func(t *Transport) error {
		handler := ffi.Func(func(ctx context.Context, c *ffi.Call) error {
			local, err := t.Local(4)
			if err == nil && (local[0] == 1 || name == "trouble-link") {
				time.Sleep(300 * time.Millisecond) // what the first operation sends goes out
				err = trouble(ctx, t)
			}
			copy(c.Results[0].Bytes(), c.Operands[0].Bytes())
			return err
		})
		client, err := xla.NewClient(xla.Options{Transport: t, CollectiveTimeout: troubleTime,
			Handlers: ffi.Handlers{"trouble": handler}})
		if err != nil {
			return err
		}
		prog, err := xla.Parse("troubled.hlo", []byte(troubled))
		if err != nil {
			return err
		}
		exe, err := client.Compile(context.Background(), prog)
		if err != nil {
			return err
		}
		args, err := exe.SplitArgs([]literal.Literal{literal.Of([]float32{1, 2})})
		if err != nil {
			return err
		}
		start := time.Now()
		_, err = exe.RunReplicated(context.Background(), args)
		say("ENDED %d after %v: %v", t.Rank(), time.Since(start).Round(time.Second/10), err)
		return err
	}
}

// total is how errors of those begin who wait in the second all-reduce.
const total = `troubled\.hlo:13:8: %total: all-reduce: all-reduce of devices \[0 1 2 3\]: `

// What follows it for device 1: it is dead, or alive and elsewhere. Others may be late on a machine with few cores.
const (
	dead   = total + `.*device 1 does not answer.*\(gave up after 3s\)`
	absent = total + `.*device 1 did not come.*\(gave up after 3s\)`
	known  = `device 1 failed: troubled\.hlo:12:3: %y: custom-call` // the others learn of it at once
)

// TestTroubles: whatever happens to a rank, all others end within the time-out, and those that the launcher lets live
// say which operation waited for whom and for how long.
func TestTroubles(t *testing.T) {
	tests := []struct {
		scene   string
		want    []string
		lenient bool // also where the launcher does not end the others
	}{
		{"trouble-killed", []string{dead}, true},
		{"trouble-panic", []string{"panic: out of order", dead}, true},
		{"trouble-panic-in-program", []string{known, "panicked: out of order"}, false},
		{"trouble-exit", []string{dead}, true},
		{"trouble-finalize", []string{dead}, true},
		{"trouble-hang", []string{absent}, false},
		{"trouble-loop", []string{absent}, false},
		{"trouble-error", []string{known, "out of luck"}, false},
	}
	for _, launcher := range mpitest.Launchers(t) {
		for _, test := range tests {
			t.Run(launcher+"/"+test.scene, func(t *testing.T) {
				t.Parallel()
				out := endure(t, launcher, test.scene)
				for _, want := range test.want {
					if strings.Contains(out, "ENDED") && !regexp.MustCompile(want).MatchString(out) { // else the launcher was faster
						t.Errorf("expects %q\n%s", want, out)
					}
				}
			})
			lenience := lenience(launcher)
			if !test.lenient || lenience == nil {
				continue
			}
			t.Run(launcher+"/"+test.scene+"/lenient", func(t *testing.T) {
				t.Parallel()
				out := endure(t, launcher, test.scene, lenience...)
				for _, want := range test.want {
					if !regexp.MustCompile(want).MatchString(out) {
						t.Errorf("expects %q\n%s", want, out)
					}
				}
			})
		}
	}
}

// endureTime is how long ranks may live besides what the scene does: starting and ending take some seconds.
const endureTime = troubleTime + 12*time.Second

// endure plays a scene in four ranks that ends badly and returns what they print.
func endure(t *testing.T, launcher, scene string, options ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return endureCommand(t, cancel, launching(ctx, launcher, 4, scene, options...), os.DevNull, func(string) {})
}

// endureCommand waits until all ranks that cmd starts have ended, which must be in time. The launcher itself, which may
// wait for ever, is stopped when no rank is left. Meanwhile watch is called with what the ranks write into a log.
func endureCommand(t *testing.T, stop func(), cmd *exec.Cmd, log string, watch func(string)) string {
	t.Helper()
	token := fmt.Sprintf("%s%d.%d", tokenVariable, os.Getpid(), time.Now().UnixNano())
	t.Cleanup(func() { endAll(t, token) })
	cmd.Env = append(cmd.Env, token, logVariable+log)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	seen, gone := false, 0
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		text, _ := os.ReadFile(log) // "" before there is one
		watch(string(text))
		left := ranksOf(token)
		seen = seen || len(left) > 0
		if gone++; !seen || len(left) > 0 {
			gone = 0
		}
		select {
		case err := <-end:
			if !empties(token) {
				t.Errorf("%v after %v, with ranks left: %v\n%s", err, time.Since(start), ranksOf(token), out.String())
			}
			return out.String()
		default:
		}
		late := time.Since(start) > endureTime
		if !late && gone <= 20 {
			continue
		}
		stop()
		err := <-end
		if late && len(left) > 0 {
			t.Errorf("after %v these ranks are left: %v (%v)\n%s", time.Since(start), left, err, out.String())
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // may have ended by now
		}
		return out.String()
	}
}

// say prints a line, and writes it into the log of the scene.
func say(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	f, err := os.OpenFile(logFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // there is none
	}
	defer f.Close()
	fmt.Fprintf(f, format+"\n", args...)
}

// logVariable names the log.
const logVariable = "XLA_MPI_TEST_LOG="

// logFile returns the log of the scene that this process plays.
func logFile() string { return os.Getenv(strings.TrimSuffix(logVariable, "=")) }

// tokenVariable marks the ranks of one launch.
const tokenVariable = "XLA_MPI_TEST_TOKEN="

// empties waits until no rank is left and reports whether that comes about soon.
func empties(token string) bool {
	for range 20 {
		if len(ranksOf(token)) == 0 {
			return true
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// ranksOf returns the processes of the test's program with a token in their environment.
func ranksOf(token string) (pids []int) {
	for _, pid := range startedWith(token) {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if self, err2 := os.Executable(); err == nil && err2 == nil && exe == self {
			pids = append(pids, pid)
		}
	}
	return pids
}

// startedWith returns the processes with a token in their environment: ranks, and what a launcher starts for them.
func startedWith(token string) (pids []int) {
	list, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range list {
		env, err := os.ReadFile(file) // of one that has ended there is none
		if pid, err2 := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && err2 == nil &&
			strings.Contains(string(env), token+"\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// endAll ends what a launch leaves behind: the daemon of a launcher on a host to which there is no link stays for ever.
func endAll(t *testing.T, token string) {
	t.Helper()
	for range 50 {
		left := startedWith(token)
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // may have ended by now
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("these processes do not end: %v", startedWith(token))
}

// lenience are the arguments with which a launcher lets the other ranks live when one has died, as plain srun does;
// nil where it has none that work: the proxy of hydra 5.0 breaks down then.
func lenience(launcher string) []string {
	if !isOpenMPI(launcher) {
		return nil
	}
	return []string{"--runtime-options", "continuous"}
}

// downSuffix is what the name of the log and it are the name of a file that there is when the link is down.
const downSuffix = ".down"
