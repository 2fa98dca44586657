//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// run runs a program on the local devices of a run and returns its results by device.
func run(t collective.Transport, devices int, program func(collective.Communicator) ([]literal.Literal, error)) (
	map[int][]literal.Literal, error) {
	list, err := t.Local(devices)
	if err != nil {
		return nil, err
	}
	s, err := t.Open(context.Background(), collective.Run{Devices: devices, Timeout: 300 * time.Millisecond * timeFactor})
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	out, errs := map[int][]literal.Literal{}, make([]error, devices)
	for _, d := range list {
		wg.Go(func() {
			c := s.Communicator(d)
			got, err := program(c)
			c.Close(err)
			errs[d] = err
			mu.Lock()
			defer mu.Unlock()
			out[d] = got
		})
	}
	wg.Wait()
	return out, errors.Join(errors.Join(errs...), s.Close())
}

// timeFactor makes time-outs long enough for machines with few cores.
const timeFactor = 100

// orderly is a reduction that depends on the order: acc*3 - x on bytes.
func orderly(acc, x literal.Literal) error {
	a := acc.Bytes()
	for i, b := range x.Bytes() {
		a[i] = a[i]*3 - b
	}
	return nil
}

// pattern returns an array that depends on the seed.
func pattern(t shape.ElementType, n, seed int) literal.Literal {
	l := literal.New(shape.Make(t, n))
	b := l.Bytes()
	for i := range b {
		b[i] = byte(i*7 + seed*31 + i>>8)
	}
	return l
}

// operations does each operation with arrays of a size, of two types at once.
func operations(n int) func(collective.Communicator) ([]literal.Literal, error) {
	return func(c collective.Communicator) ([]literal.Literal, error) {
		ctx, d := context.Background(), c.Device()
		group := [][]int{{2, 0}, {3, 1}}[d%2]
		m := func(op string) collective.Meeting {
			return collective.Meeting{Op: op, ID: "7", Name: op + ".1", Group: group}
		}
		pair := func(seed int) []literal.Literal {
			return []literal.Literal{pattern(shape.U8, n, d+seed), pattern(shape.C128, n/3, d-seed)}
		}
		pairs := func(seed int) [][]literal.Literal { return [][]literal.Literal{pair(seed), pair(seed + 1)} }
		r := collective.Reducer{Combine: orderly}
		gathered, exchanged, reduced, scattered, cast := pairs(0), pairs(0), pair(1), pair(0), pair(2)
		err := errors.Join(c.AllGather(ctx, m("all-gather"), gathered, pair(3)),
			c.AllToAll(ctx, m("all-to-all"), exchanged, pairs(4)),
			c.AllReduce(ctx, m("all-reduce"), reduced, reduced, r),
			c.ReduceScatter(ctx, m("reduce-scatter"), scattered, pairs(9), r),
			c.Broadcast(ctx, m("broadcast"), 1, cast, pair(5)))
		var all []literal.Literal
		for _, list := range append(append(gathered, exchanged...), reduced, scattered, cast) {
			all = append(all, list...)
		}
		return all, err
	}
}

// sceneOperations compares with the transport within a process, bit by bit.
func sceneOperations(t *Transport) error {
	t.engine.chunk = 10_001
	for _, n := range []int{0, 1, 5, 300, 5000, 40_000, 120_000} {
		want, err1 := run(collective.InProcess(), 4, operations(n))
		got, err2 := run(t, 4, operations(n))
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		for d, list := range got {
			for i := range list {
				if !bytes.Equal(list[i].Bytes(), want[d][i].Bytes()) {
					return fmt.Errorf("size %d, device %d: result %d differs", n, d, i)
				}
			}
		}
	}
	return nil
}

// sceneTransfers sends around a ring, several messages at once, and to anybody.
func sceneTransfers(t *Transport) error {
	_, err := run(t, 4, func(c collective.Communicator) ([]literal.Literal, error) {
		ctx, d := context.Background(), c.Device()
		for k := range 50 {
			size := 10 + k*k*50
			next := collective.Transfer{Channel: 5, Source: d, Target: (d + 1) % 4}
			last := collective.Transfer{Channel: 5, Source: (d + 3) % 4, Target: d}
			got := []literal.Literal{literal.New(shape.Make(shape.S8, size))}
			err := errors.Join(c.Send(ctx, next, []literal.Literal{pattern(shape.S8, size, d+k)}), c.Recv(ctx, last, got))
			if err != nil || !bytes.Equal(got[0].Bytes(), pattern(shape.S8, size, last.Source+k).Bytes()) {
				return nil, fmt.Errorf("message %d: differs, or %w", k, err)
			}
		}
		any := collective.Transfer{Channel: 6, Source: collective.AnyDevice, Target: collective.AnyDevice}
		for range 20 { // devices 0 and 1 send, whoever of 2 and 3 comes receives
			got := []literal.Literal{literal.New(shape.Make(shape.S8, 40_000))}
			want, do := pattern(shape.S8, 40_000, 1), c.Recv
			if d < 2 {
				copy(got[0].Bytes(), want.Bytes())
				do = c.Send
			}
			if err := do(ctx, any, got); err != nil || !bytes.Equal(got[0].Bytes(), want.Bytes()) {
				return nil, fmt.Errorf("any device: differs, or %w", err)
			}
		}
		return nil, nil
	})
	return err
}

// sceneLost ends a run with a message that nobody received; the next one is not disturbed.
func sceneLost(t *Transport) error {
	_, err := run(t, 4, func(c collective.Communicator) ([]literal.Literal, error) {
		if c.Device() != 0 {
			return nil, nil
		}
		return nil, c.Send(context.Background(), collective.Transfer{Channel: 5, Source: 0, Target: 3, Name: "s"},
			[]literal.Literal{pattern(shape.S8, 100_000, 1)})
	})
	want := "nobody received: send %s on channel 5 from device 0 to 3"
	if t.Rank() == t.Size()-1 && (err == nil || err.Error() != want) {
		return fmt.Errorf("expects %q, got %w", want, err)
	}
	if t.Rank() != t.Size()-1 && err != nil {
		return err
	}
	_, err = run(t, 4, operations(10))
	return err
}

// world returns the meeting of all devices.
func world(devices int) collective.Meeting {
	m := collective.Meeting{Op: "all-gather", Name: "ag"}
	for d := range devices {
		m.Group = append(m.Group, d)
	}
	return m
}

func gather(c collective.Communicator, devices int) error {
	recv := make([][]literal.Literal, devices)
	for k := range recv {
		recv[k] = []literal.Literal{literal.Scalar(float32(0))}
	}
	return c.AllGather(context.Background(), world(devices), recv, []literal.Literal{literal.Scalar(float32(1))})
}

// sceneMissing: device 1 does not come.
func sceneMissing(t *Transport) error {
	list, err := t.Local(2)
	if err != nil {
		return err
	}
	s, err := t.Open(context.Background(), collective.Run{Devices: 2, Timeout: 300 * time.Millisecond})
	if err != nil {
		return err
	}
	if list[0] == 1 {
		time.Sleep(time.Minute)
	}
	return gather(s.Communicator(0), 2)
}

// scenePeer: device 2 fails, and the others learn why.
func scenePeer(t *Transport) error {
	_, err := run(t, 4, func(c collective.Communicator) ([]literal.Literal, error) {
		if c.Device() == 2 {
			return nil, errors.New("out of luck")
		}
		if err := gather(c, 4); err == nil || err.Error() != "device 2 failed: out of luck" {
			return nil, fmt.Errorf("device %d: expects the error of device 2, got %w", c.Device(), err)
		}
		return nil, nil
	})
	if err != nil && err.Error() != "out of luck" {
		return err
	}
	_, err = run(t, 4, operations(10))
	return err
}

// sceneEnded: device 3 has ended and cannot come any more.
func sceneEnded(t *Transport) error {
	_, err := run(t, 4, func(c collective.Communicator) ([]literal.Literal, error) {
		if c.Device() == 3 {
			return nil, nil
		}
		e, _ := errors.AsType[*collective.MissingError](gather(c, 4))
		if e == nil || e.Error() != "all-gather of devices [0 1 2 3]: device 3 has ended" {
			return nil, fmt.Errorf("device %d: got %v", c.Device(), e)
		}
		return nil, nil
	})
	return err
}

// sceneSignal: a nil dereference is a panic that can be recovered from, as without MPI.
func sceneSignal(t *Transport) (err error) {
	defer func() {
		if recover() == nil {
			err = errors.New("expects a panic, got none")
		}
	}()
	var s *session
	s.failure = errLate
	return nil
}

// sceneKilled: a process dies without a word.
func sceneKilled(t *Transport) error {
	_, err := run(t, 2, func(c collective.Communicator) ([]literal.Literal, error) {
		if c.Device() == 1 {
			return nil, syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil, gather(c, 2)
	})
	return err
}

// sceneTwice: MPI is initialized once.
func sceneTwice(*Transport) error {
	if _, err := New(Options{}); !errors.Is(err, errTwice) {
		return fmt.Errorf("expects that there is a transport already, got %w", err)
	}
	return nil
}

// sceneGolden runs the golden cases for several devices.
func sceneGolden(t *Transport) error {
	var files []string
	for _, name := range []string{"all-gather", "all-reduce", "all-to-all", "reduce-scatter", "collective-permute",
		"collective-broadcast", "ragged-all-to-all", "send", "recv"} {
		for _, pattern := range []string{"../../testdata/ops/" + name + "*.txtar",
			filepath.Join(os.Getenv("XLA_SHARED"), "conformance/hlo", name, "*.txtar")} {
			list, err := filepath.Glob(pattern)
			if err != nil {
				return err
			}
			files = append(files, list...)
		}
	}
	client, err := xla.NewClient(xla.Options{Transport: t, Handlers: golden.Handlers()})
	if err != nil {
		return err
	}
	passed := 0
	for _, file := range files {
		list, err := golden.ReadAll(file)
		if err != nil {
			return err
		}
		for _, c := range list {
			if len(c.Devices) < 2 || len(c.Devices)%t.Size() != 0 || c.MustFail {
				continue
			}
			if err := c.Run(context.Background(), client); err != nil {
				return fmt.Errorf("%v: %w", c, err)
			}
			passed++
		}
	}
	fmt.Printf("rank %d: %d golden cases passed\n", t.Rank(), passed)
	if passed == 0 {
		return errors.New("found no golden cases")
	}
	return nil
}
