package main

import (
	"strings"
	"testing"
	"time"
)

// TestTable reads what benchmarks and GoMLX's tables print, takes the least time of each row, and names slower rows.
func TestTable(t *testing.T) {
	r := newResults()
	for c, text := range []string{
		"BenchmarkSuite/DotGeneral/a-2  10  9000 ns/op\n", "BenchmarkSuite/DotGeneral/a-2  10  4000 ns/op\nPASS\n",
		"BenchmarkSuite/DotGeneral/a-2  10  5000 ns/op\nBenchmarkSuite/DotGeneral/a-2  10  4500.5 ns/op\n",
	} {
		r.add(c, "suite", parseBenchmarks([]byte(text)))
	}
	for c, text := range []string{"30µs", "2ms", "10µs"} {
		line := "| Test Name | LHS Dims |\n| `x` | {1, 2} | {2, 3} | Transposed | Float32 | 1 | " + text +
			" | 1_024 | 0.1 |\n"
		r.add(c, "products", parseTable([]byte(line)))
	}
	if got := r.times[[2]string{"suite", "DotGeneral/a"}]; got == nil || got[ours] != 4500*time.Nanosecond {
		t.Errorf("got %v", r.times)
	}
	var out strings.Builder
	if err := r.write(&out, options{turns: 1, seconds: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Of 2 rows, 1 are slower than the better of both builds: DotGeneral/a.", "2.4 times in 2 rows of products",
		"| DotGeneral/a | 9.00 | 4.00 | 4.50 | 2.00 | 0.89 |",
		"| x Float32 Transposed | 30.00 | 2000.00 | 10.00 | 3.00 | 3.00 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("expected %q in\n%s", want, out.String())
		}
	}
}
