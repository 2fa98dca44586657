package main

import (
	"fmt"
	"io"
	"strings"
)

const (
	side    = 8 // an image is side x side pixels
	classes = 10
	shown   = 6
)

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
func draw(w io.Writer, pixels []float32, predicted []int) {
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
		fmt.Fprintln(w, line.String())
	}
	for i := range shown {
		fmt.Fprintf(w, "%-*s", 2*side+2, fmt.Sprintf("       %d", predicted[i]))
	}
	fmt.Fprintln(w)
}
