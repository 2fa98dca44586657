package cpu

import "testing"

// TestCopying: a part is copied grain by grain, all of it and nothing else.
func TestCopying(t *testing.T) {
	from, to := make([]byte, 1000), make([]byte, 1000)
	for k := range from {
		from[k] = byte(1 + k%251)
	}
	for _, part := range [][2]int{{0, 0}, {5, 20}, {100, 164}, {201, 777}, {990, 1000}} {
		clear(to)
		c := copying{from, to, 64}
		c.Do(0, part[0], part[1])
		for k, x := range to {
			want := byte(0)
			if part[0] <= k && k < part[1] {
				want = from[k]
			}
			if x != want {
				t.Fatalf("part %v: [%d]: expected %d, got %d", part, k, want, x)
			}
		}
	}
}
