package xla_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// compileOn compiles text for a client with these options.
func compileOn(t testing.TB, opts xla.Options, text string, more ...xla.CompileOption) *xla.Executable {
	t.Helper()
	client := newClient(t, opts)
	exe, err := client.Compile(t.Context(), parse(t, text), more...)
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// wantError fails the test unless err contains each of the words.
func wantError(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("got error %v\nwant one with %q", err, w)
		}
	}
}

// sumLoop runs all-reduce as often as the infeed of the device says.
const sumLoop = `HloModule m, replica_count=2

add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT s = s32[] add(a, b)
}

body {
  s = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=0
  x = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  m = s32[] subtract(n, one)
  y = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add
  ROOT r = (s32[], s32[]) tuple(m, y)
}

more {
  s = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=0
  zero = s32[] constant(0)
  ROOT r = pred[] compare(n, zero), direction=GT
}

ENTRY e {
  t = token[] after-all()
  f = (s32[], token[]) infeed(t)
  n = s32[] get-tuple-element(f), index=0
  one = s32[] constant(1)
  s = (s32[], s32[]) tuple(n, one)
  w = (s32[], s32[]) while(s), condition=more, body=body
  u = token[] get-tuple-element(f), index=1
  g = (s32[], token[]) infeed(u)
  ROOT r = s32[] get-tuple-element(w), index=1
}
`

// feed puts scalars into the infeed of a device.
func feed(t testing.TB, host *ffi.Host, device int, values ...int32) {
	t.Helper()
	for _, v := range values {
		if err := host.Infeed(device).Put(literal.Scalar(v)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoreOftenThanPeers: a replica that runs a collective more often than the other
// is told so, at once, when the other has ended.
func TestMoreOftenThanPeers(t *testing.T) {
	exe := compileOn(t, xla.Options{}, sumLoop)
	host := ffi.NewHost()
	feed(t, host, 0, 2, 0)
	feed(t, host, 1, 2, 0)
	out, err := exe.RunReplicated(t.Context(), make([][]literal.Literal, 2), xla.WithHost(host))
	if err != nil || out[0][0].IntAt(0) != 4 || out[1][0].IntAt(0) != 4 {
		t.Fatalf("got %v, %v, want 4 twice", out, err)
	}
	feed(t, host, 0, 2, 0)
	feed(t, host, 1, 1, 0)
	_, err = exe.RunReplicated(t.Context(), make([][]literal.Literal, 2), xla.WithHost(host))
	wantError(t, err, "device 0: test.hlo:15:3: %y: all-reduce:", "devices [0 1]", "device 1 has ended")
	missing, ok := errors.AsType[*collective.MissingError](err)
	if !ok || missing.Op != "all-reduce" || len(missing.Missing) != 1 || missing.Missing[0].Device != 1 {
		t.Errorf("got %#v", missing)
	}
}

// TestTimeout: a replica that waits for one that is busy with something else gives up
// after the time-out of the client.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := ffi.NewHost()
		exe := compileOn(t, xla.Options{Host: host, CollectiveTimeout: 7 * time.Second}, sumLoop)
		feed(t, host, 0, 1, 0) // device 1 waits for its infeed
		start := time.Now()
		_, err := exe.RunReplicated(t.Context(), make([][]literal.Literal, 2))
		wantError(t, err, "device 0:", "device 1 did not come (gave up after 7s)")
		if waited := time.Since(start); waited != 7*time.Second {
			t.Errorf("waited %v, want 7s", waited)
		}
	})
}

// sumsBeside is two all-reduces that run beside a product, of what comes from the infeed.
const sumsBeside = `HloModule m, replica_count=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  t = token[] after-all()
  f = (f32[32,32], token[]) infeed(t)
  x = f32[32,32] get-tuple-element(f), index=0
  y = f32[32,32] negate(x)
  first = f32[32,32] all-reduce(x), replica_groups={{0,1}}, to_apply=add
  second = f32[32,32] all-reduce(y), replica_groups={{0,1}}, to_apply=add
  d = f32[32,32] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  v = f32[32,32] add(first, d)
  ROOT r = f32[32,32] subtract(v, second)
}
`

// TestTimeoutBeside: of collectives that were begun one after another the first one waits for the time-out, and is
// named, and the others are not done.
func TestTimeoutBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := ffi.NewHost()
		exe := compileOn(t, xla.Options{Host: host, CollectiveTimeout: 7 * time.Second}, sumsBeside)
		if err := host.Infeed(0).Put(literal.New(shape.Make(shape.F32, 32, 32))); err != nil { // device 1 waits for its own
			t.Fatal(err)
		}
		start := time.Now()
		_, err := exe.RunReplicated(t.Context(), make([][]literal.Literal, 2))
		wantError(t, err, "device 0:", "%first: all-reduce:", "device 1 did not come (gave up after 7s)")
		if waited := time.Since(start); waited > 10*time.Second {
			t.Errorf("waited %v, want 7s", waited)
		}
	})
}

// TestCancelReplicated: a run that waits for a host ends with its context.
func TestCancelReplicated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exe := compileOn(t, xla.Options{Host: ffi.NewHost()}, sumLoop)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := exe.RunReplicated(ctx, make([][]literal.Literal, 2))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
	})
}

// TestFailureOfOneDevice: the error of the run is that of the device which failed by
// itself, not of one that waited for it.
func TestFailureOfOneDevice(t *testing.T) {
	const text = `HloModule m, replica_count=3
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  i = u32[] replica-id()
  x = f32[] custom-call(i), custom_call_target="fail"
  ROOT r = f32[] all-reduce(x), replica_groups={}, to_apply=add
}`
	fail := ffi.Func(func(_ context.Context, c *ffi.Call) error {
		if c.Device == 2 {
			return errors.New("out of luck")
		}
		return nil
	})
	exe := compileOn(t, xla.Options{Handlers: ffi.Handlers{"fail": fail}}, text)
	_, err := exe.RunReplicated(t.Context(), make([][]literal.Literal, 3))
	wantError(t, err, `device 2: test.hlo:9:3: %x: custom-call: target "fail": out of luck`)
}

// TestManyPrograms: different modules meet in the collectives that agree in
// operation, group and channel, and send to each other.
func TestManyPrograms(t *testing.T) {
	const reducer = `
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
`
	first := compileOn(t, xla.Options{}, `HloModule first`+reducer+`
ENTRY e {
  p = f32[2] parameter(0)
  t = token[] after-all()
  sum = f32[2] all-reduce(p), replica_groups={}, to_apply=add
  s = (f32[2], u32[], token[]) send(sum, t), channel_id=5
  d = token[] send-done(s), channel_id=5
  h = f32[2] negate(p)
  ROOT again = f32[2] all-reduce(h), channel_id=9, use_global_device_ids=true, replica_groups={{1,0}}, to_apply=add
}`)
	second := compileOn(t, xla.Options{}, `HloModule second`+reducer+`
ENTRY other {
  q = f32[2] parameter(0)
  two = f32[] constant(2)
  twos = f32[2] broadcast(two), dimensions={}
  total = f32[2] all-reduce(twos), replica_groups={}, to_apply=add
  t = token[] after-all()
  r = (f32[2], u32[], token[]) recv(t), channel_id=5
  d = (f32[2], token[]) recv-done(r), channel_id=5
  got = f32[2] get-tuple-element(d), index=0
  all = f32[2] all-reduce(q), channel_id=9, use_global_device_ids=true, replica_groups={{1,0}}, to_apply=add
  ROOT out = (f32[2], f32[2], f32[2]) tuple(total, got, all)
}`)
	client := newClient(t, xla.Options{})
	out, err := client.RunGrid(t.Context(), [][]xla.Part{
		{{Exe: first, Args: []literal.Literal{literal.Of([]float32{1, 10})}}},
		{{Exe: second, Args: []literal.Literal{literal.Of([]float32{0.5, 0.25})}}}})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(values(out[0]), values(out[1]))
	if want := "[[-0.5 -9.75]] [[3 12] [3 12] [-0.5 -9.75]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// values returns the elements of f32 arrays.
func values(list []literal.Literal) (v [][]float32) {
	for _, l := range list {
		v = append(v, literal.Values[float32](l))
	}
	return v
}

// exchange receives on one channel and then sends on the other.
const exchange = `HloModule exchange
ENTRY e {
  t = token[] after-all()
  r = (f32[], u32[], token[]) recv(t), channel_id=%d
  d = (f32[], token[]) recv-done(r), channel_id=%[1]d
  x = f32[] get-tuple-element(d), index=0
  s = (f32[], u32[], token[]) send(x, t), channel_id=%d
  ROOT e = token[] send-done(s), channel_id=%[2]d
}`

// TestChannelCycle: two programs that each receive before they send wait for each
// other, which is an error at once.
func TestChannelCycle(t *testing.T) {
	a := compileOn(t, xla.Options{}, fmt.Sprintf(exchange, 1, 2))
	b := compileOn(t, xla.Options{}, fmt.Sprintf(exchange, 2, 1))
	client := newClient(t, xla.Options{})
	_, err := client.RunGrid(t.Context(), [][]xla.Part{{{Exe: a}, {Exe: b}}})
	wantError(t, err, "device 0:", "%d: recv-done: recv on channel 1", "nothing was sent")
}

// TestPermuteBySendRecv: the text has each recv-done in front of the send; the
// evaluator sends first, as devices in a ring must.
func TestPermuteBySendRecv(t *testing.T) {
	const text = `HloModule ring, num_partitions=3
ENTRY e {
  p = f32[2] parameter(0)
  t = token[] after-all()
  r = (f32[2], u32[], token[]) recv(t), channel_id=1,
    frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2},{2,0}}}
  d = (f32[2], token[]) recv-done(r), channel_id=1
  x = f32[2] get-tuple-element(d), index=0
  s = (f32[2], u32[], token[]) send(p, t), channel_id=1,
    frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2},{2,0}}}
  e = token[] send-done(s), channel_id=1
  ROOT q = f32[2] add(x, p)
}`
	exe := compileOn(t, xla.Options{}, text)
	args := [][]literal.Literal{{literal.Of([]float32{1, 2})}, {literal.Of([]float32{10, 20})},
		{literal.Of([]float32{100, 200})}}
	out, err := exe.RunReplicated(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values(out[0]), values(out[1]), values(out[2])); got != "[[101 202]] [[11 22]] [[110 220]]" {
		t.Errorf("got %s", got)
	}
}

// TestUnreceived: what is sent and not received is an error, also on one device.
func TestUnreceived(t *testing.T) {
	const text = `HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  t = token[] after-all()
  s = (f32[2], u32[], token[]) send(p, t), channel_id=3
  e = token[] send-done(s), channel_id=3
  ROOT q = f32[2] negate(p)
}`
	exe := compileOn(t, xla.Options{}, text)
	_, err := exe.Run(t.Context(), literal.Of([]float32{1, 2}))
	wantError(t, err, "nobody received: send %s on channel 3")
	if _, ok := errors.AsType[*collective.LostError](err); !ok {
		t.Errorf("got an error of type %T", err)
	}
}

// TestHostTransfers: sends to the host and receives from it go through its queues.
func TestHostTransfers(t *testing.T) {
	const text = `HloModule m, replica_count=2
ENTRY e {
  p = f32[2] parameter(0)
  t = token[] after-all()
  s = (f32[2], u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true
  u = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = ((s32[], pred[]), u32[], token[]) recv(u), channel_id=2, is_host_transfer=true
  d = ((s32[], pred[]), token[]) recv-done(r), channel_id=2, is_host_transfer=true
  ROOT q = (s32[], pred[]) get-tuple-element(d), index=0
}`
	host := ffi.NewHost()
	exe := compileOn(t, xla.Options{Host: host}, text)
	var wg sync.WaitGroup
	for d := range 2 { // the host answers with what it was sent
		wg.Go(func() {
			v, err := host.ToHost(d, 1).Take(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			answer := literal.MakeTuple(literal.Scalar(int32(v.FloatAt(1))), literal.Scalar(d == 1))
			if err := host.FromHost(d, 2).Put(answer); err != nil {
				t.Error(err)
			}
		})
	}
	out, err := exe.RunReplicated(t.Context(),
		[][]literal.Literal{{literal.Of([]float32{1, 2})}, {literal.Of([]float32{3, 4})}})
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range []int64{2, 4} {
		if out[d][0].IntAt(0) != want || out[d][1].BoolAt(0) != (d == 1) {
			t.Errorf("device %d: got %v", d, out[d])
		}
	}
}

// TestFeedErrors: what a program without, or with the wrong, host meets.
func TestFeedErrors(t *testing.T) {
	const in = `HloModule m
ENTRY e {
  t = token[] after-all()
  f = (f32[2], token[]) infeed(t)
  ROOT r = f32[2] get-tuple-element(f), index=0
}`
	exe := compileOn(t, xla.Options{}, in)
	_, err := exe.Run(t.Context())
	wantError(t, err, "%f: infeed: expects a host")
	host := ffi.NewHost()
	feed(t, host, 0, 1)
	host.Close()
	_, err = exe.RunWith(t.Context(), nil, xla.WithHost(host))
	wantError(t, err, "expects a value of shape f32[2]{0}, got s32[]")
	_, err = exe.RunWith(t.Context(), nil, xla.WithHost(host))
	wantError(t, err, "infeed of device 0: the queue is closed")
}

// TestDeviceCounts: how many devices a program asks for, and what contradicts it.
func TestDeviceCounts(t *testing.T) {
	const plain = "ENTRY e {\n  ROOT r = u32[] partition-id()\n}"
	tests := []struct {
		header               string
		replicas, partitions int
		max                  int
		devices              int
		err                  string
	}{
		{"HloModule m", 0, 0, 0, 1, ""},
		{"HloModule m, replica_count=2, num_partitions=3", 0, 0, 0, 6, ""},
		{"HloModule m, num_partitions=3", 4, 0, 12, 12, ""},
		{"HloModule m", 2, 2, 0, 4, ""},
		{"HloModule m, replica_count=2", 3, 1, 0, 0, "replica_count=2, got a request for 3"},
		{"HloModule m, num_partitions=4", 0, 2, 0, 0, "num_partitions=4, got a request for 2"},
		{"HloModule m", -1, 1, 0, 0, "got a request for -1"},
		{"HloModule m, num_partitions=4", 0, 0, 3, 0, "needs 1 replicas x 4 partitions: expects at most 3 devices"},
	}
	for _, test := range tests {
		client := newClient(t, xla.Options{Devices: test.max})
		exe, err := client.Compile(t.Context(), parse(t, test.header+"\n"+plain),
			xla.WithDevices(test.replicas, test.partitions))
		if test.err != "" {
			wantError(t, err, test.err)
			continue
		}
		if err != nil || exe.Devices() != test.devices || exe.Replicas()*exe.Partitions() != test.devices {
			t.Errorf("%s: got %v devices, %v", test.header, exe, err)
		}
	}
	if _, err := xla.NewClient(xla.Options{Devices: -1}); err == nil {
		t.Error("Devices: -1: expects an error")
	}
}

// TestWrongNumberOfDevices: arguments for another number of devices than the program has.
func TestWrongNumberOfDevices(t *testing.T) {
	one := compileOn(t, xla.Options{}, "ENTRY e {\n  ROOT r = u32[] replica-id()\n}")
	two := compileOn(t, xla.Options{}, "HloModule m, replica_count=2\nENTRY e {\n  ROOT r = u32[] replica-id()\n}")
	if out, err := one.RunReplicated(t.Context(), make([][]literal.Literal, 1)); err != nil || len(out) != 1 {
		t.Errorf("a program of one device, replicated: %v, %v", out, err)
	}
	_, err := two.Run(t.Context())
	wantError(t, err, "m is for 2 devices", "RunReplicated")
	_, err = two.RunReplicated(t.Context(), nil)
	wantError(t, err, "m runs on 2 devices", "got them for 0")
	_, err = two.RunReplicated(t.Context(), [][]literal.Literal{{}, {literal.Scalar(float32(1))}})
	wantError(t, err, "device 1:", "takes 0 arguments, got 1")
	client := newClient(t, xla.Options{})
	for want, grid := range map[string][][]xla.Part{
		"one device at least":               {},
		"expects 2 partitions in replica 1": {{{Exe: one}, {Exe: one}}, {{Exe: one}}},
		"device 1: xla: expects a program":  {{{Exe: one}, {}}},
		"is for 2 replicas x 1 partitions":  {{{Exe: two}, {Exe: two}}},
	} {
		_, err := client.RunGrid(t.Context(), grid)
		wantError(t, err, want)
	}
}

// TestConcurrentRuns: runs of one executable at the same time do not meet.
func TestConcurrentRuns(t *testing.T) {
	const text = `HloModule m, replica_count=3
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  p = f32[] parameter(0)
  q = f32[] all-reduce(p), replica_groups={}, to_apply=add
  ROOT r = f32[] all-reduce(q), replica_groups={}, to_apply=add
}`
	exe := compileOn(t, xla.Options{}, text)
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			x := []literal.Literal{literal.Scalar(float32(k))}
			out, err := exe.RunReplicated(t.Context(), [][]literal.Literal{x, x, x})
			if err != nil {
				t.Error(err)
				return
			}
			for d := range out {
				if got := out[d][0].FloatAt(0); got != float64(9*k) {
					t.Errorf("run %d, device %d: got %v, want %v", k, d, got, 9*k)
				}
			}
		})
	}
	wg.Wait()
}
