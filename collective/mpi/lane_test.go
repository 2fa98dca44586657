//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi/internal/mpitest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestNativeReductions: MPI reduces only what is the same bits in any order, unless it may reorder.
func TestNativeReductions(t *testing.T) {
	const s, p, m, x = collective.ReduceSum, collective.ReduceProduct, collective.ReduceMin, collective.ReduceXor
	tests := []struct {
		t               shape.ElementType
		kind            collective.ReduceKind
		always, reorder bool
	}{
		{shape.S32, s, true, true}, {shape.U64, p, true, true}, {shape.S8, s, false, false}, {shape.U16, p, false, false},
		{shape.S8, m, true, true}, {shape.S4, m, true, true}, {shape.S4, s, false, false}, {shape.Pred, x, true, true},
		{shape.Pred, s, false, false}, {shape.F32, s, false, true}, {shape.F64, p, false, true}, {shape.F32, m, false, false},
		{shape.C64, s, false, true}, {shape.C64, p, false, false}, {shape.BF16, s, false, false},
		{shape.S32, collective.ReduceOther, false, false},
	}
	c := abiConstants()
	for _, test := range tests {
		key := reductionKey{test.t, test.kind}
		if got := nativeReductions(&c, false)[key] != nil; got != test.always {
			t.Errorf("%v %d: got %v", test.t, test.kind, got)
		}
		how := nativeReductions(&c, true)[key]
		if (how != nil) != test.reorder {
			t.Errorf("%v %d, reordered: got %v", test.t, test.kind, how)
		}
		if how != nil && (how.operation == 0 || how.element == 0 || how.width == 0) {
			t.Errorf("%v %d: got %v", test.t, test.kind, *how)
		}
	}
}

// TestTag: messages of other operations, sizes or types do not match.
func TestTag(t *testing.T) {
	l := &lane{}
	seen := map[int]string{}
	for op := range 20 {
		for _, size := range []int{1, 2, 4, 8, 1000, 1 << 20} {
			for _, kind := range []uint8{1, 11} {
				what := fmt.Sprint(op, size, kind)
				tag := l.tag(&part{bytes: make([]byte, size), kind: kind})
				if tag < 0 || tag >= maxTag || seen[tag] != "" {
					t.Errorf("%s: got %d, that of %q", what, tag, seen[tag])
				}
				seen[tag] = what
			}
		}
		l.count.Add(1)
	}
}

// TestExchangeForgets: what an operation without parts was to combine is not left for the next one.
func TestExchangeForgets(t *testing.T) {
	l := &lane{folds: []folding{{acc: []byte{1}, x: []byte{2}}}}
	if err := l.exchange(nil); err != nil || len(l.folds) > 0 {
		t.Errorf("expects nothing to be left, got %d, %v", len(l.folds), err)
	}
}

// TestTurns: lanes are for the session that was opened first.
func TestTurns(t *testing.T) {
	var turns turns
	for _, id := range []uint64{4, 3, 7} {
		turns.enter(id)
	}
	for _, id := range []uint64{3, 4, 7} {
		if turns.first(id+1) || !turns.first(id) {
			t.Errorf("expects the turn of %d", id)
		}
		turns.leave(id)
		turns.leave(id)
	}
}

// TestDisjoint: groups without a process in common are made at once.
func TestDisjoint(t *testing.T) {
	s := &session{local: []int{0, 1}} // two devices in each process
	for _, test := range []struct {
		groups [][]int
		want   int
	}{
		{[][]int{{0, 2}, {4, 6}, {1, 3}}, 2}, {[][]int{{0, 2}, {1, 3}}, 1}, {[][]int{{0, 2}}, 1},
	} {
		if got := s.disjoint(test.groups); got != test.want {
			t.Errorf("%v: got %d, want %d", test.groups, got, test.want)
		}
	}
}

// meetings opens a run of one device a process, in which all meet, and runs f.
func meetings(t *Transport, timeout time.Duration,
	f func(c collective.Communicator, m collective.Meeting) error) error {
	m := world(t.Size())
	s, err := t.Open(context.Background(), collective.Run{Devices: t.Size(), Timeout: timeout,
		Groups: func() [][]int { return [][]int{m.Group} }})
	if err != nil {
		return err
	}
	c := s.Communicator(t.Rank())
	err = f(c, m)
	c.Close(err)
	return errors.Join(err, s.Close())
}

// one gathers a number of each member.
func one(c collective.Communicator, m collective.Meeting) error {
	recv := make([][]literal.Literal, len(m.Group))
	for k := range recv {
		recv[k] = []literal.Literal{literal.Scalar(float32(0))}
	}
	err := c.AllGather(context.Background(), m, recv, []literal.Literal{literal.Scalar(float32(c.Device()))})
	for k := range recv {
		if err == nil && recv[k][0].FloatAt(0) != float64(k) {
			err = fmt.Errorf("member %d: got %v", k, recv[k][0])
		}
	}
	return err
}

// sceneOrder: members that do not execute the same operations are told so, at the end of the run at the latest. The
// next run is not disturbed.
func sceneOrder(t *Transport) error {
	err := meetings(t, time.Minute, func(c collective.Communicator, m collective.Meeting) error {
		m.ID = fmt.Sprint(c.Device() % 2)
		return one(c, m)
	})
	if err == nil || !strings.Contains(err.Error(), "to execute the same ones in the same order") {
		return fmt.Errorf("expects that the order is wrong, got %w", err)
	}
	return meetings(t, time.Minute, one)
}

// sceneSizes: arrays of other sizes do not come together.
func sceneSizes(t *Transport) error {
	err := meetings(t, time.Second, func(c collective.Communicator, m collective.Meeting) error {
		x := []literal.Literal{literal.New(shape.Make(shape.F32, 1+c.Device()))}
		return c.AllReduce(context.Background(), m, x, x, collective.Reducer{})
	})
	if err == nil || !strings.Contains(err.Error(), "came, but what it sent did not") {
		return fmt.Errorf("expects an error of what did not come, got %w", err)
	}
	return meetings(t, time.Minute, one)
}

// sceneSilent: all but the last member meet, which does something else; they name it. One that has ended
// is named at once.
func sceneSilent(t *Transport) error {
	last := t.Size() - 1
	for _, ends := range []bool{false, true} {
		timeout := 3 * time.Second // of which a quarter is left when members are asked how far they are
		if ends {
			timeout = time.Minute
		}
		err := meetings(t, timeout, func(c collective.Communicator, m collective.Meeting) error {
			if err := one(c, m); err != nil || c.Device() == last && ends {
				return err
			}
			if c.Device() == last {
				time.Sleep(timeout + time.Second)
				return nil
			}
			return one(c, m)
		})
		want := fmt.Sprintf("device %d did not come (gave up after %v)", last, timeout)
		if ends {
			want = fmt.Sprintf("device %d has ended", last)
		}
		if t.Rank() != last && (err == nil || !strings.Contains(err.Error(), want)) {
			return fmt.Errorf("expects %q, got %w", want, err)
		}
	}
	return meetings(t, time.Minute, one)
}

// sceneRuns: two runs at a time, the second of which waits for its turn.
func sceneRuns(t *Transport) error {
	m := world(t.Size())
	r := collective.Run{Devices: t.Size(), Timeout: time.Minute, Groups: func() [][]int { return [][]int{m.Group} }}
	first, err1 := t.Open(context.Background(), r)
	second, err2 := t.Open(context.Background(), r)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	done := make(chan error)
	go func() {
		c := second.Communicator(t.Rank())
		err := one(c, m)
		c.Close(err)
		done <- errors.Join(err, second.Close())
	}()
	time.Sleep(time.Duration(t.Rank()) * 50 * time.Millisecond)
	c := first.Communicator(t.Rank())
	var err error
	for range 100 {
		err = errors.Join(err, one(c, m))
	}
	c.Close(err)
	return errors.Join(err, first.Close(), <-done)
}

// TestLanes: what can go wrong on communicators of groups.
func TestLanes(t *testing.T) {
	for _, launcher := range mpitest.Launchers(t) {
		for _, ranks := range worlds() {
			for _, scene := range []string{"order", "sizes", "silent", "runs", "order/one-thread", "silent/one-thread",
				"runs/one-thread", "silent/native", "golden/one-thread", "golden/native", "operations/one-thread", "stranded",
				"stranded/one-thread", "stranded/native",
				"many", "many/one-thread", "many/apart", "silent/apart", "stack"} {
				t.Run(fmt.Sprintf("%s/%d/%s", launcher, ranks, scene), func(t *testing.T) {
					if waits := sceneOf(scene); waits == "silent" || waits == "stranded" || waits == "sizes" {
						t.Parallel()
					}
					out, err := launch(t, launcher, ranks, scene)
					if err != nil || strings.Count(out, "DONE") != ranks || strings.Contains(out, "FAIL") {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		}
	}
}
