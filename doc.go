// Package xla compiles and runs array programs in pure Go: the operation set of
// XLA without cgo, Python, LLVM or C++.
//
// A program comes from a file of HLO, StableHLO or jax.export ([Load], [Parse]) or
// from a builder, as an *hlo.Module. A [Client] turns it into an [Executable], which
// runs on literals, host arrays of package literal:
//
//	client, err := xla.NewClient(xla.Options{})
//	prog, err := xla.Load("model.hlo")
//	exe, err := client.Compile(ctx, prog)
//	out, err := exe.Run(ctx, literal.Of(xs), literal.Of(ys))
//	got := literal.Values[float32](out[0])
//
// A service that runs a program over and over keeps arrays in buffers ([Client.Buffer],
// [Client.BufferOf]), which [Executable.RunBuffers] reads where they are. [Buffer.Release]
// gives the memory of a result to later runs; [Executable.RunInto] writes where the caller
// says and allocates nothing, sorts, factorisations and the like apart.
//
// A program with sizes that are not known, such as a symbolic batch size of jax.export, is
// compiled once for each combination of shapes that [Executable.Run] meets;
// [Executable.ForShapes] has the executable for one, which buffers need.
//
// Errors about a program are of type *[Error] and name the place in its text, the
// instruction, the operation and the attribute.
//
// A program for several devices (replicas x partitions) runs with
// [Executable.RunReplicated], several programs that communicate with
// [Client.RunGrid]; devices are goroutines of this process unless Options.Transport
// reaches further (package collective). Custom calls go to Go functions, infeed and outfeed to
// queues: Options.Handlers and Options.Host (package ffi).
//
// Packages: shape and literal describe and hold arrays, which literal/npy reads from
// files and writes; builder makes programs, a function an operation; op is the table of
// operations; hlo is the program, with its text in hlo/hlotext; cpu compiles it, and
// interp evaluates it. Reading docs/ARCHITECTURE.md takes ten minutes.
package xla
