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
	"log"
	"strings"

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

const (
	side    = 8 // an image is side x side pixels
	classes = 10
	shown   = 6
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
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
	draw(literal.Values[float32](images), predicted)

	right := 0
	want := literal.Values[int32](labels)
	for i, p := range predicted {
		if p == int(want[i]) {
			right++
		}
	}
	fmt.Printf("%d of %d right: accuracy %.1f %%\n", right, len(want), 100*float64(right)/float64(len(want)))
	return nil
}

// argmax returns the class with the largest score of each row.
func argmax(scores []float32) []int {
	best := make([]int, len(scores)/classes)
	for i, s := range scores {
		if row := i / classes; s > scores[row*classes+best[row]] {
			best[row] = i % classes
		}
	}
	return best
}

// draw prints the first images side by side, with their predicted class below.
func draw(pixels []float32, predicted []int) {
	shades := []rune(" ░▒▓█")
	for y := range side {
		var line strings.Builder
		for i := range shown {
			for x := range side {
				v := pixels[(i*side+y)*side+x]
				line.WriteString(strings.Repeat(string(shades[int(v*float32(len(shades)-1)+0.5)]), 2))
			}
			line.WriteString("  ")
		}
		fmt.Println(line.String())
	}
	for i := range shown {
		fmt.Printf("%-*s", 2*side+2, fmt.Sprintf("       %d", predicted[i]))
	}
	fmt.Println()
}
