// Package workload describes programs to measure: the manifest that lists them, how their inputs are
// filled, the report of a measurement, and when two results of a program agree. The
// inputs are the same bits in every implementation: they come from a formula, not from a library.
package workload
