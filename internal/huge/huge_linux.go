// Package huge asks for huge pages of memory that is about to be used.
package huge

import (
	"syscall"
	"unsafe"
)

const (
	page = 2 << 20
	// fewest is from where on asking for huge pages costs much less than the faults that they save.
	fewest = 2 * page
)

// Advise asks that those huge pages that lie within mem, which is about to be written, are mapped as such: where a
// system does that only when asked, each page of 4 KiB of new memory is a fault else, which takes longer than to fill
// it, and who reads it needs many more entries of the table of pages. Of what is mapped already the system may make
// huge pages later. A kernel without them just says no.
func Advise(mem []byte) {
	if pages := within(mem); len(pages) > 0 {
		_ = syscall.Madvise(pages, syscall.MADV_HUGEPAGE)
	}
}

// within is the huge pages that lie within mem, if there are enough of them to ask for.
func within(mem []byte) []byte {
	if len(mem) < fewest {
		return nil
	}
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(mem))) & (page - 1))
	whole := (len(mem) - skip) &^ (page - 1)
	return mem[skip : skip+whole]
}
