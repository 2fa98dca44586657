//go:build !xla_emulate || !amd64

package exec

// What a build with the tag xla_emulate does otherwise: see emulate.go.

func presented(host Features) Features { return host }

func codeMapped([]byte, int) {}

func unmapCode(mem []byte) { unmapMemory(mem) }
