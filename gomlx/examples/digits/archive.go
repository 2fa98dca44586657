package main

import (
	"bytes"
	"os"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// readArchive returns the arrays x and y of an .npz file.
func readArchive(path string) (images []float32, labels []int32, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	list, err := npy.ReadNPZ(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	arrays := npy.Map(list)
	return literal.Values[float32](arrays["x"]), literal.Values[int32](arrays["y"]), nil
}
