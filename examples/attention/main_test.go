package main

import (
	"context"
	"math"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// TestAttention compares the built program with attention written as loops.
func TestAttention(t *testing.T) {
	const heads, n, depth = 3, 5, 4
	module, err := attention(heads, n, depth)
	if err != nil {
		t.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := client.Compile(context.Background(), module)
	if err != nil {
		t.Fatal(err)
	}
	q, k, v := wave(heads*n*depth, 0.7), wave(heads*n*depth, 1.3), wave(heads*n*depth, 2.1)
	out, err := exe.Run(context.Background(), literal.Of(q), literal.Of(k), literal.Of(v))
	if err != nil {
		t.Fatal(err)
	}
	got := literal.Values[float32](out[0])
	for h := range heads {
		head := func(x []float32) []float32 { return x[h*n*depth : (h+1)*n*depth] }
		for i, want := range loops(head(q), head(k), head(v), n, depth) {
			if d := math.Abs(float64(got[h*n*depth+i]) - want); d > 1e-6 {
				t.Errorf("head %d, element %d: got %v, want %v", h, i, got[h*n*depth+i], want)
			}
		}
	}
}

func wave(n int, step float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Sin(step * float64(i)))
	}
	return x
}

// loops is attention of one head.
func loops(q, k, v []float32, n, depth int) []float64 {
	out := make([]float64, n*depth)
	for i := range n {
		weights, total := make([]float64, n), 0.0
		for j := range n {
			for d := range depth {
				weights[j] += float64(q[i*depth+d]) * float64(k[j*depth+d])
			}
			weights[j] = math.Exp(weights[j] / math.Sqrt(float64(depth)))
			total += weights[j]
		}
		for j := range n {
			for d := range depth {
				out[i*depth+d] += weights[j] / total * float64(v[j*depth+d])
			}
		}
	}
	return out
}
