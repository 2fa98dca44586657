package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestReport: only what passed, or is known with its reason, is right.
func TestReport(t *testing.T) {
	passed := []event{{"run", "p", "TestA", ""}, {"pass", "p", "TestA", ""}, {"pass", "p", "", ""}}
	knownSkip := []event{{"run", "q", "TestFusionThroughput", ""},
		{"output", "q", "TestFusionThroughput", "needs -bench_fusion"}, {"skip", "q", "TestFusionThroughput", ""}}
	fail := func(test string) []event {
		return []event{{"run", "q", test, ""}, {"fail", "q", test, ""}, {"fail", "q", "", ""}}
	}
	tests := []struct {
		name   string
		events [][]event
		ok     bool
		last   string
	}{
		{"all pass", [][]event{passed}, true, "1 passed, 0 failed, 0 skipped"},
		{"none", nil, false, "0 passed, 0 failed, 0 skipped"},
		{"known skip", [][]event{passed, knownSkip, {{"pass", "q", "", ""}}}, true, "1 passed, 0 failed, 1 skipped"},
		{"skip", [][]event{passed, {{"run", "q", "TestB", ""}, {"skip", "q", "TestB", ""}}}, false,
			"1 passed, 0 failed, 1 skipped"},
		{"fail", [][]event{passed, fail("TestB")}, false, "1 passed, 1 failed, 0 skipped"},
		{"a test of the name of a known one", [][]event{passed, fail("TestStreaming")}, false,
			"1 passed, 1 failed, 0 skipped"},
		{"subtests", [][]event{passed, {{"run", "p", "TestB", ""}, {"run", "p", "TestB/x", ""}, {"pass", "p", "TestB/x", ""},
			{"pass", "p", "TestB", ""}}}, true, "2 passed, 0 failed, 0 skipped"},
		{"fail beside subtests", [][]event{passed, {{"pass", "q", "TestB/x", ""}}, fail("TestB")}, false,
			"2 passed, 1 failed, 0 skipped"},
		{"fail in a subtest", [][]event{passed, {{"fail", "q", "TestB/x", ""}}, fail("TestB")}, false,
			"1 passed, 1 failed, 0 skipped"},
		{"end of the process in a test", [][]event{passed, {{"run", "q", "TestB", ""}, {"fail", "q", "", ""}}}, false,
			"1 passed, 1 failed, 0 skipped"},
		{"end of the process after a known skip", [][]event{passed, knownSkip, {{"fail", "q", "", ""}}}, false,
			"1 passed, 0 failed, 1 skipped"},
		{"no build", [][]event{passed, {{"build-output", "q", "", "undefined: x"}, {"fail", "q", "", ""}}}, false,
			"1 passed, 0 failed, 0 skipped"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var data []byte
			for _, list := range test.events {
				for _, e := range list {
					line, err := json.Marshal(e)
					if err != nil {
						t.Fatal(err)
					}
					data = append(append(data, line...), '\n')
				}
			}
			var out strings.Builder
			ok, err := report(&out, data, false)
			if err != nil || ok != test.ok || !strings.HasSuffix(out.String(), test.last+"\n") {
				t.Errorf("got %v, %v, want %v\n%s", ok, err, test.ok, out.String())
			}
		})
	}
}
