package huge

import (
	"testing"
	"unsafe"
)

// TestWithin: whole pages are asked for, as many as lie within the memory, and none of less than two.
func TestWithin(t *testing.T) {
	all := make([]byte, 6*page)
	first := int(-uintptr(unsafe.Pointer(&all[0])) & (page - 1))
	for _, c := range []struct{ from, size, skip, pages int }{
		{0, 0, 0, 0}, {0, page, 0, 0}, {0, fewest - 1, 0, 0}, {0, fewest, 0, 2}, {0, fewest + 4097, 0, 2},
		{1, fewest, page - 1, 1}, {4096, fewest + page, page - 4096, 2}, {page - 1, 3 * page, 1, 2},
	} {
		mem := all[first+c.from:][:c.size]
		got := within(mem)
		if len(got) != c.pages*page {
			t.Errorf("%+v: got %d bytes, want %d pages", c, len(got), c.pages)
		}
		if len(got) > 0 && &got[0] != &mem[c.skip] {
			t.Errorf("%+v: begins elsewhere", c)
		}
	}
	Advise(all)
	if all[first] != 0 || all[len(all)-1] != 0 {
		t.Error("the memory changed")
	}
}
