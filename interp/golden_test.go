package interp_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// folders are the shared golden cases that these tests run: operations with hosts or
// several devices, which need more than a client of one device, and those whose
// evaluators are algorithms rather than loops.
var folders = []string{
	"all-gather", "all-reduce", "all-to-all", "async-start", "batch-norm-grad", "batch-norm-inference",
	"batch-norm-training", "cholesky", "collective-broadcast", "collective-permute", "copy-start", "dot",
	"dynamic-reshape", "fft", "get-dimension-size", "partition-id", "ragged-all-to-all", "ragged-dot",
	"reduce-scatter", "replica-id", "rng-bit-generator", "scaled-dot", "scan", "set-dimension-size", "topk",
	"triangular-solve",
}

func TestSharedCases(t *testing.T) {
	shared := hlotest.Shared(t)
	for _, name := range folders {
		t.Run(name, func(t *testing.T) {
			runCases(t, filepath.Join(shared, "conformance", "hlo", name, "*.txtar"))
		})
	}
}

// TestSeedCases runs the cases of the source documents that have a result.
func TestSeedCases(t *testing.T) {
	runCases(t, filepath.Join(hlotest.Shared(t), "conformance", "seeds", "*.txtar"))
}

// TestOwnCases runs the cases of the project, with as many devices as they say.
func TestOwnCases(t *testing.T) {
	runCases(t, filepath.Join(hlotest.Root(t), "testdata", "ops", "*.txtar"))
}

func runCases(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases at %s (%v)", pattern, err)
	}
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if c.MustFail {
				continue
			}
			if err := runCase(c); err != nil {
				t.Errorf("%s#%s: %v", filepath.Base(file), c.Name, err)
			}
		}
	}
}

// runCase runs a case on all its devices at once.
func runCase(c *golden.Case) error {
	m, err := hlotext.Parse(c.Module, hlotext.ParseOptions{File: c.Path})
	if err != nil {
		return err
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	meetings := newRendezvous()
	failed := make(chan error, len(c.Devices))
	for i := range c.Devices {
		go func() {
			err := runDevice(ctx, m, c, i, meetings)
			if err != nil {
				cancel() // the others may wait for it
			}
			failed <- err
		}()
	}
	var errs []error
	for range c.Devices {
		if err := <-failed; err != nil && !errors.Is(err, context.Canceled) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func runDevice(ctx context.Context, m *hlo.Module, c *golden.Case, i int, meetings *rendezvous) error {
	d := &c.Devices[i]
	args, err := parseAll(d.Inputs)
	if err != nil {
		return err
	}
	want, err := literal.ParseGolden(d.Output)
	if err != nil {
		return err
	}
	host := &queues{out: d.Outfeed, tolerance: c.Tolerance}
	if host.in, err = parseAll(d.Infeed); err != nil {
		return err
	}
	opts := interp.Options{
		Device: interp.Device{Replica: i / c.Partitions, Partition: i % c.Partitions,
			Replicas: c.Replicas, Partitions: c.Partitions, Collective: meetings},
		Host: interp.Host{Infeed: host.infeed, Outfeed: host.outfeed, CustomCall: customCall},
	}
	got, err := interp.Run(ctx, m, args, opts)
	if err != nil {
		return fmt.Errorf("device %d: %w", i, err)
	}
	if err := literal.Compare(got, want, c.Tolerance); err != nil {
		return fmt.Errorf("device %d: %w", i, err)
	}
	return host.empty()
}

func parseAll(texts []string) ([]literal.Literal, error) {
	list := make([]literal.Literal, len(texts))
	for i, text := range texts {
		var err error
		if list[i], err = literal.ParseGolden(text); err != nil {
			return nil, fmt.Errorf("literal %d: %w", i, err)
		}
	}
	return list, nil
}

// queues are what a case has to read and what it must write.
type queues struct {
	in        []literal.Literal
	out       []string
	tolerance literal.Tolerance
}

func (q *queues) infeed(_ context.Context, s shape.Shape, _ string) (literal.Literal, error) {
	if len(q.in) == 0 {
		return literal.Literal{}, fmt.Errorf("the infeed is empty")
	}
	v := q.in[0]
	q.in = q.in[1:]
	return v, nil
}

func (q *queues) outfeed(_ context.Context, v literal.Literal, _ string) error {
	if len(q.out) == 0 {
		return fmt.Errorf("nothing more is to be written, got %v", v)
	}
	want, err := literal.ParseGolden(q.out[0])
	if err != nil {
		return err
	}
	q.out = q.out[1:]
	return literal.Compare(v, want, q.tolerance)
}

func (q *queues) empty() error {
	if len(q.in)+len(q.out) > 0 {
		return fmt.Errorf("%d values are not read and %d not written", len(q.in), len(q.out))
	}
	return nil
}

// customCall is the handler of the one target that the cases have: x[1] + y[1][0].
func customCall(_ context.Context, n *hlo.Instruction, args []literal.Literal) (literal.Literal, error) {
	if target := n.Attrs().(*op.CustomCallAttrs).Target; target != "myfunc" {
		return literal.Literal{}, fmt.Errorf("no handler for %s", target)
	}
	z := literal.New(n.Shape())
	z.SetFloat(0, args[0].FloatAt(1)+args[1].FloatAt(args[1].Index(1, 0)))
	return z, nil
}

// rendezvous is the simplest communicator: each meeting collects values until all
// members have come.
type rendezvous struct {
	lock  chan struct{} // holds one token
	rooms map[string]*room
	turns map[string]int // by device and meeting: how often it has come
}

type room struct {
	values [][]literal.Literal
	came   int
	full   chan struct{}
}

func newRendezvous() *rendezvous {
	r := &rendezvous{make(chan struct{}, 1), map[string]*room{}, map[string]int{}}
	r.lock <- struct{}{}
	return r
}

func (r *rendezvous) Exchange(ctx context.Context, m interp.Meeting, values []literal.Literal) (
	[][]literal.Literal, error) {
	<-r.lock
	key := fmt.Sprint(m.Op, m.Members, m.Channel)
	if !m.Channel.Present {
		key += m.Name
	}
	mine := fmt.Sprint(key, m.Members[m.Self])
	key += fmt.Sprint(" ", r.turns[mine])
	r.turns[mine]++
	at := r.rooms[key]
	if at == nil {
		at = &room{values: make([][]literal.Literal, len(m.Members)), full: make(chan struct{})}
		r.rooms[key] = at
	}
	at.values[m.Self] = values
	if at.came++; at.came == len(m.Members) {
		close(at.full)
	}
	r.lock <- struct{}{}
	select {
	case <-at.full:
		return at.values, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestFoldersAreSorted(t *testing.T) {
	if !slices.IsSorted(folders) || strings.Contains(strings.Join(folders, " "), "/") {
		t.Error("folders: expects names in order")
	}
}
