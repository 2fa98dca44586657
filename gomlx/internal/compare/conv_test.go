package main

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
)

// convolution is one of images with channels last, padded so that with stride 1 the size stays.
type convolution struct {
	name             string
	image            []int // batch, spatial sizes, channels
	window, channels int   // of the kernel, and of the result
	stride, groups   int
	first            bool // channels are the first axis after the batch
}

// BenchmarkConvolution has layers of networks for images and signals.
func BenchmarkConvolution(b *testing.B) {
	var list []program
	for _, c := range []convolution{
		{"3x3/8x56x56x64_to_64", []int{8, 56, 56, 64}, 3, 64, 1, 1, false},
		{"3x3/first/8x64x56x56_to_64", []int{8, 64, 56, 56}, 3, 64, 1, 1, true},
		{"3x3/stride2/8x28x28x128_to_256", []int{8, 28, 28, 128}, 3, 256, 2, 1, false},
		{"1x1/8x28x28x256_to_128", []int{8, 28, 28, 256}, 1, 128, 1, 1, false},
		{"7x7/stride2/2x224x224x3_to_64", []int{2, 224, 224, 3}, 7, 64, 2, 1, false},
		{"3x3/depthwise/8x28x28x128", []int{8, 28, 28, 128}, 3, 128, 1, 128, false},
		{"3x3/groups4/8x28x28x64_to_64", []int{8, 28, 28, 64}, 3, 64, 1, 4, false},
		{"3x3/64x8x8x1_to_16", []int{64, 8, 8, 1}, 3, 16, 1, 1, false},
		{"3x3/64x8x8x16_to_32", []int{64, 8, 8, 16}, 3, 32, 1, 1, false},
		{"5/16x512x64_to_64", []int{16, 512, 64}, 5, 64, 1, 1, false},
	} {
		list = append(list, c.program())
	}
	measure(b, list)
}

func (c convolution) program() program {
	spatial := len(c.image) - 2
	axes := compute.ConvolveAxesConfig{InputChannels: spatial + 1, KernelInputChannels: spatial,
		KernelOutputChannels: spatial + 1, OutputChannels: spatial + 1}
	shift := 1
	if c.first {
		axes.InputChannels, axes.OutputChannels, shift = 1, 1, 2
	}
	for i := range spatial {
		axes.InputSpatial = append(axes.InputSpatial, i+shift)
		axes.KernelSpatial = append(axes.KernelSpatial, i)
		axes.OutputSpatial = append(axes.OutputSpatial, i+shift)
	}
	kernel := append(slices.Repeat([]int{c.window}, spatial), c.image[axes.InputChannels]/c.groups, c.channels)
	strides := slices.Repeat([]int{c.stride}, spatial)
	padding := slices.Repeat([][2]int{{c.window / 2, c.window / 2}}, spatial)
	return program{c.name, [][]int{c.image, kernel}, func(f compute.Function, p []compute.Value) (compute.Value, error) {
		return f.ConvGeneral(p[0], p[1], axes, strides, padding, nil, nil, c.groups, 1)
	}}
}
