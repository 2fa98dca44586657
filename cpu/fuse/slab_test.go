package fuse

import "testing"

// TestSlab: what is taken is zero, is apart from what was taken before, and does not grow into what is taken next.
func TestSlab(t *testing.T) {
	var s slab[int]
	var all [][]int
	for n := range 3 * mostPiece {
		list := s.take(n % (mostPiece + 9))
		if list == nil || len(list) != n%(mostPiece+9) || cap(list) != len(list) {
			t.Fatalf("%d elements: got %v", n%(mostPiece+9), list)
		}
		for k, x := range list {
			if x != 0 {
				t.Fatalf("%d elements: element %d is %d", len(list), k, x)
			}
			list[k] = n
		}
		all = append(all, list)
	}
	for n, list := range all {
		for k, x := range list {
			if x != n {
				t.Fatalf("list %d: element %d became %d", n, k, x)
			}
		}
	}
}

// TestSlabAgain: what is taken of a slab that begins again is zero.
func TestSlabAgain(t *testing.T) {
	var s slab[int]
	for n := range 3 * mostPiece {
		s = s.again()
		for _, size := range []int{n % mostPiece, 3} {
			for k, x := range s.take(size) {
				if x != 0 {
					t.Fatalf("round %d: element %d is %d", n, k, x)
				}
			}
			list := s.take(2)
			list[0], list[1] = n+1, n+1
		}
	}
}
