//go:build !sweep

package vmath

// How much the tests try: every stride32-th number of f32, points64 numbers of f64.
const (
	stride32 = 997
	points64 = 12_000
	points2  = 200_000
)
