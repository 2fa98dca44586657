//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func TestFindLauncher(t *testing.T) {
	tests := []struct{ env, want string }{
		{"", "none libmpi.so.12 1"},
		{"OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=0", "Open MPI libmpi.so.40 4"},
		{"PMI_RANK=1 PMI_SIZE=3", "PMI libmpi.so.12 3"},
		{"PMI_FD=9 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=2", "PMI libmpi.so.12 2"},
		{"PMIX_RANK=0 SLURM_NTASKS=8", "PMIx libmpi.so.40 8"},
		{"PMIX_RANK=0", "PMIx libmpi.so.40 0"},
		{"PMI_RANK=1 PMI_SIZE=x", `mpi: PMI_SIZE: expects a number from 1, got "x"`},
	}
	for _, test := range tests {
		l, err := findLauncher(func(name string) string {
			for kv := range strings.FieldsSeq(test.env) {
				if k, v, _ := strings.Cut(kv, "="); k == name {
					return v
				}
			}
			return ""
		})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %s %d", l.name, l.libraries[0], l.size)
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.env, got, test.want)
		}
	}
}

// TestWorldOfOne: a process that is alone although the launcher started more is an error.
func TestWorldOfOne(t *testing.T) {
	l := launcher{name: "PMI", size: 4, sizeFrom: "PMI_SIZE"}
	if err := l.check(&library{path: "libmpi.so.40"}, 1); err == nil ||
		!strings.Contains(err.Error(), "expects a world of 4 processes (PMI_SIZE), got 1 from libmpi.so.40") {
		t.Errorf("got %v", err)
	}
	if err := l.check(&library{}, 4); err != nil {
		t.Error(err)
	}
}

func TestCandidates(t *testing.T) {
	none := func(string) string { return "" }
	l := launcher{name: "PMI", libraries: []string{"a", "b"}}
	if got := l.candidates("", none); !slices.Equal(got[len(got)-2:], []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if got := l.candidates("", func(string) string { return "x.so" }); !slices.Equal(got, []string{"x.so"}) {
		t.Errorf("by variable: got %v", got)
	}
	if got := l.candidates("y.so", func(string) string { return "x.so" }); !slices.Equal(got, []string{"y.so"}) {
		t.Errorf("by option: got %v", got)
	}
}

// TestMessage: a message is the same on the other side, whether its body fits in the frame or not.
func TestMessage(t *testing.T) {
	a := &arena{}
	for _, n := range []int{0, 7, frameSize - headerSize - 64, frameSize, 5 * frameSize} {
		arrays := []literal.Literal{pattern(shape.S4, n, 1), literal.Scalar(true), pattern(shape.F64, 3, 2)}
		h := header{session: 1 << 40, kind: kindMail, from: -1, to: 7, rank: 3, channel: -9, meeting: [32]byte{31: 5}}
		sent, err := newMessage(a, h, "name", arrays)
		if err != nil {
			t.Fatal(err)
		}
		got := &message{frame: sent.frame}
		got.decode(got.frame)
		if h.size = got.size; got.header != h {
			t.Errorf("%d: header: got %v, want %v", n, got.header, h)
		}
		if err := got.room(a); err != nil {
			t.Fatal(err)
		}
		copy(got.body, sent.body)
		if got.name() != "name" || sameShapes(arrays, got.blocks(), 0) != nil {
			t.Errorf("%d: got %q, %v", n, got.name(), got.blocks())
		}
		for i, b := range got.blocks() {
			if !bytes.Equal(b.bytes, arrays[i].Bytes()) {
				t.Errorf("%d: array %d differs", n, i)
			}
		}
	}
}

// TestArena: memory comes back, and no two users have the same.
func TestArena(t *testing.T) {
	a := &arena{}
	var list [][]byte
	for i, n := range []int{0, 1, 256, 257, 4096, 1 << 20, 5 << 20} {
		b, err := a.get(n)
		if err != nil || len(b) != n {
			t.Fatalf("%d: got %d bytes, %v", n, len(b), err)
		}
		for k := range b {
			b[k] = byte(i)
		}
		list = append(list, b)
	}
	for i, b := range list {
		if bytes.Count(b, []byte{byte(i)}) != len(b) {
			t.Errorf("buffer %d was overwritten", i)
		}
		a.put(b)
	}
	last := list[len(list)-1]
	if b, err := a.get(len(last)); err != nil || &b[0] != &last[0] {
		t.Errorf("expects the memory that was given back: %v", err)
	}
}

// TestIdleCores: it depends on what all processes of the host may use together.
func TestIdleCores(t *testing.T) {
	tests := []struct {
		env             string
		allowed, online int
		want            string
	}{
		{"OMPI_COMM_WORLD_LOCAL_SIZE=2", 1, 16, "1 of the 16 cores of its host, of which 14 lie idle with 2 processes"},
		{"MPI_LOCALNRANKS=4", 4, 16, ""},
		{"MPI_LOCALNRANKS=4", 3, 16, "3 of the 16 cores of its host, of which 4 lie idle"},
		{"", 16, 16, ""},
		{"", 1, 0, ""},
		{"SLURM_CPUS_ON_NODE=4 SLURM_TASKS_PER_NODE=2(x3),1", 2, 64, ""},
		{"SLURM_CPUS_ON_NODE=4 SLURM_TASKS_PER_NODE=2(x3),1", 1, 64, "1 of the 4 cores"},
		{"MPI_LOCALNRANKS=-4", 1, 2, "1 of the 2 cores"},
	}
	for _, test := range tests {
		env := func(name string) string {
			for pair := range strings.FieldsSeq(test.env) {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		}
		got := idleCores(env, test.allowed, test.online)
		if test.want == "" != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s, %d of %d: got %q, want %q", test.env, test.allowed, test.online, got, test.want)
		}
	}
	if n := coresOnline(); n < 1 {
		t.Errorf("cores online: got %d", n)
	}
}
