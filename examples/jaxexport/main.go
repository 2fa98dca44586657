// Command jaxexport runs a program that jax.export wrote: a small transformer whose batch
// size is a symbol. It is compiled once for each batch size that it meets.
//
//	go run ./examples/jaxexport [FILE.jaxexport]
//
// Without a file it takes jax_export/gpt_tiny_dynamic.jaxexport from the folder examples
// of $XLA_SHARED, or of ../shared.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func main() {
	path := filepath.Join(cmp.Or(os.Getenv("XLA_SHARED"), "../shared"), "examples", "jax_export",
		"gpt_tiny_dynamic.jaxexport")
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := run(context.Background(), path); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	exe, err := load(ctx, path)
	if err != nil {
		return err
	}
	fmt.Println("signature:", exe.Signature())
	if err := check(exe.Signature()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, batch := range []int{1, 4, 1, 4} {
		next, err := predict(ctx, exe, batch)
		if err != nil {
			return err
		}
		fmt.Printf("batch of %d: next tokens %v, compiled for %d shapes\n", batch, next, exe.Compilations())
	}
	return nil
}

// load compiles a program; what depends on sizes is left until they are known.
func load(ctx context.Context, path string) (*xla.Executable, error) {
	prog, err := xla.Load(path)
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, prog)
}

// check refuses programs that are no language model.
func check(sig shape.Program) error {
	tokens := func(s shape.Shape) bool {
		return s.Type == shape.S32 && s.Rank() == 2 && s.Dims[0] == shape.Unbounded && s.Dims[1] > 0
	}
	logits := func(s shape.Shape, length int) bool {
		return s.Type == shape.F32 && s.Rank() == 3 && s.Dims[1] == length
	}
	if len(sig.Params) == 1 && tokens(sig.Params[0]) && logits(sig.Result, sig.Params[0].Dims[1]) {
		return nil
	}
	return fmt.Errorf("expects a program from tokens s32[?,length] to logits f32[?,length,vocabulary], got %v", sig)
}

// predict runs the model on rows of tokens and returns the likeliest token behind each row.
func predict(ctx context.Context, exe *xla.Executable, batch int) ([]int, error) {
	length := exe.Signature().Params[0].Dims[1]
	tokens := literal.New(shape.Make(shape.S32, batch, length))
	for i := range tokens.Len() {
		tokens.SetInt(i, int64(i*i%61))
	}
	out, err := exe.Run(ctx, tokens)
	if err != nil {
		return nil, err
	}
	logits, vocabulary := literal.Values[float32](out[0]), out[0].Dims()[2]
	next := make([]int, batch)
	for b := range next {
		row := logits[((b+1)*length-1)*vocabulary:][:vocabulary]
		for k, v := range row {
			if v > row[next[b]] {
				next[b] = k
			}
		}
	}
	return next, nil
}
