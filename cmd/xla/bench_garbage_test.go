package main

import "testing"

// TestPercentFor: a collection is for several results, as far as they are small; the heap stays small, too.
func TestPercentFor(t *testing.T) {
	const mb = 1 << 20
	for _, test := range []struct {
		name          string
		results, live int64
		want          int
	}{
		{"a scalar", 4, mb, garbagePercent},
		{"results that are small beside what is alive", 256 << 10, mb, garbagePercent},
		{"1 MB of 1 MB", mb, 2 * mb, 175},
		{"2 MB of nothing", 2 * mb, mb, 275},
		{"4 MB of nothing", 4 * mb, mb, 400},
		{"4 MB of 4 MB", 4 * mb, 9 * mb, garbagePercent},
		{"large results", 64 * mb, 65 * mb, garbagePercent},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := percentFor(test.results, test.live); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}
