// Package looptest makes loop nests for the tests of what executes them: one for each form of each operation, and
// random ones, with data to run them on.
package looptest
