//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/goxla/xla/collective"
)

// This file makes memory that the members of a lane on one machine have in common. It is a file without a name, which
// the first member makes and the others open through its process: when the last process has ended it is gone,
// however they end. It stays mapped until then.

// invitation says where the memory is. All members must find the token there.
type invitation struct {
	process, file int64 // no memory if process is 0
	token         [16]byte
}

const (
	invitationSize = int(unsafe.Sizeof(invitation{}))
	// tokenSize is what the token takes at the start of the memory: a page.
	tokenSize = 4 << 10
	// sharedName is what the system calls the file.
	sharedName = "xla-collective"
)

// agreement is what members tell each other, in memory of the arena.
type agreement struct {
	invitation
	mine, all int32 // whether this member has the memory, and all do: 1 or 0
	request   uint64
	flag      int32
}

// connect makes the pipes of a lane of members on one machine, whose processes have a core each if it is roomy. There
// are none if any member cannot have the memory, or does not want it. All members call it. After an error, or the end
// of the context, MPI may still write into what it got here, which is kept.
func (l *lane) connect(ctx context.Context, limit time.Duration, wanted, roomy bool) error {
	p := &patience{limit: limit}
	size := tokenSize + len(l.group)*len(l.group)*pipeSize
	buffer, err := l.engine.arena.get(int(unsafe.Sizeof(agreement{})))
	if err != nil {
		return err
	}
	a := (*agreement)(unsafe.Pointer(unsafe.SliceData(buffer)))
	*a = agreement{}
	var file *os.File
	if l.self == 0 {
		if file, a.invitation, err = invite(size); err == nil {
			defer file.Close() // when all have it
		}
	}
	lib := l.engine.lib
	if err := l.await(ctx, p, a, fnIbcast, address0(buffer), integer(invitationSize), uintptr(lib.bytes), 0,
		uintptr(l.comm), uintptr(unsafe.Pointer(&a.request))); err != nil {
		return err
	}
	memory, err := a.accept(file, size)
	if err == nil && wanted {
		a.mine = 1
	}
	err = l.await(ctx, p, a, fnIallreduce, uintptr(unsafe.Pointer(&a.mine)), uintptr(unsafe.Pointer(&a.all)), 1,
		uintptr(lib.elements[int32s]), uintptr(lib.reductions[collective.ReduceMin]), uintptr(l.comm),
		uintptr(unsafe.Pointer(&a.request)))
	usable := err == nil && a.all == 1
	if err == nil {
		l.engine.arena.put(buffer)
	}
	if !usable && memory != nil {
		return errors.Join(err, syscall.Munmap(memory))
	}
	if usable {
		eager := 0
		if roomy {
			eager = spins
		}
		l.pipes = newPipes(memory[tokenSize:], l.self, len(l.group), eager)
	}
	return err
}

// await makes a call that begins the request, and waits until that is over. It lets other processes run, of which there
// may be more than cores.
func (l *lane) await(ctx context.Context, p *patience, a *agreement, fn function, args ...uintptr) error {
	lib := l.engine.lib
	err := lib.check(fn, lib.call(fn, args...))
	for a.flag = 0; err == nil && a.flag == 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.look() {
			return errBusy
		}
		err = lib.check(fnTest, lib.call(fnTest, uintptr(unsafe.Pointer(&a.request)), uintptr(unsafe.Pointer(&a.flag)),
			lib.statusIgnore))
		runtime.Gosched()
		syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	}
	return err
}

// invite makes the memory.
func invite(size int) (*os.File, invitation, error) {
	name, err := syscall.BytePtrFromString(sharedName)
	if err != nil {
		return nil, invitation{}, err
	}
	const closeOnExec = 1
	fd, _, code := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(name)), closeOnExec, 0)
	if code != 0 {
		return nil, invitation{}, code
	}
	file := os.NewFile(fd, sharedName)
	v := invitation{process: int64(os.Getpid()), file: int64(fd)}
	rand.Read(v.token[:])
	err = file.Truncate(int64(size))
	if err == nil {
		_, err = file.WriteAt(v.token[:], 0)
	}
	if err != nil {
		file.Close()
		return nil, invitation{}, err
	}
	return file, v, nil
}

// accept maps the memory, of which file is set in the process that made it.
func (v *invitation) accept(file *os.File, size int) ([]byte, error) {
	if v.process == 0 {
		return nil, errors.New("expects common memory of the first member, got none")
	}
	if file == nil {
		path := fmt.Sprintf("/proc/%d/fd/%d", v.process, v.file)
		if name, err := os.Readlink(path); err != nil || !strings.HasPrefix(name, "/memfd:"+sharedName) {
			return nil, fmt.Errorf("%s: expects common memory, got %q, %v", path, name, err)
		}
		var err error
		if file, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	// Where numbers of processes are others it is anybody's file, and perhaps just being made.
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(size) {
		return nil, fmt.Errorf("process %d: expects %d bytes of common memory, got %d", v.process, size, info.Size())
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	if v.token != [16]byte(memory) {
		err := fmt.Errorf("process %d: expects common memory of this lane, got that of another one", v.process)
		return nil, errors.Join(err, syscall.Munmap(memory))
	}
	return memory, nil
}
