package exec

import "golang.org/x/sys/unix"

// adviseHuge asks for huge pages; a kernel without them just says no.
func adviseHuge(mem []byte) { _ = unix.Madvise(mem, unix.MADV_HUGEPAGE) }
