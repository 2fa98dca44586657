package xla_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// dumps counts the compilations of a client.
func dumps(n *atomic.Int32) func(file, text string) error {
	return func(file, _ string) error {
		if strings.HasSuffix(file, ".plan.txt") {
			n.Add(1)
		}
		return nil
	}
}

// TestManyAliases: results in the memory of ever other arguments are right, and do not cost a program each for ever.
func TestManyAliases(t *testing.T) {
	const n = 6
	var b strings.Builder
	b.WriteString("HloModule m\nENTRY e {\n")
	for k := range n {
		fmt.Fprintf(&b, " p%d = f32[2] parameter(%d)\n q%d = f32[2] add(p%d, p%d)\n", k, k, k, k, k)
	}
	b.WriteString(" ROOT r = (f32[2], f32[2]) tuple(q0, q1)\n}\n")
	var count atomic.Int32
	client := newClient(t, xla.Options{Backend: xla.CPU(), Dump: dumps(&count)})
	exe, err := client.Compile(t.Context(), parse(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			data, args := make([][]float32, n), make([]*xla.Buffer, n)
			for k := range n {
				data[k] = []float32{float32(k + 1), 1}
				args[k] = buffer(t, client, data[k])
			}
			if err := exe.RunInto(t.Context(), []*xla.Buffer{args[i], args[j]}, args); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(data[i], []float32{2, 2}) || !slices.Equal(data[j], []float32{4, 2}) {
				t.Errorf("results in arguments %d and %d: got %v %v", i, j, data[i], data[j])
			}
		}
	}
	if got := count.Load(); got < 3 || got > 17 {
		t.Errorf("%d compilations, want the first and 16 more", got)
	}
}

// TestStridedMemory: what takes too much memory with arrays where they are is run with copies.
func TestStridedMemory(t *testing.T) {
	text := fmt.Sprintf(stridedHead+stridedPrograms["sort"]+"\n}", "f32[40,60]", 40, 60, 59)
	for limit := int64(1 << 10); ; limit += 1 << 8 {
		client := newClient(t, xla.Options{Backend: xla.CPU(), MemoryLimit: limit})
		exe, err := client.Compile(t.Context(), parse(t, text))
		if err != nil {
			continue
		}
		x := array{make([]float32, 40*64), []int{64, 1}, []int{40, 60}}
		for k := range x.data {
			x.data[k] = float32(k * 37 % 101)
		}
		out := array{make([]float32, 40*61), []int{61, 1}, []int{40, 60}}
		args := []*xla.Buffer{x.buffer(t, client), x.buffer(t, client)}
		want := run(t, exe, value(t, args[0]), value(t, args[1]))[0]
		outs := []*xla.Buffer{out.buffer(t, client)}
		for round := range 3 {
			clear(out.data)
			if err := exe.RunInto(t.Context(), outs, args); err != nil {
				t.Fatalf("run %d: %v", round, err)
			}
			if err := literal.Compare(value(t, outs[0]), want, literal.ULP(0)); err != nil {
				t.Errorf("run %d: %v", round, err)
			}
		}
		return
	}
}

// TestFormsCompileAlone: while one form is compiled, runs of others go on, and those of the same end with their
// context.
func TestFormsCompileAlone(t *testing.T) {
	var hold atomic.Bool
	held, release := make(chan struct{}), make(chan struct{})
	client := newClient(t, xla.Options{Backend: xla.CPU(), Dump: func(string, string) error {
		if hold.CompareAndSwap(true, false) {
			close(held)
			<-release
		}
		return nil
	}})
	exe, err := client.Compile(t.Context(), parse(t, `HloModule m
ENTRY e {
 x = f32[2] parameter(0)
 y = f32[2] parameter(1)
 ROOT r = f32[2] subtract(x, y)
}`))
	if err != nil {
		t.Fatal(err)
	}
	into := func(ctx context.Context, k int) error {
		args := []*xla.Buffer{buffer(t, client, []float32{5, 6}), buffer(t, client, []float32{1, 1})}
		return exe.RunInto(ctx, args[k:k+1], args)
	}
	hold.Store(true)
	first := make(chan error)
	go func() { first <- into(t.Context(), 0) }()
	<-held
	if err := into(t.Context(), 1); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := into(ctx, 0); err != context.Canceled {
		t.Errorf("got %v, want the error of the context", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// TestInterruptedForm: a form whose compilation was interrupted is compiled by the next run.
func TestInterruptedForm(t *testing.T) {
	var end atomic.Pointer[context.CancelFunc]
	var count atomic.Int32
	counting := dumps(&count)
	client := newClient(t, xla.Options{Backend: xla.CPU(), Dump: func(file, text string) error {
		if f := end.Swap(nil); f != nil {
			(*f)()
			return context.Canceled
		}
		return counting(file, text)
	}})
	exe, err := client.Compile(t.Context(), parse(t, doubling))
	if err != nil {
		t.Fatal(err)
	}
	list := []*xla.Buffer{buffer(t, client, []float32{1, 2})}
	ctx, cancel := context.WithCancel(t.Context())
	end.Store(&cancel)
	if err := exe.RunInto(ctx, list, list); err != context.Canceled {
		t.Errorf("got %v, want the error of the context", err)
	}
	if err := exe.RunInto(t.Context(), list, list); err != nil || count.Load() != 2 {
		t.Errorf("%d compilations, error %v", count.Load(), err)
	}
}
