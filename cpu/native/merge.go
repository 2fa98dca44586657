package native

import "github.com/goxla/xla/cpu/order"

// This file sorts by merging halves, in the same way as the evaluator does: comparators need not be orders - with a
// NaN they mostly are none - and the result then depends on what is compared with what.

// merge sets r.order to that of the keys where a NaN makes them less than an order.
func (s *sorter) merge(r *sortRun) {
	r.wide, r.nans = resized(r.wide, len(s.keys)), resized(r.nans, len(s.keys))
	for i, k := range s.keys {
		r.wide[i] = resized(r.wide[i], s.n)
		r.nans[i] = k.wide(r.wide[i], r.in[k.operand], k.loose)
	}
	r.order, r.next = resized(r.order, s.n), resized(r.next, s.n)
	for i := range r.order {
		r.order[i] = uint32(i)
	}
	mergeSort(r.crew, r.order, r.next, func(i, j uint32) bool { return s.less(r, i, j) })
}

// less compares by the keys, one after the other.
func (s *sorter) less(r *sortRun, i, j uint32) bool {
	for n, keys := range r.wide {
		x, y := keys[i], keys[j]
		if x == y || s.keys[n].partial && (x == r.nans[n] || y == r.nans[n]) {
			continue
		}
		return x < y
	}
	return false
}

// mergeLength is the length from which a part looks whether it is to end.
const mergeLength = 1 << 12

// mergeSort sorts places until the crew is to end; spare is as long.
func mergeSort(crew order.Crew, places, spare []uint32, less func(i, j uint32) bool) {
	if len(places) < 2 || len(places) >= mergeLength && crew.Ended() {
		return
	}
	half := len(places) / 2
	mergeSort(crew, places[:half], spare[:half], less)
	mergeSort(crew, places[half:], spare[half:], less)
	copy(spare, places)
	a, b := spare[:half], spare[half:]
	for k := range places {
		if len(b) > 0 && (len(a) == 0 || less(b[0], a[0])) {
			places[k], b = b[0], b[1:]
		} else {
			places[k], a = a[0], a[1:]
		}
	}
}
