package loop

import (
	"cmp"
	"slices"
)

// Steps are so many, each Stride elements from the one before, in either direction.
type Steps struct{ Stride, Count int64 }

// DistinctPlaces reports whether all combinations of steps surely lead to different places: each is longer than all
// shorter ones together lead. It sorts list.
func DistinctPlaces(list []Steps) bool {
	for k := range list {
		list[k].Stride = abs(list[k].Stride)
	}
	slices.SortStableFunc(list, func(x, y Steps) int { return cmp.Compare(x.Stride, y.Stride) })
	reach := int64(0) // of those so far
	for _, s := range list {
		if s.Count > 1 && s.Stride <= reach {
			return false
		}
		reach += s.Stride * (s.Count - 1)
	}
	return true
}
