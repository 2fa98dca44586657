package vhlo_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/goxla/xla/stablehlo/bytecode"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// checkRead reads what may be damaged: an error must name a place in the file, and what
// is read without one must be a module that can be walked and written.
func checkRead(t *testing.T, data []byte) (ok bool) {
	t.Helper()
	a, err := vhlo.Read(data)
	if err != nil {
		var e *bytecode.Error
		if !errors.As(err, &e) || e.Section == "" || e.Msg == "" || e.Offset < 0 || e.Offset > len(data) {
			t.Fatalf("error without a place: %v", err)
		}
		return false
	}
	for o := range a.Module.Op.Walk() {
		for _, v := range o.Operands {
			if v == nil || v.Type == nil {
				t.Fatalf("%s: operand without a value", o.Name)
			}
		}
	}
	_, _ = vhlo.Write(a.Module, vhlo.Current)
	_, _ = vhlo.WritePlain(a.Module)
	return true
}

// TestTruncated: an artifact that ends early is refused.
func TestTruncated(t *testing.T) {
	n := 0
	for i, path := range append(corpus(t), plainFiles(t)...) {
		data := readFile(t, path)
		step := 1 + len(data)/200
		for end := i % step; end < len(data); end += step {
			if checkRead(t, data[:end]) {
				t.Errorf("%s: the first %d of %d bytes are read", path, end, len(data))
			}
			n++
		}
	}
	t.Logf("%d cuts", n)
}

// TestFlipped: an artifact with a wrong bit is refused or read, without panic and with
// memory in proportion to its size.
func TestFlipped(t *testing.T) {
	const seeds = 20
	r := rand.New(rand.NewPCG(1, 2))
	refused, read := 0, 0
	var before, after runtime.MemStats
	for _, path := range append(corpus(t), plainFiles(t)...) {
		data := readFile(t, path)
		runtime.ReadMemStats(&before)
		for range seeds {
			bad := append([]byte(nil), data...)
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			if checkRead(t, bad) {
				read++
			} else {
				refused++
			}
		}
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) / seeds; used > 400*uint64(len(data))+1<<20 {
			t.Errorf("%s: %d bytes of memory for %d bytes", path, used, len(data))
		}
	}
	t.Logf("%d refused, %d read", refused, read)
}

// FuzzRead: no input makes the reader panic, hang or take memory without bound.
func FuzzRead(f *testing.F) {
	for _, path := range append(corpus(f), plainFiles(f)...) {
		f.Add(readFile(f, path))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data) })
}
