package main

import "strings"

// knownTests are the tests that fail or are skipped for reasons that are not the backend's, by prefix.
var knownTests = []struct{ prefix, reason string }{
	{"TestBitcastSubByteDTypes/", "skipped on every backend, for a bug of XLA"},
	{"TestDotGeneralDTypes", "skipped without a flag of its own"},
	{"TestFusionThroughput", "skipped without a flag of its own: a measurement"},
	{"TestFusionMemoryProbe", "skipped without a flag of its own: a measurement on CUDA"},
}

// known returns why a test is known to fail or to be skipped; "" if it is not.
func known(test string) string {
	for _, k := range knownTests {
		if strings.HasPrefix(test, k.prefix) {
			return k.reason
		}
	}
	return ""
}
