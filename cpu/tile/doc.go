// Package tile is the portable executor of loop nests: it runs on every platform that Go has, and
// wherever code may not be generated. A lane loop runs in tiles of Width iterations: each instruction is one Go
// loop over a tile, so that what it costs to get to the instruction is spread over its
// lanes. Outside of lane loops a vector has one lane.
package tile

// Width is the most lanes of a vector.
const Width = 256
