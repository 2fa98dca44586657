//go:build !linux

// Package huge asks for huge pages of memory that is about to be used.
package huge

// Advise does nothing: these systems have no such advice, or decide by themselves.
func Advise([]byte) {}
