// Package cabi makes the functions of shared libraries custom-call handlers: those
// with the C signatures that XLA's custom calls have had since 2017.
//
//	// void scale(void* out, const void** in)
//	library, err := cabi.Open("libscale.so", "scale")
//	client, err := xla.NewClient(xla.Options{Handlers: library})
//
// The package is a module of its own because it needs purego, which makes a binary
// dynamically linked. It needs no C compiler. It is empty on systems without dlopen.
package cabi
