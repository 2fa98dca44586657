//go:build unix

package exec

import "golang.org/x/sys/unix"

// offHeap: mapMemory returns memory that the Go heap knows nothing of.
const offHeap = true

// mapMemory returns n zero bytes, rounded up to whole pages, readable and writable.
func mapMemory(n int) ([]byte, error) {
	page := unix.Getpagesize()
	if n > maxMap-page {
		return nil, unix.ENOMEM
	}
	n = (n + page - 1) &^ (page - 1)
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// unmapMemory frees what mapMemory returned. It can only fail for a slice from elsewhere.
func unmapMemory(mem []byte) {
	if err := unix.Munmap(mem); err != nil {
		panic("exec: munmap: " + err.Error())
	}
}

func protectExec(mem []byte) error { return unix.Mprotect(mem, unix.PROT_READ|unix.PROT_EXEC) }
