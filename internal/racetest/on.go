//go:build race

package racetest

// Enabled reports whether the race detector is at work.
const Enabled = true
