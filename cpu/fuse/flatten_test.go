package fuse

import "testing"

// TestFlatRows: loops of lanes are long and no longer than tables allow where rows are many, whatever divides their
// number, and fill vectors where rows can.
func TestFlatRows(t *testing.T) {
	for _, n := range []int{2, 40, 683, 1021, 41666, 50177, 100003, 200000, 200003, 2750159} {
		for _, elements := range []int{2, 3, 7, 12, 48} {
			rows := flatRows(n, elements)
			lanes := rows * elements
			switch {
			case rows < 1 || rows > n:
				t.Errorf("%d rows of %d: %d rows", n, elements, rows)
			case n*elements > mostFlat && (lanes > mostFlat || lanes < flatLanes/2):
				t.Errorf("%d rows of %d: %d of them in a loop, expected %d..%d lanes, got %d",
					n, elements, rows, flatLanes/2, mostFlat, lanes)
			case n%rows != 0 && lanes%mostLanes != 0:
				t.Errorf("%d rows of %d: %d lanes do not fill vectors", n, elements, lanes)
			}
		}
	}
}
