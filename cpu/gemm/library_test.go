package gemm

import (
	"sync"
	"testing"

	"github.com/goxla/xla/shape"
)

// libraryProduct is a product of f32 for this machine.
func libraryProduct(t *testing.T, m, n, k int) *Product {
	t.Helper()
	c, err := HostConfig("", 1)
	if err != nil {
		t.Fatal(err)
	}
	s := Spec{C: shape.F32}
	s.A, _ = operand(shape.F32, rowMajor, 1, m, k, false)
	s.B, _ = operand(shape.F32, rowMajor, 1, n, k, true)
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// regions is how many regions of code p keeps.
func regions(p *Product) int {
	if p.code == nil {
		return 0
	}
	return len(p.code.codes)
}

// TestLibraryShares: kernels that are there are not made again, and others are beside them.
func TestLibraryShares(t *testing.T) {
	var b Library
	var first *kernels
	tests := []struct {
		name    string
		m, n, k int
		codes   int // regions of code after it
	}{
		{"first", 64, 64, 64, 1},
		{"same", 64, 64, 64, 1},
		{"other rows apart", 64, 64, 200, 2},
		{"first again", 64, 64, 64, 2},
	}
	for _, test := range tests {
		p := libraryProduct(t, test.m, test.n, test.k)
		if err := b.Compile(p); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = p.code
		}
		if !p.native() {
			test.codes = 0
		}
		if p.code != first || regions(p) != test.codes {
			t.Errorf("%s: expected %d regions of code, got %d", test.name, test.codes, regions(p))
		}
		for i := range p.forms {
			f := &p.forms[i]
			for rows, k := range f.micro {
				if k != nil && p.native() && f.entry[rows] == 0 {
					t.Errorf("%s: no kernel for %d rows", test.name, rows)
				}
			}
		}
	}
}

// TestLibraryIsBounded: a library with much code begins anew, and what was made before stays as it is.
func TestLibraryIsBounded(t *testing.T) {
	var b Library
	old := libraryProduct(t, 64, 64, 64)
	if err := b.Compile(old); err != nil {
		t.Fatal(err)
	}
	entries := old.forms[0].entry
	b.made.bytes = mostCode + 1
	p := libraryProduct(t, 64, 64, 64)
	if err := b.Compile(p); err != nil {
		t.Fatal(err)
	}
	want := 1
	if !p.native() {
		want = 0
	}
	if p.native() && p.code == old.code || regions(p) != want || regions(old) != want || entries != old.forms[0].entry {
		t.Errorf("expected code of its own for each, got %d and %d regions", regions(old), regions(p))
	}
}

// TestLibraryAtOnce: programs that are compiled at once share it.
func TestLibraryAtOnce(t *testing.T) {
	var b Library
	var wait sync.WaitGroup
	least := 1
	for n := range 8 {
		p := libraryProduct(t, 32+n%3, 64, 64)
		if !p.native() {
			least = 0
		}
		wait.Go(func() {
			if err := b.Compile(p); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := len(b.made.codes); n < least || n > 3*least {
		t.Errorf("expected code for three products, got %d regions", n)
	}
}
