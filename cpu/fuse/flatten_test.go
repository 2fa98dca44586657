package fuse

import "testing"

// TestFlatParts: loops of lanes have all rows, few of them twice, and are no longer than tables allow where rows are
// many, whatever divides their number.
func TestFlatParts(t *testing.T) {
	for _, n := range []int{2, 40, 683, 1021, 41666, 50177, 100003, 200000, 200003, 2750159} {
		for _, elements := range []int{2, 3, 7, 12, 48} {
			rows, step := flatParts(n, elements)
			if step < 1 || rows > n || step > rows || (n-rows)%step != 0 {
				t.Errorf("%d rows of %d: %d rows, each %d behind the one before", n, elements, rows, step)
				continue
			}
			parts := (n-rows)/step + 1
			twice, long := float64(parts*rows)/float64(n)-1, n*elements > 2*mostFlat && rows*elements > mostFlat
			if twice > mostRepeated || long {
				t.Errorf("%d rows of %d: %d times %d, %.2f twice", n, elements, parts, rows, twice)
			}
		}
	}
}
