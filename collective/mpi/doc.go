// Package mpi is the transport of collective between processes: those that mpirun,
// mpiexec or srun starts, on one machine or many.
//
//	transport, err := mpi.New(mpi.Options{})
//	client, err := xla.NewClient(xla.Options{Transport: transport})
//	...
//	err = transport.Close() // or transport.Abort(1) after an error
//	transport.Exit(0)       // instead of os.Exit or the end of main
//
// The MPI library of the system is loaded at run time, without a C compiler: Open MPI,
// MPICH and what derives from it, and libraries with the standard ABI of MPI 5. It is the
// launcher's, see [Options]. Each process has the same number of devices, process 0 the
// first ones, and all processes open the same runs in the same order.
//
// Where MPI allows calls by several threads whoever waits makes them, one at a time; otherwise one goroutine,
// locked to its thread, makes all calls. None of them waits inside of MPI, so a device that waits can give up: it
// gets a [collective.MissingError] after the time-out of the run, or at once if another one has ended, and a
// [collective.PeerError] if another failed. Shortly before the time-out the others are asked how far they are, and
// the error names those that did not come and those that do not answer. That all devices wait for each other is
// seen by the time-out alone. After an error of MPI, or a time-out, Abort is right.
//
// A group with each member in another process has a communicator of its own, made when a run is opened, in the
// order of its programs. Groups of up to [Options].Direct members send bytes to each other; in larger ones MPI
// gathers, exchanges and broadcasts. All groups with several members in one process, and sends and receives, use
// messages that tell what they are. Processes have to execute the operations of a group in the same order; that
// they did is checked at the end of a run.
//
// Bytes are moved by MPI and combined by the program's own code, in the order of the group: the results are the
// same bits as in one process, for all types and reductions. MPI combines where the result does not depend on the
// order: minimum, maximum and bits of integers and predicates, sums and products of integers of 32 bits and more,
// and with Options.AllowReorder those of floating-point numbers.
//
// Between processes of one machine MPI reads and writes the arrays themselves; members of a group with up to
// [Options].Direct, and 16 at most, pass those of up to 8 KiB through memory that they have in common, where the system
// gives them any, without a call of MPI. Between machines arrays go through memory that is never given back, piece by
// piece, because a network may have memory registered.
//
// The package is a module of its own because it needs purego, which makes a binary
// dynamically linked. It is empty on systems other than Linux on amd64 and arm64.
package mpi
