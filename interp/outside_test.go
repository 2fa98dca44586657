package interp_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// evaluate runs the module text with opts.
func evaluate(t *testing.T, text string, opts interp.Options, args ...literal.Literal) (literal.Literal, error) {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatal(err)
	}
	return interp.Run(t.Context(), m, args, opts)
}

// entry returns a module with a computation add and the given entry computation.
func entry(lines ...string) string {
	return `HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  ` + strings.Join(lines, "\n  ") + "\n}\n"
}

func TestErrorsFromOutside(t *testing.T) {
	two := interp.Device{Replicas: 2}
	const reduce = `ROOT r = f32[] all-reduce(p), replica_groups={}, to_apply=add`
	const scalar = `p = f32[] constant(1)`
	for _, c := range []struct {
		name, module, want string
		device             interp.Device
	}{
		{"custom-call without a handler", entry(`ROOT r = f32[2] custom-call(), custom_call_target="mine"`),
			`expects a handler for "mine", got none`, interp.Device{}},
		{"mark of two operands", entry(scalar, `ROOT r = f32[] custom-call(p, p), custom_call_target="Sharding"`),
			"one operand, got 2", interp.Device{}},
		{"infeed without a host", entry("t = token[] after-all()", "ROOT r = (f32[], token[]) infeed(t)"),
			"a host to read from, got none", interp.Device{}},
		{"outfeed without a host", entry(scalar, "t = token[] after-all()",
			"ROOT r = token[] outfeed(p, t), outfeed_shape=f32[]"), "a host to write to, got none", interp.Device{}},
		{"sent to the host", entry(scalar, "t = token[] after-all()",
			"a = (f32[], u32[], token[]) send(p, t), channel_id=3, is_host_transfer=true",
			"ROOT r = token[] send-done(a), channel_id=3, is_host_transfer=true"), "a host at the other end", interp.Device{}},
		{"no communicator", entry(scalar, reduce), "the devices [0 1], got none", two},
		{"group without this device", entry(scalar, `ROOT r = f32[] all-reduce(p), replica_groups={{0,1}}, to_apply=add`),
			"a group with device 2", interp.Device{Replica: 2, Replicas: 3}},
		{"group of another size", entry("p = f32[2] constant({1, 2})",
			`ROOT r = f32[4] all-gather(p), replica_groups={}, dimensions={0}`),
			"expects the result f32[4]{0}, got f32[2]{0} from a group of 1", interp.Device{}},
		{"part of another size", entry("p = f32[4] constant({1, 2, 3, 4})",
			`ROOT r = f32[2] reduce-scatter(p), replica_groups={}, dimensions={0}, to_apply=add`),
			"expects the result f32[2]{0}, got f32[4]{0} from a group of 1", interp.Device{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := evaluate(t, c.module, interp.Options{Device: c.device})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, got %v", c.want, err)
			}
		})
	}
}

func TestSizesOutOfRange(t *testing.T) {
	five := literal.Of([]float32{1, 2, 3, 4, 5})
	set := entry("x = f32[5] parameter(0)", "n = s32[] parameter(1)",
		"ROOT r = f32[<=5] set-dimension-size(x, n), dimensions={0}")
	fill := entry("x = f32[5] parameter(0)", "n = s32[] parameter(1)",
		"ROOT r = f32[<=5] dynamic-reshape(x, n)")
	sum := entry("x = f32[<=5] parameter(0)", "y = f32[<=5] parameter(1)", "ROOT r = f32[<=5] add(x, y)")
	for _, c := range []struct {
		name, module, want string
		args               []literal.Literal
	}{
		{"above the bound", set, "at most 5 for dimension 0, got 6", []literal.Literal{five, literal.Scalar(int32(6))}},
		{"negative", set, "at least 0 for dimension 0, got -1", []literal.Literal{five, literal.Scalar(int32(-1))}},
		{"reshape above the bound", fill, "got 9", []literal.Literal{five, literal.Scalar(int32(9))}},
		{"reshape to fewer elements", fill, "4 elements", []literal.Literal{five, literal.Scalar(int32(4))}},
		{"sum of three and two", sum, "operand 1: expects size 3 in dimension 0",
			[]literal.Literal{literal.Of([]float32{1, 2, 3}), literal.Of([]float32{1, 2})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := evaluate(t, c.module, interp.Options{}, c.args...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, got %v", c.want, err)
			}
		})
	}
}

// TestDynamicOne: a dynamic dimension of size 1 goes with any other, as in XLA.
func TestDynamicOne(t *testing.T) {
	text := entry("x = f32[<=5] parameter(0)", "y = f32[<=5] parameter(1)", "ROOT r = f32[<=5] add(x, y)")
	got, err := evaluate(t, text, interp.Options{}, literal.Of([]float32{10}), literal.Of([]float32{1, 2, 3}))
	if err != nil {
		t.Fatal(err)
	}
	if err := literal.Compare(got, literal.Of([]float32{11, 12, 13}), literal.Tolerance{}); err != nil {
		t.Error(err)
	}
}

// TestReceiveAfterSend: without control edges a receive waits for the send on its channel.
func TestReceiveAfterSend(t *testing.T) {
	text := entry("t = token[] after-all()", "a = (f32[], u32[], token[]) recv(t), channel_id=1",
		"c = (f32[], token[]) recv-done(a), channel_id=1", "x = f32[] get-tuple-element(c), index=0",
		"p = f32[] constant(7)", "b = (f32[], u32[], token[]) send(p, t), channel_id=1",
		"d = token[] send-done(b), channel_id=1", "ROOT r = f32[] negate(x)")
	got, err := evaluate(t, text, interp.Options{})
	if err != nil || got.FloatAt(0) != -7 {
		t.Errorf("expected -7, got %v, %v", got, err)
	}
}
