//go:build unix

package guard

import "golang.org/x/sys/unix"

// Guarded says whether this platform has pages without access. Elsewhere the buffers are plain slices.
const Guarded = true

// fenced maps n bytes, whole pages, with a page without access on either side.
func fenced(n int) (mem []byte, free func(), err error) {
	fence := unix.Getpagesize()
	n = (n + fence - 1) / fence * fence
	all, err := unix.Mmap(-1, 0, n+2*fence, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	free = func() { _ = unix.Munmap(all) }
	for _, p := range [][]byte{all[:fence], all[fence+n:]} {
		if err := unix.Mprotect(p, unix.PROT_NONE); err != nil {
			free()
			return nil, nil, err
		}
	}
	return all[fence : fence+n : fence+n], free, nil
}
