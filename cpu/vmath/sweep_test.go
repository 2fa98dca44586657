//go:build sweep

package vmath

// With the tag sweep the tests try every number of f32; that takes hours.
const (
	stride32 = 1
	points64 = 400_000
	points2  = 20_000_000
)
