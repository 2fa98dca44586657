// Command jaxexport runs a program that jax.export wrote: a transformer from tokens to logits whose batch size is a
// symbol. It is compiled once for each batch size that it meets.
//
//	go run ./examples/jaxexport [FILE.jaxexport]
//
// Without a file it takes testdata/series.jaxexport, which goes on with series of digits, as 3 5 7 9 1 3 5 7; export.py
// made it. Any program with a parameter s32[?,length] and a result f32[?,length,vocabulary] will do.
package main

import (
	"context"
	_ "embed" // the program
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/goxla/xla"
)

//go:embed testdata/series.jaxexport
var series []byte

const usage = `usage: go run ./examples/jaxexport [FILE]

FILE is a program of jax.export from tokens s32[?,length] to logits f32[?,length,vocabulary]:

  tokens = jax.ShapeDtypeStruct(jax.export.symbolic_shape("b, 8"), np.int32)
  open(FILE, "wb").write(jax.export.export(jax.jit(f))(tokens).serialize())

examples/jaxexport/export.py is all of it. Without FILE the program that it made runs.
`

func main() {
	flag.Usage = func() { fmt.Fprint(flag.CommandLine.Output(), usage) }
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// run continues series of tokens with the program in a file, "" for that of the example, and tells w.
func run(ctx context.Context, w io.Writer, path string) error {
	exe, err := load(ctx, path)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "signature:", exe.Signature())
	if err := check(exe.Signature()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, batch := range []int{1, 4, 1, 4} {
		tokens, next, err := predict(ctx, exe, batch)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "batch of %d, compiled for %d shapes:\n", batch, exe.Compilations())
		for b, n := range next {
			fmt.Fprintln(w, " ", tokens[b], "->", n)
		}
	}
	return nil
}

// load compiles a program; what depends on sizes is left until they are known.
func load(ctx context.Context, path string) (*xla.Executable, error) {
	prog, err := xla.Parse("series.jaxexport", series)
	if path != "" {
		prog, err = xla.Load(path)
	}
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, prog)
}
