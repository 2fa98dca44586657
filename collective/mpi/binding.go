//go:build linux && (amd64 || arm64)

package mpi

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// family is how the handles of a library look.
type family uint8

const (
	// familyOpenMPI has addresses of exported objects.
	familyOpenMPI family = iota
	// familyMPICH has 32-bit integers: MPICH and what derives from it.
	familyMPICH
	// familyABI has the constants of the standard ABI of MPI 5.
	familyABI
)

// handle is a communicator, a data type or an error handler of the library.
type handle uintptr

// library is an MPI library in this process. Its functions are called by one thread.
type library struct {
	constants
	path      string
	version   string
	family    family
	functions [functionCount]uintptr
}

// load loads the first of the libraries that there is.
func load(candidates []string) (*library, error) {
	var errs []error
	for _, path := range candidates {
		h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		l := &library{path: path}
		if err := l.resolve(h); err != nil {
			return nil, fmt.Errorf("mpi: %s: %w", path, err)
		}
		return l, nil
	}
	return nil, fmt.Errorf("mpi: found no MPI library (%s names one): %w", LibraryVariable, errors.Join(errs...))
}

// resolve finds the functions and what family the library is of. All of that may be
// done before MPI_Init.
func (l *library) resolve(h uintptr) error {
	for i, name := range functionNames() {
		f, err := purego.Dlsym(h, name)
		if err != nil {
			return fmt.Errorf("expects the function %s: %w", name, err)
		}
		l.functions[i] = f
	}
	text, n := make([]byte, 8192), new(int32) // MPI_MAX_LIBRARY_VERSION_STRING of all of them, or less
	l.call(fnGetLibraryVersion, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(n)))
	l.version = string(text[:*n])
	if f, err := purego.Dlsym(h, "MPI_Abi_get_version"); err == nil && abiMajor(f) >= 1 {
		l.family, l.constants = familyABI, abiConstants()
		return nil
	}
	if _, err := purego.Dlsym(h, "ompi_mpi_comm_world"); err == nil {
		l.family = familyOpenMPI
		l.constants, err = openMPIConstants(h)
		return err
	}
	l.family, l.constants = familyMPICH, mpichConstants()
	return nil
}

// abiMajor returns the major version of the standard ABI; libraries with handles of
// their own say -1.
func abiMajor(f uintptr) int32 {
	major, minor := new(int32), new(int32)
	purego.SyscallN(f, uintptr(unsafe.Pointer(major)), uintptr(unsafe.Pointer(minor)))
	return *major
}

// call calls a function and returns what it returns. What arguments point to that are written as
// uintptr(unsafe.Pointer(p)) in the call itself is kept alive and in place. Written elsewhere, in a function of its own
// for instance, they may be addresses of a stack that has moved by the time of the call.
//
//go:uintptrescapes
func (l *library) call(f function, args ...uintptr) int32 {
	r, _, _ := purego.SyscallN(l.functions[f], args...)
	return int32(r)
}

// integer passes a C int.
func integer[T int | int32](v T) uintptr { return uintptr(uint32(int32(v))) }

// check makes an error of what function f returned.
func (l *library) check(f function, code int32) error {
	if code == 0 {
		return nil
	}
	text, n := make([]byte, 8192), new(int32)
	l.call(fnErrorString, integer(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(n)))
	return &Error{Function: functionNames()[f], Code: int(code), Text: string(text[:*n])}
}

// Error is an error of the MPI library.
type Error struct {
	Function string
	Code     int
	Text     string // what the library says of the code
}

// Error gives the function, the code and the library's text.
func (e *Error) Error() string { return fmt.Sprintf("%s: error %d: %s", e.Function, e.Code, e.Text) }

// errTwice: MPI can be initialized once in a process.
var errTwice = errors.New("mpi: expects one transport in a process, MPI is already initialized")

// init initializes MPI, of which it asks the thread level wanted. It returns the level granted and the
// duplicate of the world that messages go through.
func (l *library) init(wanted int32) (level int32, comm handle, err error) {
	already := new(int32)
	if err := l.check(fnInitialized, l.call(fnInitialized, uintptr(unsafe.Pointer(already)))); err != nil {
		return 0, 0, err
	}
	if *already != 0 {
		return 0, 0, errTwice
	}
	granted := new(int32)
	code := l.call(fnInitThread, 0, 0, integer(wanted), uintptr(unsafe.Pointer(granted)))
	if err := l.check(fnInitThread, code); err != nil {
		return 0, 0, err
	}
	if *granted < l.funneled {
		return 0, 0, fmt.Errorf("mpi: %s: expects thread level FUNNELED (%d) or above, got %d", l.path, l.funneled, *granted)
	}
	dup := new(uintptr) // MPICH writes 4 bytes, the others 8
	if err := l.check(fnCommDup, l.call(fnCommDup, uintptr(l.world), uintptr(unsafe.Pointer(dup)))); err != nil {
		return 0, 0, err
	}
	return *granted, handle(*dup), errors.Join(l.returnErrors(l.world), l.returnErrors(handle(*dup)))
}

// returnErrors has calls on a communicator return errors instead of ending the process.
func (l *library) returnErrors(comm handle) error {
	return l.check(fnCommSetErrhandler, l.call(fnCommSetErrhandler, uintptr(comm), uintptr(l.errorsReturn)))
}

// place returns the rank and the number of processes of the world.
func (l *library) place() (rank, size int, err error) {
	r, n := new(int32), new(int32)
	if err := l.check(fnCommRank, l.call(fnCommRank, uintptr(l.world), uintptr(unsafe.Pointer(r)))); err != nil {
		return 0, 0, err
	}
	if err := l.check(fnCommSize, l.call(fnCommSize, uintptr(l.world), uintptr(unsafe.Pointer(n)))); err != nil {
		return 0, 0, err
	}
	return int(*r), int(*n), nil
}
