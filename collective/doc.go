// Package collective lets the devices of a run work together: they gather, reduce
// and exchange arrays in groups, and send them to each other.
//
// A [Transport] carries the data. [InProcess] does it in shared memory between the
// goroutines of one process; others reach over processes and machines. A run is
// opened with the transport and gives every device its [Communicator]. It belongs
// to the run and not to a program, so devices that run different programs meet in
// the same way as those that run one.
//
// A device that waits for another one never waits for ever: it gets a
// [*MissingError], which names the operation, the group and the members that did
// not come, once they cannot come any more or [Run.Timeout] has passed.
//
// The package knows arrays and devices. It does not know instructions, replicas
// or partitions: who is in a group is settled before a meeting.
package collective
