// Package gomlx makes github.com/goxla/xla a backend of GoMLX, without cgo and without plugins:
//
//	import _ "github.com/goxla/xla/gomlx"
//
// and GOMLX_BACKEND=goxla in the environment. A configuration may follow the name:
// goxla:threads=4,devices=2 (see New).
//
// # How it works
//
// GoMLX builds a graph by calling the methods of a Function. Each call checks its shapes at once and
// records a node that knows how to write itself as HLO. Compile lowers the nodes that the results need
// to an HLO module, which the compiler of package xla turns into machine code. A graph with dynamic
// shapes is lowered once for each combination of sizes that it is run with, and cached.
package gomlx
