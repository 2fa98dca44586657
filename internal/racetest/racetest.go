// Package racetest tells tests whether they run under the race detector, which makes Go code ten times slower and
// leaves machine code as it is: what is done by several threads is done there, too, but is not compared with an
// evaluation in Go again.
package racetest

import "slices"

// Threads are the numbers of threads of a test. Where the race detector is at work one thread, of which it can see
// nothing, is left out.
func Threads(numbers ...int) []int {
	if Enabled {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n == 1 })
	}
	return numbers
}
