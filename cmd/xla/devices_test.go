package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

const sumOfReplicas = `HloModule sum

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  p = f32[2] parameter(0)
  q = f32[] parameter(1)
  b = f32[2] broadcast(q), dimensions={}
  x = f32[2] add(p, b)
  ROOT r = f32[2] all-reduce(x), replica_groups={}, to_apply=add
}
`

// TestRunOnDevices: K@D keys are arrays of one device, plain keys go to all, and
// results carry their device.
func TestRunOnDevices(t *testing.T) {
	dir := t.TempDir()
	program, in, result := filepath.Join(dir, "sum.hlo"), filepath.Join(dir, "in.npz"), filepath.Join(dir, "out.npz")
	if err := os.WriteFile(program, []byte(sumOfReplicas), 0o600); err != nil {
		t.Fatal(err)
	}
	arrays := []npy.Named{{Name: "0@0", Value: literal.Of([]float32{1, 2})},
		{Name: "p@1", Value: literal.Of([]float32{10, 20})}, {Name: "1", Value: literal.Scalar(float32(0.5))}}
	if err := npy.Save(in, arrays); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args string
		exit int
		want string
	}{
		{"--replicas 2 --input " + in + " --print --compare interp --output " + result, 0,
			"0@0: f32[2]{0} {12, 23}\n0@1: f32[2]{0} {12, 23}\n2 results agree"},
		{"--replicas 2 --input " + in + " --compare " + result, 0, "2 results agree"},
		{"--replicas 3 --input " + in, 2, "device 2: parameter 0 (p): no array for it"},
		{"--random 1", 0, "result 0: f32[2]"},
		{"--replicas -1 --random 1", 2, "--replicas, --partitions: expects 1 or more, got -1 and 0"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		args := append([]string{"run", program}, strings.Fields(test.args)...)
		if exit := execute(t.Context(), args, &out, &out); exit != test.exit || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: status %d, want %d, printed\n%s", test.args, exit, test.exit, out.String())
		}
	}
}

// TestJudgeOnDevices: a plain key is what comes out on all devices, K@D what comes out on one.
func TestJudgeOnDevices(t *testing.T) {
	program := file(t, "twice.hlo", "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT s = f32[2] add(p, p)\n}\n")
	one, two := literal.Of([]float32{1, 2}), literal.Of([]float32{2, 4})
	run := func(exit int, want string, arrays ...npy.Named) {
		t.Helper()
		expect(t, exit, want, "run", program, "--replicas", "2", "--input", archive(t, arrays...))
	}
	same := npy.Named{Name: "p", Value: one}
	run(exitDone, "largest difference from want: 0\n", same, npy.Named{Name: "want", Value: two})
	run(exitDone, "largest difference from want@1: 0\n", same, npy.Named{Name: "want@1", Value: two})
	first, second := npy.Named{Name: "p@0", Value: one}, npy.Named{Name: "p@1", Value: two}
	run(exitFailed, "result 0@1 differs from want: ", first, second, npy.Named{Name: "want", Value: two})
	run(exitFailed, "result 0@1 differs from want@1: ", first, second, npy.Named{Name: "want@1", Value: two})
	run(exitDone, "largest difference from want@0: 0\n", first, second, npy.Named{Name: "want@0", Value: two})
	run(exitUsage, "array p@2: expects a device in [0, 2), got 2", first, second, npy.Named{Name: "p@2", Value: two})
	run(exitDone, "result 0@1", first, second, npy.Named{Name: "q@2", Value: two})
}

// TestRunOnPartitions: a plain key is the whole array of which the partitions take parts, and --whole puts the
// results together.
func TestRunOnPartitions(t *testing.T) {
	dir := t.TempDir()
	program, in, parts, out := filepath.Join(dir, "p.hlo"), filepath.Join(dir, "in.npz"), filepath.Join(dir, "parts.npz"),
		filepath.Join(dir, "out.npz")
	const text = `HloModule p, num_partitions=2

ENTRY main {
  x = f32[4] parameter(0)
  halves = f32[4] custom-call(x), custom_call_target="Sharding", sharding={devices=[2]<=[2]}
  half = f32[2] custom-call(halves), custom_call_target="SPMDFullToShardShape", sharding={manual}
  other = f32[2] collective-permute(half), channel_id=1, source_target_pairs={{0,1},{1,0}}
  d = f32[2] subtract(half, other)
  ROOT whole = f32[4] custom-call(d), custom_call_target="SPMDShardToFullShape", sharding={devices=[2]<=[2]}
}
`
	x := literal.Of([]float32{1, 2, 4, 8})
	first, second := literal.Of([]float32{1, 2}), literal.Of([]float32{4, 8})
	for _, err := range []error{os.WriteFile(program, []byte(text), 0o600),
		npy.Save(in, []npy.Named{{Name: "x", Value: x}}),
		npy.Save(parts, []npy.Named{{Name: "x@1", Value: second}, {Name: "0", Value: first}})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"--input " + in, "0@0: f32[2]{0} {-3, -6}\n0@1: f32[2]{0} {3, 6}\n"},
		{"--input " + parts, "0@0: f32[2]{0} {-3, -6}\n0@1: f32[2]{0} {3, 6}\n"},
		{"--whole --compare interp --output " + out + " --input " + in, "0: f32[4]{0} {-3, -6, 3, 6}\n1 results agree"},
		{"--whole --compare " + out + " --input " + parts, "1 results agree"},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"run", program, "--print"}, strings.Fields(test.args)...)
		if exit := execute(t.Context(), args, &stdout, &stderr); exit != 0 || !strings.Contains(stdout.String(), test.want) {
			t.Errorf("%s: exit %d\n%s%s", test.args, exit, stdout.String(), stderr.String())
		}
	}
}

// TestWholeWithoutSharding: parts of results of which the program does not say how they lie together are no whole.
func TestWholeWithoutSharding(t *testing.T) {
	program := filepath.Join(t.TempDir(), "p.hlo")
	const text = `HloModule p, num_partitions=2

ENTRY main_spmd {
  p = u32[] partition-id()
  n = u32[] constant(2)
  ROOT r = (u32[], u32[]) tuple(n, p)
}
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--whole": "those of device 0 are taken of result 1\n",
		"":        "",
	} {
		var stdout, stderr bytes.Buffer
		exit := execute(t.Context(), append([]string{"run", program}, strings.Fields(args)...), &stdout, &stderr)
		if exit != 0 || !strings.HasSuffix(stderr.String(), want) || want == "" && stderr.Len() > 0 {
			t.Errorf("%q: exit %d\n%s%s", args, exit, stdout.String(), stderr.String())
		}
	}
}
