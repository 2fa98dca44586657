// Package racetest tells tests whether they run under the race detector, which makes Go code ten times slower and
// leaves machine code as it is: what is done by several threads is done there, too, but is not compared with an
// evaluation in Go again.
package racetest
