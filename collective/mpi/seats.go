//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"os"
	"syscall"
	"time"
	"unsafe"

	"github.com/goxla/xla/literal"
)

// seat is where a process runs.
type seat struct {
	host  string
	cores cores
}

// cores is a set of cores of a machine, those that a process may run on.
type cores [16]uint64

// ownSeat returns that of this process.
func ownSeat() seat { return seat{host(), ownCores()} }

// ownCores returns the cores of this process, none if the system does not tell.
func ownCores() (c cores) {
	_, _, code := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(c), uintptr(unsafe.Pointer(&c)))
	if code != 0 {
		return cores{}
	}
	return c
}

// roomy reports whether the processes of the machine of one have a core each, together.
func roomy(seats map[int32]seat, rank int32) bool {
	processes, all := 0, cores{}
	for _, s := range seats {
		if s.host != seats[rank].host {
			continue
		}
		processes++
		for i, word := range s.cores {
			all[i] |= word
		}
	}
	count := 0
	for _, word := range all {
		count += bits.OnesCount64(word)
	}
	return count >= processes
}

// noteSeat notes where the process runs that sends a message. The lock is held.
func (s *session) noteSeat(m *message) {
	c := cores{}
	v, err := literal.FromBytes(m.blocks()[0].shape, m.blocks()[0].bytes)
	if err != nil {
		s.failure = cmp.Or(s.failure, err)
		return
	}
	copy(c[:], literal.Values[uint64](v))
	s.seats[m.rank] = seat{m.name(), c}
}

// gatherSeats returns where all processes run, once all have opened the session: then the communicators are made
// without waiting for long.
func (s *session) gatherSeats(ctx context.Context) (map[int32]seat, error) {
	own := ownSeat()
	err := s.tellAll(header{kind: kindOpened}, own.host, []literal.Literal{literal.Of(own.cores[:])})
	if err != nil {
		return nil, err
	}
	late := func(waited time.Duration) error {
		var missing []int
		for r := range s.transport.Size() {
			if _, ok := s.seats[int32(r)]; !ok && r != s.transport.Rank() {
				missing = append(missing, r)
			}
		}
		return fmt.Errorf("mpi: begin of the run: processes %v did not come (gave up after %v)", missing, waited)
	}
	err = s.wait(ctx, late, func() (bool, error) {
		return len(s.seats) == s.transport.Size()-1, s.failure
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats[int32(s.transport.Rank())] = own
	return s.seats, nil
}

// host names this machine, or the container: what shares memory.
func host() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	name, err2 := os.Hostname()
	if err != nil || err2 != nil {
		return fmt.Sprint("process ", os.Getpid(), " of an unknown machine") // is near to no other one
	}
	return string(bytes.TrimSpace(boot)) + " " + name
}
