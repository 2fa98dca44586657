//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// ends returns both ends of a pipe.
func ends(t *testing.T) (in, out *pipe) {
	t.Helper()
	memory, err := (&arena{}).get(pipeSize)
	if err != nil {
		t.Fatal(err)
	}
	return &pipe{memory: pipeIn(memory, 0), next: 1}, &pipe{memory: pipeIn(memory, 0), next: 1}
}

// TestPipe: messages of all sizes come in order, while others are on their way.
func TestPipe(t *testing.T) {
	in, out := ends(t)
	message := func(n int) []byte { return pattern(shape.U8, n*n%(pipeLimit+1), n).Bytes() }
	const count = 20_000
	go func() {
		for n := range count {
			for !out.put(message(n), 3, uint64(n)) {
				runtime.Gosched()
			}
		}
	}()
	for n := range count {
		want := message(n)
		got := make([]byte, len(want))
		for !in.get(got, 3, uint64(n)) {
			runtime.Gosched()
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("message %d of %d bytes differs", n, len(want))
		}
	}
}

// TestPipeFull: as many messages as slots, and one more for each that is taken.
func TestPipeFull(t *testing.T) {
	in, out := ends(t)
	for n := range 3 * pipeSlots {
		put := out.put([]byte{byte(n)}, 1, 0)
		if put != (n < pipeSlots) {
			t.Fatalf("message %d: got %v", n, put)
		}
		if !put && (!in.get([]byte{0}, 1, 0) || !out.put([]byte{byte(n)}, 1, 0) || out.put([]byte{0}, 1, 0)) {
			t.Fatalf("message %d: expects one free slot", n)
		}
	}
}

// TestPipeRuns: what is left of runs before is dropped; what is of the next one, or is not what is asked for, stays.
func TestPipeRuns(t *testing.T) {
	in, out := ends(t)
	for run, text := range []string{"a", "b", "c", "d"} {
		if !out.put([]byte(text), uint32(run), 7) {
			t.Fatalf("run %d: expects a free slot", run)
		}
	}
	b := make([]byte, 1)
	if in.get(b, 2, 8) {
		t.Error("got a message with another mark")
	}
	if !in.get(b, 2, 7) || b[0] != 'c' {
		t.Errorf("run 2: got %q", b)
	}
	if in.get(b, 2, 7) {
		t.Error("run 2: got a message of run 3")
	}
	if !in.get(b, 3, 7) || b[0] != 'd' || in.get(b, 3, 7) {
		t.Errorf("run 3: got %q, or more than one", b)
	}
}

// TestPipesAdd: as many parts of an operation as there are slots, in each direction, and none that is too long.
func TestPipesAdd(t *testing.T) {
	if (*pipes)(nil).add(part{bytes: []byte{1}}) {
		t.Error("expects no pipes to take nothing")
	}
	p := newPipes(make([]byte, 4*pipeSize), 0, 2, 0)
	if p.add(part{place: 1, bytes: make([]byte, pipeLimit+1)}) {
		t.Error("took a part that is too long")
	}
	for n := range 2 * pipeSlots {
		for _, in := range []bool{false, true} {
			if got := p.add(part{place: 1, bytes: make([]byte, pipeLimit), in: in}); got != (n < pipeSlots) {
				t.Errorf("part %d: got %v", n, got)
			}
		}
	}
}

// TestPiped: groups have pipes up to a size for which there is memory.
func TestPiped(t *testing.T) {
	for direct, want := range map[int]int{-1: -1, 2: 2, DefaultDirect: DefaultDirect, 16: 16, 17: 16, 512: 16} {
		n := (&Options{Direct: direct}).piped()
		if n != want {
			t.Errorf("%d: got %d, want %d", direct, n, want)
		}
		if memory := n * n * pipeSize; memory > 32<<20 {
			t.Errorf("%d: got %d bytes for a group", direct, memory)
		}
	}
}

// TestRoomy: each process of the machine needs a core, wherever it is bound.
func TestRoomy(t *testing.T) {
	at := func(host string, first uint64) seat { return seat{host, cores{first}} }
	tests := []struct {
		seats map[int32]seat
		want  bool
	}{
		{map[int32]seat{0: at("a", 3), 1: at("a", 3)}, true},
		{map[int32]seat{0: at("a", 1), 1: at("a", 2)}, true},
		{map[int32]seat{0: at("a", 1), 1: at("a", 1)}, false},
		{map[int32]seat{0: at("a", 1), 1: at("b", 1)}, true},
		{map[int32]seat{0: at("a", 3), 1: at("a", 3), 2: at("a", 3)}, false},
		{map[int32]seat{0: at("a", 0), 1: at("a", 0)}, false}, // the system did not tell
	}
	for i, test := range tests {
		if got := roomy(test.seats, 0); got != test.want {
			t.Errorf("%d: got %v", i, got)
		}
	}
	if ownCores() == (cores{}) {
		t.Error("expects cores of this process, got none")
	}
}

// mappings returns how often common memory is mapped into this process.
func mappings(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), sharedName)
}

// TestShared: what one member writes the other one reads; memory that is not that of the invitation is refused.
func TestShared(t *testing.T) {
	file, v, err := invite(3 * tokenSize)
	if err != nil {
		t.Fatalf("no file without a name: %v", err)
	}
	own, err1 := v.accept(file, 3*tokenSize)
	other, err2 := v.accept(nil, 3*tokenSize)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	copy(own[tokenSize:], "hello")
	if got := string(other[tokenSize:][:5]); got != "hello" {
		t.Errorf("got %q", got)
	}
	wrong := v
	wrong.token[3]++
	short, few, err := invite(tokenSize)
	if err != nil {
		t.Fatal(err)
	}
	defer short.Close()
	before := mappings(t)
	for what, w := range map[string]invitation{"another token": wrong, "no memory": {},
		"no such file": {process: v.process, file: 9999}, "another file": {process: v.process, file: 1}, "too short": few} {
		if _, err := w.accept(nil, 3*tokenSize); err == nil {
			t.Errorf("%s: expects an error, got none", what)
		}
	}
	if got := mappings(t); got != before {
		t.Errorf("expects memory that is refused to be given back, got %d mappings instead of %d", got, before)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if other[tokenSize] != 'h' {
		t.Error("expects memory to stay when the file is closed")
	}
}

// sceneMany: many small messages in one direction, so that those who send them wait, and many arrays of all sizes in
// one operation.
func sceneMany(t *Transport) error {
	return meetings(t, time.Minute, func(c collective.Communicator, m collective.Meeting) error {
		ctx, self := context.Background(), c.Device()
		for n := range 3000 {
			x := []literal.Literal{pattern(shape.U8, n%200, n)}
			got := []literal.Literal{literal.New(x[0].Shape())}
			m.Op = "broadcast"
			if err := c.Broadcast(ctx, m, 0, got, x); err != nil || !bytes.Equal(got[0].Bytes(), x[0].Bytes()) {
				return fmt.Errorf("broadcast %d: differs, or %w", n, err)
			}
		}
		send, recv := make([][]literal.Literal, len(m.Group)), make([][]literal.Literal, len(m.Group))
		for k := range send {
			for i := range 5 * pipeSlots {
				size := i * i * 11 % (2 * pipeLimit)
				send[k] = append(send[k], pattern(shape.U8, size, 100*self+k))
				recv[k] = append(recv[k], literal.New(shape.Make(shape.U8, size)))
			}
		}
		m.Op = "all-to-all"
		err := c.AllToAll(ctx, m, recv, send)
		for k := range recv {
			for i, x := range recv[k] {
				if !bytes.Equal(x.Bytes(), pattern(shape.U8, x.Len(), 100*k+self).Bytes()) {
					err = errors.Join(err, fmt.Errorf("member %d: array %d differs", k, i))
				}
			}
		}
		return err
	})
}
