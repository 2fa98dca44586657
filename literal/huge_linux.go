package literal

import (
	"syscall"
	"unsafe"
)

const (
	hugePage = 2 << 20
	// fewestHuge is from where on asking for huge pages costs much less than the faults that they save.
	fewestHuge = 2 * hugePage
)

// adviseHuge asks that those huge pages that lie within mem, which is about to be written, are mapped as such: where a
// system does that only when asked, each page of 4 KiB of new memory is a fault else, which takes longer than to fill
// it, and who reads it needs many more entries of the table of pages. A kernel without them just says no.
func adviseHuge(mem []byte) {
	if len(mem) < fewestHuge {
		return
	}
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(mem))) & (hugePage - 1))
	whole := (len(mem) - skip) &^ (hugePage - 1)
	_ = syscall.Madvise(mem[skip:skip+whole], syscall.MADV_HUGEPAGE)
}
