package collective_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

type device = collective.Communicator

// run runs body on n devices, each closed with what body returns, and returns those errors.
func run(t *testing.T, n int, body func(c device) error) ([]error, error) {
	t.Helper()
	session, err := collective.InProcess().Open(t.Context(), collective.Run{Devices: n, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for d := range n {
		wg.Go(func() {
			c := session.Communicator(d)
			errs[d] = body(c)
			c.Close(errs[d])
		})
	}
	wg.Wait()
	return errs, session.Close()
}

// want runs body on n devices and fails the test at the first error.
func want(t *testing.T, n int, body func(c device) error) {
	t.Helper()
	errs, err := run(t, n, body)
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
}

func vector(v ...float32) literal.Literal { return literal.Of(v) }

func zeros(n int) literal.Literal { return literal.New(shape.Make(shape.F32, n)) }

// check compares what device d received.
func check(d int, got literal.Literal, want ...float32) error {
	if !literal.Equal(got, vector(want...)) {
		return fmt.Errorf("device %d: expects %v, got %v", d, want, got)
	}
	return nil
}

// minus is a reducer by which the order shows: acc - x.
var minus = collective.Reducer{Combine: func(acc, x literal.Literal) error {
	a, b := literal.Values[float32](acc), literal.Values[float32](x)
	for i := range a {
		a[i] -= b[i]
	}
	return nil
}}

func meeting(op string, group ...int) collective.Meeting {
	return collective.Meeting{Op: op, Name: op + ".1", Group: group}
}

func TestAllGather(t *testing.T) {
	want(t, 4, func(c device) error {
		if c.Device() == 1 {
			return nil // in no group
		}
		recv := [][]literal.Literal{{zeros(2)}, {zeros(2)}, {zeros(2)}}
		send := []literal.Literal{vector(float32(c.Device()), 0.5)}
		if err := c.AllGather(t.Context(), meeting("all-gather", 2, 0, 3), recv, send); err != nil {
			return err
		}
		return errors.Join(check(c.Device(), recv[0][0], 2, 0.5), check(c.Device(), recv[1][0], 0, 0.5),
			check(c.Device(), recv[2][0], 3, 0.5))
	})
}

func TestAllToAllOfUnequalParts(t *testing.T) {
	want(t, 2, func(c device) error {
		me, other := c.Device(), 1-c.Device()
		send, recv := make([][]literal.Literal, 2), make([][]literal.Literal, 2)
		send[other], recv[other] = []literal.Literal{vector(10, float32(me))}, []literal.Literal{zeros(2)}
		if err := c.AllToAll(t.Context(), meeting("all-to-all", 0, 1), recv, send); err != nil {
			return err
		}
		return check(me, recv[other][0], 10, float32(other))
	})
}

func TestBroadcast(t *testing.T) {
	want(t, 3, func(c device) error {
		recv := []literal.Literal{zeros(1)}
		send := []literal.Literal{vector(float32(c.Device()))}
		err := c.Broadcast(t.Context(), meeting("collective-broadcast", 0, 2, 1), 1, recv, send)
		return errors.Join(err, check(c.Device(), recv[0], 2))
	})
}

// TestReduceOrder: arrays are combined in the order of the group, whoever comes first.
func TestReduceOrder(t *testing.T) {
	group := []int{2, 0, 1}
	values := []float32{1, 10, 100}
	want(t, 3, func(c device) error {
		time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
		x := vector(values[c.Device()], 2*values[c.Device()], 0, 1)
		in := []literal.Literal{x} // in place
		if err := c.AllReduce(t.Context(), meeting("all-reduce", group...), in, in, minus); err != nil {
			return err
		}
		return check(c.Device(), x, 100-1-10, 200-2-20, 0, -1)
	})
	want(t, 3, func(c device) error {
		send := make([][]literal.Literal, 3)
		for k := range send {
			send[k] = []literal.Literal{vector(values[c.Device()] * float32(k+1))}
		}
		recv := []literal.Literal{zeros(1)}
		err := c.ReduceScatter(t.Context(), meeting("reduce-scatter", group...), recv, send, minus)
		place := map[int]int{2: 0, 0: 1, 1: 2}[c.Device()]
		return errors.Join(err, check(c.Device(), recv[0], 89*float32(place+1)))
	})
}

// TestManyMeetings: devices that come and go at any time never take arrays of another round.
func TestManyMeetings(t *testing.T) {
	const devices, rounds = 5, 200
	want(t, devices, func(c device) error {
		rng := rand.New(rand.NewPCG(1, uint64(c.Device())))
		x := zeros(3)
		for round := range rounds {
			group := []int{0, 1, 2, 3, 4}
			if round%3 == 1 {
				group = [][]int{{0, 1}, {0, 1}, {4, 3, 2}, {4, 3, 2}, {4, 3, 2}}[c.Device()]
			}
			if rng.IntN(4) == 0 {
				time.Sleep(time.Microsecond)
			}
			v := float32(round*10 + c.Device())
			copy(literal.Values[float32](x), []float32{v, v, v})
			in := []literal.Literal{x}
			if err := c.AllReduce(t.Context(), meeting("all-reduce", group...), in, in, minus); err != nil {
				return err
			}
			sum := float32(0)
			for k, d := range group {
				sum += float32(round*10+d) * [2]float32{1, -1}[min(k, 1)]
			}
			if err := check(c.Device(), x, sum, sum, sum); err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
		}
		return nil
	})
}

func TestSendRecv(t *testing.T) {
	want(t, 3, func(c device) error { // a ring, each sends first
		right, left := (c.Device()+1)%3, (c.Device()+2)%3
		for round := range 3 {
			out := collective.Transfer{Channel: 1, Source: c.Device(), Target: right}
			if err := c.Send(t.Context(), out, []literal.Literal{vector(float32(10*c.Device() + round))}); err != nil {
				return err
			}
		}
		for round := range 3 {
			recv := []literal.Literal{zeros(1)}
			in := collective.Transfer{Channel: 1, Source: left, Target: c.Device()}
			if err := c.Recv(t.Context(), in, recv); err != nil {
				return err
			}
			if err := check(c.Device(), recv[0], float32(10*left+round)); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestAnyDevice: a channel without ends connects whoever sends with whoever receives.
func TestAnyDevice(t *testing.T) {
	any := collective.Transfer{Channel: 7, Source: collective.AnyDevice, Target: collective.AnyDevice}
	want(t, 2, func(c device) error {
		if c.Device() == 0 {
			return c.Send(t.Context(), any, []literal.Literal{vector(3, 4)})
		}
		recv := []literal.Literal{zeros(2)}
		return errors.Join(c.Recv(t.Context(), any, recv), check(1, recv[0], 3, 4))
	})
}

// TestErrors: what keeps an operation from taking place, and what each device is told.
func TestErrors(t *testing.T) {
	pair := meeting("all-reduce", 0, 1)
	reduce := func(c device) error {
		x := []literal.Literal{vector(1)}
		return c.AllReduce(context.Background(), pair, x, x, minus)
	}
	recv := func(c device, source int) error {
		return c.Recv(context.Background(), collective.Transfer{Channel: 2, Source: source, Target: c.Device(), Name: "r"},
			[]literal.Literal{zeros(1)})
	}
	tests := []struct {
		name    string
		devices int
		body    func(c device) error
		want    []string // by device; "" = no error
	}{
		{"late", 2, func(c device) error {
			if c.Device() == 1 {
				time.Sleep(time.Hour)
				return nil
			}
			return reduce(c)
		}, []string{"all-reduce of devices [0 1]: device 1 did not come (gave up after 1m0s)", ""}},
		{"ended", 2, func(c device) error {
			if c.Device() == 1 {
				return nil
			}
			return reduce(c)
		}, []string{"all-reduce of devices [0 1]: device 1 has ended", ""}},
		{"once more than the others", 2, func(c device) error {
			if err := reduce(c); err != nil || c.Device() == 1 {
				return err
			}
			return reduce(c)
		}, []string{"all-reduce of devices [0 1]: device 1 has ended", ""}},
		{"deadlock", 2, func(c device) error {
			if c.Device() == 1 {
				return recv(c, 0)
			}
			return reduce(c)
		}, []string{
			"all-reduce of devices [0 1]: device 1 waits in recv on channel 2 from device 0 to 1 %r",
			"recv on channel 2 from device 0 to 1: device 0 waits in all-reduce %all-reduce.1"}},
		{"circle of receives", 3, func(c device) error { return recv(c, (c.Device()+1)%3) }, []string{
			"recv on channel 2 from device 1 to 0: device 1 waits in recv on channel 2 from device 2 to 1 %r",
			"recv on channel 2 from device 2 to 1: device 2 waits in recv on channel 2 from device 0 to 2 %r",
			"recv on channel 2 from device 0 to 2: device 0 waits in recv on channel 2 from device 1 to 0 %r"}},
		{"another device failed", 2, func(c device) error {
			if c.Device() == 0 {
				return errors.New("out of luck")
			}
			return reduce(c)
		}, []string{"out of luck", "device 0 failed: out of luck"}},
		{"other shapes", 2, func(c device) error {
			x := []literal.Literal{zeros(1 + c.Device())}
			return c.AllReduce(context.Background(), pair, x, x, minus)
		}, []string{"all-reduce of devices [0 1]: expects f32[1]{0} of device 1, got f32[2]{0}",
			"all-reduce of devices [0 1]: expects f32[2]{0} of device 0, got f32[1]{0}"}},
		{"not a member", 2, func(c device) error {
			if c.Device() == 0 {
				return nil
			}
			return c.Broadcast(context.Background(), meeting("b", 0), 0, nil, nil)
		}, []string{"", "b of devices [0]: expects device 1 in the group, got none"}},
		{"twice a member", 1, func(c device) error {
			return c.Broadcast(context.Background(), meeting("b", 0, 0), 0, nil, nil)
		}, []string{"b of devices [0 0]: expects each device once, got 0 twice"}},
		{"no such member", 1, func(c device) error {
			return c.Broadcast(context.Background(), meeting("b", 0, 1), 0, nil, nil)
		}, []string{"b of devices [0 1]: device 1 is not in [0, 1)"}},
		{"other end", 2, func(c device) error {
			if c.Device() == 0 {
				return nil
			}
			return c.Send(context.Background(), collective.Transfer{Source: 0, Target: 1}, nil)
		}, []string{"", "channel 0 from device 0 to 1: expects device 1 at this end, got 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				errs, err := run(t, test.devices, test.body)
				if err != nil {
					t.Error(err)
				}
				for d, want := range test.want {
					if got := fmt.Sprint(errs[d]); got != want && (want != "" || errs[d] != nil) {
						t.Errorf("device %d:\n got %s\nwant %s", d, got, want)
					}
				}
			})
		})
	}
}

// TestNobodyReceives: a message that is left over is an error of the run.
func TestNobodyReceives(t *testing.T) {
	errs, err := run(t, 2, func(c device) error {
		if c.Device() == 0 {
			return nil
		}
		return c.Send(t.Context(), collective.Transfer{Channel: 3, Source: 1, Target: 0, Name: "s"}, nil)
	})
	if errs[0] != nil || errs[1] != nil {
		t.Errorf("unexpected errors: %v", errs)
	}
	if want := "nobody received: send %s on channel 3 from device 1 to 0"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestCancel: a cancelled context ends a wait with its cause.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		errs, _ := run(t, 2, func(c device) error {
			if c.Device() == 1 {
				synctest.Wait()
				cancel(cause)
				time.Sleep(time.Second)
				return nil
			}
			return c.AllGather(ctx, meeting("all-gather", 0, 1), make([][]literal.Literal, 2), nil)
		})
		if !errors.Is(errs[0], cause) {
			t.Errorf("got %v, want %v", errs[0], cause)
		}
	})
}

// TestMissingErrorIsTyped: callers can tell who was missing.
func TestMissingErrorIsTyped(t *testing.T) {
	errs, _ := run(t, 3, func(c device) error {
		if c.Device() > 0 {
			return nil
		}
		return c.AllGather(t.Context(), meeting("all-gather", 2, 0, 1), make([][]literal.Literal, 3), nil)
	})
	missing, ok := errors.AsType[*collective.MissingError](errs[0])
	if !ok || missing.Op != "all-gather" || len(missing.Group) != 3 {
		t.Fatalf("got %#v", errs[0])
	}
	if list := missing.Missing; len(list) == 0 || list[0].Device == 0 || !strings.Contains(list[0].Reason, "ended") {
		t.Errorf("got %v", list)
	}
}

func TestLocal(t *testing.T) {
	for _, n := range []int{-1, 0, collective.MaxDevices + 1} {
		if list, err := collective.InProcess().Local(n); err == nil {
			t.Errorf("Local(%d) = %d devices, want an error", n, len(list))
		}
	}
	if list, err := collective.InProcess().Local(3); err != nil || fmt.Sprint(list) != "[0 1 2]" {
		t.Errorf("Local(3) = %v, %v", list, err)
	}
}
