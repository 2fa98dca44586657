package cpu

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// noProducts is a batch without kernels.
func noProducts() *gemm.Batch { return new(gemm.Library).Begin() }

// assembled is the machine code of 60 nests, each of which comes a second time by another name.
func assembled(t *testing.T, threads int) ([]byte, []entry) {
	t.Helper()
	return assembledWith(t, exec.NewPool(threads))
}

// assembledWith is assembled with what a pool has of others.
func assembledWith(t *testing.T, pool *exec.Pool) ([]byte, []entry) {
	t.Helper()
	var nests []*loop.Nest
	for range 2 {
		for seed := range uint64(60) {
			n := looptest.Random(seed).Nest
			n.Name += string(rune('a' + len(nests)%26))
			nests = append(nests, n)
		}
	}
	a := &asm.Assembler{}
	entries, err := assemble(a, nests, noProducts(), emit.Target{AVX512: true}, pool)
	if err != nil {
		t.Fatal(err)
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return code, entries
}

// TestAssemble: kernels that are the same are made once, and the code does not depend on the number of threads.
func TestAssemble(t *testing.T) {
	code, entries := assembled(t, 1)
	if !slices.Equal(entries[:60], entries[60:]) {
		t.Errorf("nests that are the same have kernels at %v and at %v", entries[:60], entries[60:])
	}
	places := slices.Clone(entries[:60])
	slices.SortFunc(places, func(a, b entry) int { return a.any - b.any })
	if n := len(slices.Compact(places)); n < 55 {
		t.Errorf("60 nests have %d kernels", n)
	}
	for _, threads := range []int{2, 8} {
		again, at := assembled(t, threads)
		if !bytes.Equal(again, code) || !slices.Equal(at, entries) {
			t.Errorf("the code of %d threads is not that of one", threads)
		}
	}
}

// TestPartRoom: kernels that are made in the memory of others, more or fewer, are the same.
func TestPartRoom(t *testing.T) {
	pool := exec.NewPool(1)
	code, entries := assembledWith(t, pool)
	for _, seed := range []uint64{70, 71, 72} {
		a := &asm.Assembler{}
		nests := []*loop.Nest{looptest.Random(seed).Nest}
		if _, err := assemble(a, nests, noProducts(), emit.Target{AVX512: true}, pool); err != nil {
			t.Fatal(err)
		}
		again, at := assembledWith(t, pool)
		if !bytes.Equal(again, code) || !slices.Equal(at, entries) {
			t.Errorf("the code of kernels in memory that others had is not that of kernels in memory of their own")
		}
	}
}

// TestPartRoomTakes: what is taken is empty, and memory that is there is taken again.
func TestPartRoomTakes(t *testing.T) {
	var r partRoom
	r.take(2)[1].Ret()
	again := r.take(1000)
	if again[1].Len() != 0 || len(again) != 1000 {
		t.Errorf("expected 1000 empty assemblers, got %d, one of %d bytes", len(again), again[1].Len())
	}
	if one := r.take(1); len(one) != 1 || &one[0] != &again[0] {
		t.Errorf("expected an assembler in the same memory, got %d", len(one))
	}
}

// TestSpares: memory that is given is taken again, though the collector ran, but not what is not to be kept.
func TestSpares(t *testing.T) {
	s := &stockOf(exec.NewPool(1)).rooms
	a, b := s.take(), s.take()
	s.give(a, true)
	s.give(b, false)
	runtime.GC()
	runtime.GC()
	if got := s.take(); got != a {
		t.Errorf("expected the memory that was given, got other memory")
	}
	if got := s.take(); got == b {
		t.Errorf("expected new memory, got what was not to be kept")
	}
}
