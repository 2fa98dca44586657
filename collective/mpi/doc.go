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
// One goroutine makes all MPI calls, none of which waits, and operations are messages
// between devices. So there are no communicators to be made in one order, a thread level
// of FUNNELED is enough, and a device that waits knows who did not come: it gets a
// [collective.MissingError] after the time-out of the run, or at once if the other has
// ended, and a [collective.PeerError] if another failed. That all devices wait for each
// other is seen by the time-out alone.
//
// Bytes are moved by MPI and combined by the program's own code, in the order of the
// group: the results are the same bits as in one process, for all types and reductions.
// MPI's own reductions and collectives are not used. Every member of a group sends to
// every other one, which is made for groups of tens of processes rather than thousands,
// and bodies are copied into and out of memory that MPI may register.
//
// The package is a module of its own because it needs purego, which makes a binary
// dynamically linked. It is empty on systems other than Linux on amd64 and arm64.
package mpi
