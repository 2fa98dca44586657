//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective/mpi/internal/mpitest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// commandVariable makes the test binary the command.
const commandVariable = "XLA_MPI_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command runs xla-mpi in so many ranks.
func command(t *testing.T, launcher string, ranks int, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := mpitest.Command(ctx, launcher, ranks, nil, args, []string{commandVariable + "=1"})
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// rows is a program whose first parameter is split over four partitions.
const rows = `HloModule rows, num_partitions=4

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main {
  x = f32[8] parameter(0)
  scale = f32[] parameter(1)
  quarters = f32[8] custom-call(x), custom_call_target="Sharding", sharding={devices=[4]<=[4]}
  part = f32[2] custom-call(quarters), custom_call_target="SPMDFullToShardShape", sharding={manual}
  b = f32[2] broadcast(scale), dimensions={}
  p = f32[2] multiply(part, b)
  sum = f32[2] all-reduce(p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add
  d = f32[2] subtract(p, sum)
  whole = f32[8] custom-call(d), custom_call_target="SPMDShardToFullShape", sharding={devices=[4]<=[4]}
  ROOT r = (f32[8], f32[2]) tuple(whole, sum)
}
`

// write makes the files of the tests in a folder.
func write(t *testing.T, dir string) {
	t.Helper()
	list := []npy.Named{{Name: "scale", Value: literal.Scalar(float32(2))}}
	x := []float32{1, 2, 3, 4, 5, 6, 7, 8}
	errs := []error{os.WriteFile(filepath.Join(dir, "rows.hlo"), []byte(rows), 0o600),
		npy.Save(filepath.Join(dir, "whole.npz"), append(list, npy.Named{Name: "x", Value: literal.Of(x)})),
		npy.Save(filepath.Join(dir, "scale.npz"), list)}
	for r := range 2 {
		var parts []npy.Named
		for d := 2 * r; d < 2*r+2; d++ {
			parts = append(parts, npy.Named{Name: "0@" + strconv.Itoa(d), Value: literal.Of(x[2*d : 2*d+2])})
		}
		errs = append(errs, npy.Save(filepath.Join(dir, "x."+strconv.Itoa(r)+".npz"), parts))
	}
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRun: whole arrays or one file a rank, one output file or one a rank, results together or by device.
func TestRun(t *testing.T) {
	const whole = "0: f32[8]{0} {-30, -36, -26, -32, -22, -28, -18, -24}\n1: f32[2]{0} {32, 40}\n"
	tests := []struct {
		ranks int
		args  string
		want  string
	}{
		{4, "--input whole.npz --print", "0@0: f32[2]{0} {-30, -36}\n1@0: f32[2]{0} {32, 40}\n0@1: f32[2]{0} {-26, -32}\n"},
		{2, "--input whole.npz --print --whole --output out.npz --compare interp", whole + "2 results agree"},
		{1, "--input whole.npz --print --whole --compare out.npz --backend interp", whole + "2 results agree"},
		{2, "--input scale.npz --input x.{rank}.npz --print --whole --compare out.npz", whole + "2 results agree"},
		{2, "--input whole.npz --output parts.{rank}.npz", "result 0@1: f32[2]  min -32"},
		{4, "--input scale.npz --input x.0.npz --input x.1.npz --compare interp", "8 results agree"},
		{4, "--random 5 --compare interp --threads 1 --timeout 20s", "8 results agree"},
	}
	for _, launcher := range mpitest.Launchers(t) {
		dir := t.TempDir()
		write(t, dir)
		t.Chdir(dir)
		for _, test := range tests {
			out, errs, err := command(t, launcher, test.ranks, append([]string{"run", "rows.hlo"},
				strings.Fields(test.args)...)...)
			if err != nil || !strings.HasPrefix(out, test.want) && !strings.Contains(out, test.want) {
				t.Errorf("%s -n %d run %s: %v, expects %q\n%s%s", launcher, test.ranks, test.args, err, test.want, out, errs)
			}
		}
	}
}

// TestRunErrors: all ranks end, and say why.
func TestRunErrors(t *testing.T) {
	tests := []struct {
		ranks int
		args  string
		want  string
	}{
		{2, "run rows.hlo --input scale.npz", "process 1 of 2: device 2: parameter 0 (x): no array for it"},
		{2, "run rows.hlo --input nothing.{rank}.npz", "nothing.1.npz"},
		{3, "run rows.hlo --input whole.npz", "expects a multiple of 3 devices"},
		{2, "run rows.hlo --random 1 --backend gpu", `--backend: expects one of [cpu interp], got "gpu"`},
		{2, "run rows.hlo --random 1 --whole --output o.{rank}.npz", "--whole: expects one --output file"},
		{2, "run rows.hlo --random 1 --timeout 0s", "--timeout: expects more than 0"},
		{2, "run rows.hlo --input whole.npz --compare scale.npz", "no array 0@0 to compare result 0@0 with"},
	}
	for _, launcher := range mpitest.Launchers(t) {
		dir := t.TempDir()
		write(t, dir)
		t.Chdir(dir)
		for _, test := range tests {
			out, errs, err := command(t, launcher, test.ranks, strings.Fields(test.args)...)
			if err == nil || !strings.Contains(errs+out, test.want) {
				t.Errorf("%s -n %d %s: %v, expects %q\n%s%s", launcher, test.ranks, test.args, err, test.want, out, errs)
			}
		}
	}
}

// TestTest: golden cases pass, and one that does not is named by the process that has the device.
func TestTest(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.txtar")
	const text = "# wrong\n# partitions: 2\n-- module.hlo --\nHloModule m, num_partitions=2\nENTRY e {\n" +
		"  ROOT p = u32[] partition-id()\n}\n-- output.0 --\nu32[] 0\n-- output.1 --\nu32[] 2\n"
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, launcher := range mpitest.Launchers(t) {
		out, errs, err := command(t, launcher, 2, "test", filepath.Join(root, "testdata", "jax"))
		if err != nil || !strings.HasSuffix(out, " passed, 0 failed, 0 skipped\n") {
			t.Errorf("%s: %v\n%s%s", launcher, err, out, errs)
		}
		out, errs, err = command(t, launcher, 2, "test", wrong, filepath.Join(root, "testdata", "jax", "pmap_2.txtar"))
		if err == nil || !strings.Contains(out, "FAIL process 1: "+wrong) ||
			!strings.Contains(out, "1 passed, 1 failed, 0 skipped\n") {
			t.Errorf("%s: %v\n%s%s", launcher, err, out, errs)
		}
	}
}
