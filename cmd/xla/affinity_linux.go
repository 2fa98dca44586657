package main

import (
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// restrict keeps the process on the first n of its CPUs. Threads that begin later follow the one that starts them;
// those that run already are told one by one.
func restrict(n int) error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return err
	}
	var first unix.CPUSet
	for cpu := 0; n > 0 && cpu < 8*len(set)*8; cpu++ {
		if set.IsSet(cpu) {
			first.Set(cpu)
			n--
		}
	}
	var done []string
	for { // until no thread is new: each may start another while it is not told
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		fresh := false
		for _, t := range tasks {
			if slices.Contains(done, t.Name()) {
				continue
			}
			done, fresh = append(done, t.Name()), true
			id, err := strconv.Atoi(t.Name())
			if err != nil {
				return err
			}
			if err := unix.SchedSetaffinity(id, &first); err != nil && err != unix.ESRCH {
				return err
			}
		}
		if !fresh {
			return nil
		}
	}
}
