// Package guard makes buffers for tests of machine code that end, or begin, at a page that cannot be
// accessed: one byte too far is a fault.
package guard

import "testing"

const page = 4 << 10

// Before returns n zero bytes that begin right behind a page without access. They are freed at the end of the test.
func Before(t testing.TB, n int) []byte {
	t.Helper()
	return between(t, n)[:n:n]
}

// After returns n zero bytes that end right before a page without access. They are freed at the end of the test.
func After(t testing.TB, n int) []byte {
	t.Helper()
	pages := between(t, n)
	return pages[len(pages)-n:]
}

// between returns whole pages, at least n bytes and one page, between two pages without access.
func between(t testing.TB, n int) []byte {
	t.Helper()
	if n < 0 {
		t.Fatalf("guard: expected a size of at least 0, got %d", n)
	}
	mem, free, err := fenced(max(1, (n+page-1)/page) * page)
	if err != nil {
		t.Fatalf("guard: %d bytes: %v", n, err)
	}
	t.Cleanup(free)
	return mem
}
