package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

func parse(t *testing.T, text string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{File: "m.hlo"})
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const reducer = `
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
`

// TestGroups: the groups of all collectives, in the order of the program, each once.
func TestGroups(t *testing.T) {
	m := parse(t, "HloModule m, replica_count=2, num_partitions=2\n"+reducer+`
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] all-reduce(p), replica_groups={}, to_apply=add
  b = f32[4] all-reduce(a), replica_groups={{0,1}}, to_apply=add
  c = f32[8] all-gather(b), channel_id=1, use_global_device_ids=true, replica_groups={{3,0},{1,2}}, dimensions={0}
  d = f32[8] collective-permute(c), channel_id=2, source_target_pairs={{0,1}}
  f = f32[8] all-to-all(d), channel_id=3, replica_groups={{0,1}}, dimensions={0}
  ROOT g = f32[8] negate(f)
}`)
	want := "[[0 2] [1 3] [3 0] [1 2] [0 1] [2 3]]"
	if got := fmt.Sprint(interp.Groups(m, 2, 2)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAlone: a device without a communicator runs collectives of its own group only.
func TestAlone(t *testing.T) {
	m := parse(t, "HloModule m\n"+reducer+`
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] all-reduce(p), replica_groups={{0}}, to_apply=add
  b = f32[2] all-gather(a), replica_groups={}, dimensions={0}
  c = f32[2] all-to-all(b), replica_groups={{0}}, dimensions={0}
  ROOT d = f32[2] collective-permute(c), source_target_pairs={{0,0}}
}`)
	x := []literal.Literal{literal.Of([]float32{1, 2})}
	v, err := interp.Run(t.Context(), m, x, interp.Options{})
	if err != nil || !literal.Equal(v, x[0]) {
		t.Errorf("got %v, %v, want the parameter", v, err)
	}
	_, err = interp.Run(t.Context(), m, x, interp.Options{Device: interp.Device{Replica: 1, Replicas: 2}})
	wantError(t, err, "replica_groups: expects a group with device 1, got none")
	m = parse(t, "HloModule m\n"+reducer+`
ENTRY e {
  p = f32[2] parameter(0)
  ROOT a = f32[2] all-reduce(p), to_apply=add
}`)
	_, err = interp.Run(t.Context(), m, x, interp.Options{Device: interp.Device{Replica: 1, Replicas: 2}})
	wantError(t, err, "expects a communicator for the devices [0 1]")
}

func wantError(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want an error with %q", err, words)
	}
}

func TestCheckHandlers(t *testing.T) {
	m := parse(t, `HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] custom-call(p), custom_call_target="Sharding"
  ROOT b = f32[2] custom-call(a), custom_call_target="mine"
}`)
	want := `m.hlo:5:8: %b: custom-call: custom_call_target: expects a handler for "mine", got none`
	for _, r := range []ffi.Registry{nil, ffi.Handlers{}} {
		if err := interp.CheckHandlers(m, r); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := interp.CheckHandlers(m, ffi.Handlers{"mine": ffi.Func(nil)}); err != nil {
		t.Error(err)
	}
}
