package main

import "strings"

// knownTests are the tests that fail or are skipped for reasons that are not the backend's: by a prefix of their
// names, and by what they say.
var knownTests = []struct{ prefix, says, reason string }{
	{"TestFusionThroughput", "-bench_fusion", "skipped without a flag of its own: a measurement"},
	{"TestFusionMemoryProbe", "-mem_probe", "skipped without a flag of its own: a measurement on CUDA"},
	{"TestGeneratorSampling/", refusedBroadcast, ownRefusal},
	{"TestStreaming", refusedBroadcast, ownRefusal},
	{"TestDynamicShapesAndBucketing/", refusedBroadcast, ownRefusal},
}

// What GoMLX says to the model of its tests of generators, before it asks the backend for anything.
const (
	refusedBroadcast = "DynamicBroadcastToShape: cannot broadcast axis 0 (dimension 1) to dynamic dimension"
	ownRefusal       = "GoMLX refuses the model of the test on every backend with dynamic shapes"
)

// known returns why a test that said log is known to fail or to be skipped; "" if it is not.
func known(test, log string) string {
	for _, k := range knownTests {
		if strings.HasPrefix(test, k.prefix) && strings.Contains(log, k.says) {
			return k.reason
		}
	}
	return ""
}
