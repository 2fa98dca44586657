package exec

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// offHeap: mapMemory returns memory that the Go heap knows nothing of.
const offHeap = true

// mapMemory returns n zero bytes, rounded up to whole pages, readable and writable.
func mapMemory(n int) ([]byte, error) {
	page := windows.Getpagesize()
	if n > maxMap-page {
		return nil, windows.ERROR_NOT_ENOUGH_MEMORY
	}
	n = (n + page - 1) &^ (page - 1)
	addr, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The address is not of the Go heap; this form of the conversion says so to vet.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n), nil
}

// unmapMemory frees what mapMemory returned. It can only fail for a slice from elsewhere.
func unmapMemory(mem []byte) {
	if err := windows.VirtualFree(address(mem), 0, windows.MEM_RELEASE); err != nil {
		panic("exec: VirtualFree: " + err.Error())
	}
}

func protectExec(mem []byte) error {
	var old uint32
	return windows.VirtualProtect(address(mem), uintptr(len(mem)), windows.PAGE_EXECUTE_READ, &old)
}

func address(mem []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(mem))) }

func adviseHuge([]byte) {}
