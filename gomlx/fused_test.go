package gomlx

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes/float16"
)

// TestAttentionGradient compares the gradients with differences of the forward operation.
func TestAttentionGradient(t *testing.T) {
	for layout := range compute.AttentionAxesLayoutBSHD + 1 {
		for _, causal := range []bool{false, true} {
			t.Run(fmt.Sprint(layout, causal), func(t *testing.T) { attentionGradient(t, layout, causal) })
		}
	}
}

func attentionGradient(t *testing.T, layout compute.AttentionAxesLayout, causal bool) {
	q, k := []int{1, 4, 3, 2}, []int{1, 2, 3, 2} // batch, heads, sequence, size
	if layout == compute.AttentionAxesLayoutBSHD {
		q, k = []int{1, 3, 4, 2}, []int{1, 3, 2, 2}
	}
	inputs := []array{arr(random(1, 24), q...), arr(random(2, 12), k...), arr(random(3, 12), k...),
		arr(random(4, 24), q...)}
	o := &compute.ScaledDotProductAttentionConfig{Causal: causal}
	forward := func(f function, p values) (values, error) {
		y, _, err := f.FusedScaledDotProductAttention(p[0], p[1], p[2], layout, o)
		if err != nil {
			return nil, err
		}
		y, err = f.Mul(y, p[3])
		if err != nil {
			return nil, err
		}
		y, err = f.ReduceSum(y)
		return values{y}, err
	}
	grads := compare(t, inputs, func(f function, p values) (values, error) {
		y, states, err := f.FusedScaledDotProductAttention(p[0], p[1], p[2], layout, o)
		if err != nil {
			return nil, err
		}
		dq, dk, dv, err := f.FusedScaledDotProductAttentionVJP(p[0], p[1], p[2], layout, o, y, states, p[3])
		return values{dq, dk, dv}, err
	})
	b := newBackend(t, "run=interp")
	exe := compileFor(t, b, inputs, forward)
	const step = 1e-2
	for i, g := range grads {
		x := inputs[i].flat.([]float32)
		for j := range x {
			old := x[j]
			x[j] = old + step
			high := results(t, b, exe, inputs)[0].FloatAt(0)
			x[j] = old - step
			low := results(t, b, exe, inputs)[0].FloatAt(0)
			x[j] = old
			if want := (high - low) / (2 * step); math.Abs(g.FloatAt(j)-want) > 2e-3 {
				t.Fatalf("gradient %d, element %d: got %v, want %v", i, j, g.FloatAt(j), want)
			}
		}
	}
}

// ggmlReference returns the value at a place of a block, as the C code of GGML computes it.
var ggmlReference = map[compute.GGMLQuantType]func(w []uint8, i int) float64{
	compute.GGMLQ4_0: func(w []uint8, i int) float64 { return half(w, 0) * float64(int(nibble(w[2:], i, 16))-8) },
	compute.GGMLQ8_0: func(w []uint8, i int) float64 { return half(w, 0) * float64(int8(w[2+i])) },
	compute.GGMLIQ4NL: func(w []uint8, i int) float64 {
		return half(w, 0) * float64(compute.IQ4NLLookupTable[nibble(w[2:], i, 16)])
	},
	compute.GGMLQ2_K: func(w []uint8, i int) float64 {
		n, j, l := i/128, i/32%4, i%32
		s := w[i/16]
		return half(w, 80)*float64(s&15)*float64(w[16+32*n+l]>>(2*j)&3) - half(w, 82)*float64(s>>4)
	},
	compute.GGMLQ3_K: func(w []uint8, i int) float64 {
		n, j, l := i/128, i/32%4, i%32
		s := i / 16
		scale := int(w[96+s%8]>>(4*(s/8))&15) | int(w[104+s%4]>>(2*(s/4))&3)<<4
		v := int(w[32+32*n+l] >> (2 * j) & 3)
		if w[l]>>(4*n+j)&1 == 0 {
			v -= 4
		}
		return half(w, 108) * float64(scale-32) * float64(v)
	},
	compute.GGMLQ4_K: func(w []uint8, i int) float64 {
		scale, low := packedScale(w[4:], i/32)
		return half(w, 0)*scale*float64(nibble(w[16+i/64*32:], i%64, 32)) - half(w, 2)*low
	},
	compute.GGMLQ5_K: func(w []uint8, i int) float64 {
		scale, low := packedScale(w[4:], i/32)
		v := int(nibble(w[48+i/64*32:], i%64, 32)) + 16*int(w[16+i%32]>>(i/32)&1)
		return half(w, 0)*scale*float64(v) - half(w, 2)*low
	},
	compute.GGMLQ6_K: func(w []uint8, i int) float64 {
		n, g, l := i/128, i/32%4, i%32
		low := w[64*n+32*(g%2)+l] >> (4 * (g / 2)) & 15
		v := int(low|w[128+32*n+l]>>(2*g)&3<<4) - 32
		return half(w, 208) * float64(int8(w[192+i/16])) * float64(v)
	},
}

// nibble is number i of those in count bytes: first the low halves, then the high ones.
func nibble(w []uint8, i, count int) uint8 { return w[i%count] >> (4 * (i / count)) & 15 }

// packedScale is the scale and the minimum of group j in the 12 bytes of the formats with a K.
func packedScale(s []uint8, j int) (scale, low float64) {
	if j < 4 {
		return float64(s[j] & 63), float64(s[j+4] & 63)
	}
	return float64(s[j+4]&15 | s[j-4]>>6<<4), float64(s[j+4]>>4 | s[j]>>6<<4)
}

// half is the f16 number at a place.
func half(w []uint8, at int) float64 {
	return float64(float16.FromBits(uint16(w[at]) | uint16(w[at+1])<<8).Float32())
}

// TestGGML looks up rows of every block format, and multiplies with them.
func TestGGML(t *testing.T) {
	const rows, blocks = 3, 2
	for format, reference := range ggmlReference {
		t.Run(format.String(), func(t *testing.T) {
			size, count := format.BytesPerBlock(), format.ValuesPerBlock()
			data := randomBytes(uint64(format), rows*blocks*size)
			for i := 1; i < len(data); i += 2 { // no f16 number is large or NaN, wherever it is
				data[i] &= 0xbf
			}
			want := make([]float64, 0, rows*blocks*count)
			for b := range rows * blocks {
				for i := range count {
					want = append(want, reference(data[b*size:(b+1)*size], i))
				}
			}
			q := &compute.Quantization{Scheme: compute.QuantGGML, GGMLType: format}
			inputs := []array{arr(data, rows, blocks*size), arr([]int32{2, 0}, 2, 1), arr(random(9, blocks*count), 1,
				blocks*count)}
			out := compare(t, inputs, func(f function, p values) (values, error) {
				y, err := f.QuantizedEmbeddingLookup(p[0], p[1], q)
				if err != nil {
					return nil, err
				}
				z, err := f.FusedQuantizedDense(p[2], p[0], nil, q, compute.ActivationNone)
				return values{y, z}, err
			})
			n := blocks * count
			check(t, out[0], append(append([]float64{}, want[2*n:]...), want[:n]...)...)
			for r := range rows {
				sum, size := 0.0, 0.0
				for i, x := range inputs[2].flat.([]float32) {
					sum += float64(x) * want[r*n+i]
					size += math.Abs(float64(x) * want[r*n+i])
				}
				if got := out[1].FloatAt(r); math.Abs(got-sum) > 1e-5*size {
					t.Errorf("product with row %d: got %v, want %v", r, got, sum)
				}
			}
		})
	}
}

// TestQuantizedDense multiplies with weights in blocks, of which the last one may have fewer columns.
func TestQuantizedDense(t *testing.T) {
	const rows, columns = 3, 6
	for _, size := range []int{3, 4} {
		blocks := (columns + size - 1) / size
		weights := []int8{1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16, 17, -18}
		inputs := []array{arr(random(1, 2*rows), 2, rows), arr(weights, rows, columns),
			arr(random(2, rows*blocks), rows, blocks), arr(random(3, rows*blocks), rows, blocks),
			arr(random(4, columns), columns)}
		out := compare(t, inputs, one(func(f function, p values) (compute.Value, error) {
			q := &compute.Quantization{Scheme: compute.QuantLinear, Scale: p[2], ZeroPoint: p[3], BlockAxis: 1, BlockSize: size}
			return f.FusedQuantizedDense(p[0], p[1], p[4], q, compute.ActivationNone)
		}))
		x, scale, zero := inputs[0].flat.([]float32), inputs[2].flat.([]float32), inputs[3].flat.([]float32)
		want := make([]float64, 0, 2*columns)
		for i := range 2 {
			for c := range columns {
				sum := float64(inputs[4].flat.([]float32)[c])
				for r := range rows {
					b := r*blocks + c/size
					sum += float64(x[i*rows+r]) * (float64(weights[r*columns+c])*float64(scale[b]) + float64(zero[b]))
				}
				want = append(want, sum)
			}
		}
		check(t, out[0], want...)
	}
}
