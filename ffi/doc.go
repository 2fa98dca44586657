// Package ffi connects running programs with the Go program around them: handlers of
// custom-call operations, and the queues behind infeed, outfeed and transfers between
// device and host. Handlers and queues are values that are given to a client; nothing
// registers itself.
//
//	client, err := xla.NewClient(xla.Options{
//		Handlers: ffi.Handlers{"scale": ffi.Func(func(ctx context.Context, c *ffi.Call) error {
//			factor, err := ffi.Get[float32](c.Attributes, "factor")
//			...
//		})},
//	})
//
// Handlers see operands and results as literals and attributes as Go values. The
// package knows arrays; it knows neither instructions nor devices but by number.
package ffi
