// Command digits loads a trained network as HLO text, classifies the handwritten
// digits of a test set, and draws some of them. Run it from anywhere:
//
//	go run ./examples/digits
package main

import (
	"bytes"
	"context"
	_ "embed" // the program and its data
	"fmt"
	"io"
	"log"
	"os"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

var (
	//go:embed digits_cnn.hlo
	program []byte
	//go:embed digits_test.npz
	testSet []byte
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run classifies the test set and tells what came out on w.
func run(ctx context.Context, w io.Writer) error {
	arrays, err := npy.ReadNPZ(bytes.NewReader(testSet), int64(len(testSet)))
	if err != nil {
		return err
	}
	data := npy.Map(arrays)
	images, labels := data["x"], data["y"]

	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return err
	}
	prog, err := xla.Parse("digits_cnn.hlo", program)
	if err != nil {
		return err
	}
	exe, err := client.Compile(ctx, prog)
	if err != nil {
		return err
	}
	out, err := exe.Run(ctx, images)
	if err != nil {
		return err
	}
	predicted := argmax(literal.Values[float32](out[0]))
	draw(w, literal.Values[float32](images), predicted)

	right := 0
	want := literal.Values[int32](labels)
	for i, p := range predicted {
		if p == int(want[i]) {
			right++
		}
	}
	fmt.Fprintf(w, "%d of %d right: accuracy %.1f %%\n", right, len(want), 100*float64(right)/float64(len(want)))
	return nil
}
