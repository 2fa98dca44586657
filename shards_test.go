package xla_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// rowsOverDevices subtracts the sum over all devices; its rows are spread over two of them.
const rowsOverDevices = `HloModule rows, num_partitions=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main {
  x = f32[4,2] parameter(0)
  s = f32[] parameter(1)
  rows = f32[4,2] custom-call(x), custom_call_target="Sharding", sharding={devices=[2,1]<=[2]}
  part = f32[2,2] custom-call(rows), custom_call_target="SPMDFullToShardShape", sharding={manual}
  b = f32[2,2] broadcast(s), dimensions={}
  p = f32[2,2] multiply(part, b)
  sum = f32[2,2] all-reduce(p), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add
  d = f32[2,2] subtract(p, sum)
  whole = f32[4,2] custom-call(d), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,1]<=[2]}
  ROOT r = (f32[4,2], f32[2,2]) tuple(whole, sum)
}`

// TestSplitAndJoin: whole arrays go to the devices in parts, and parts come back as a whole.
func TestSplitAndJoin(t *testing.T) {
	exe := compileOn(t, xla.Options{}, rowsOverDevices)
	if got := exe.Signature().Params[0].StringNoLayout(); got != "f32[2,2]" {
		t.Errorf("parameter 0 is %s on a device", got)
	}
	x := literal.Of([][]float32{{1, 2}, {3, 4}, {5, 6}, {7, 8}})
	args, err := exe.SplitArgs([]literal.Literal{x, literal.Scalar(float32(2))})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.RunReplicated(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := exe.JoinResults(out)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []literal.Literal{literal.Of([][]float32{{-10, -12}, {-14, -16}, {-2, -4}, {-6, -8}}),
		literal.Of([][]float32{{12, 16}, {20, 24}})} {
		if !literal.Equal(whole[k], want) {
			t.Errorf("result %d: got %v, want %v", k, whole[k], want)
		}
	}
	for d := range out {
		part, err := exe.ResultPart(0, d, whole[0])
		if err != nil || !literal.Equal(part, out[d][0]) {
			t.Errorf("part of device %d: got %v, %v, want %v", d, part, err, out[d][0])
		}
	}
}

func TestSplitAndJoinErrors(t *testing.T) {
	exe := compileOn(t, xla.Options{}, rowsOverDevices)
	x, s := literal.Of([][]float32{{1, 2}, {3, 4}, {5, 6}}), literal.Scalar(float32(2))
	_, few := exe.SplitArgs([]literal.Literal{x})
	_, odd := exe.SplitArgs([]literal.Literal{x, s})
	_, none := exe.ArgPart(2, 0, s)
	_, noResult := exe.ResultPart(2, 0, s)
	_, devices := exe.JoinResults([][]literal.Literal{{s, s}})
	for _, i := range []int{-1, 2} {
		if whole, ok := exe.WholeParam(i); ok {
			t.Errorf("parameter %d, which there is not, has parts of %s", i, whole)
		}
	}
	part := literal.Of([][]float32{{1, 2}, {3, 4}})
	_, missing := exe.JoinResults([][]literal.Literal{{part, part}, nil})
	for i, test := range []struct {
		err  error
		want string
	}{
		{few, "expects 2 arguments, got 1"},
		{odd, "argument 0 (x): expects f32[2,2], got f32[3,2]"},
		{none, "parameter 2 is not in [0, 2)"},
		{noResult, "result 2 is not in [0, 2)"},
		{devices, "expects results of 2 devices, got 1"},
		{missing, "result 0: expects that of device 1, got none"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%d: got %v, want %q", i, test.err, test.want)
		}
	}
}

// TestJoinEmptyParts: parts without elements are put together to an array without elements.
func TestJoinEmptyParts(t *testing.T) {
	for _, test := range []struct{ part, whole, sharding string }{
		{"f32[0,2]", "f32[0,4]", "[1,2]<=[2]"},
		{"f32[0,4]", "f32[0,4]", "[2,1]<=[2]"},
		{"f32[2,0]", "f32[4,0]", "[2,1]<=[2]"},
	} {
		exe := compileOn(t, xla.Options{}, `HloModule empty, num_partitions=2

ENTRY main {
  y = `+test.part+` parameter(0)
  whole = `+test.whole+` custom-call(y), custom_call_target="SPMDShardToFullShape", sharding={devices=`+test.sharding+`}
  ROOT r = `+test.whole+` add(whole, whole)
}`)
		part := literal.New(exe.Signature().Params[0])
		out, err := exe.RunReplicated(t.Context(), [][]literal.Literal{{part}, {part}})
		if err != nil {
			t.Fatalf("%s: %v", test.sharding, err)
		}
		for d := range out {
			if got := out[d][0].Shape().StringNoLayout(); got != test.whole {
				t.Errorf("device %d: got %s, want %s", d, got, test.whole)
			}
		}
	}
}
