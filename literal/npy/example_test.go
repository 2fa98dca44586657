package npy_test

import (
	"bytes"
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// An archive keeps the order of its arrays, and the types that NumPy lacks.
func Example() {
	weights := literal.Of([]literal.BF16{literal.BF16From32(0.5), literal.BF16From32(-2)})
	var file bytes.Buffer
	err := npy.WriteNPZ(&file, []npy.Named{
		{Name: "0", Value: literal.Of([][]float32{{1, 2}, {3, 4}})},
		{Name: "1@3", Value: weights}, // an input of device 3, stored as 1@3:bf16
	}, npy.NPZOptions{Compress: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	arrays, err := npy.ReadNPZ(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range arrays {
		key := npy.ParseKey(a.Name)
		fmt.Println(key.Name, key.Device, a.Value)
	}
	// Output:
	// 0 -1 f32[2,2]{1,0} { { 1, 2 }, { 3, 4 } }
	// 1 3 bf16[2]{0} {0.5, -2}
}
