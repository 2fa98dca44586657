package emit

import "math"

// On AVX2 four elements are read into either half of a vector by one instruction, and shuffled there by another. Where
// lanes are near each other in the first four elements, but not in each vector as far as the fourth, vectors may read
// all of four nevertheless: from further in front, if else they would read behind the last element that a lane reads.
// The features of a group are read so that have three or four output features each.

// startOfNear is a vector of lanes: the index of the first, and how far the others are from it.
type startOfNear struct {
	first int64
	at    []uint64
}

// isFour reports whether each vector reads four elements.
func (n *near) isFour() bool { return n.fixed && n.last == 3 }

// readsFours reports whether vectors may read four elements where lanes read less: elements between those that lanes
// read are there, unless lanes have masks.
func (g *gen) readsFours(n *near) bool {
	return !g.c.target.AVX512 && g.lanes.clear == nil && n.low && n.last > 0 && !n.isFour()
}

// fours has all vectors of the list read four elements, and reports whether they do.
func (n *near) fours(list []startOfNear) bool {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range list {
		least, most = min(least, v.first), max(most, v.first+int64(v.at[len(v.at)-1]))
	}
	last := most - 3 // where four begin, at most
	for _, v := range list {
		if v.first-last+int64(v.at[len(v.at)-1]) > 3 {
			return false
		}
	}
	if len(list) == 0 || last < least {
		return false
	}
	for k := range list {
		v := &list[k]
		if back := v.first - last; back > 0 {
			v.first = last
			for lane := range v.at {
				v.at[lane] += uint64(back)
			}
		}
	}
	n.last, n.fixed, n.same = 3, true, false
	return true
}
