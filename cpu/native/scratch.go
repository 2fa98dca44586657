package native

import "github.com/goxla/xla/cpu/order"

// scratch is the memory that a sort takes beside its operands and results, on machine code and so many threads. The
// zeros and NaNs that a sort of values puts aside are not counted.
func (s *sorter) scratch(threads int) int64 {
	workers := min(threads, s.count)
	if s.shared(threads) {
		workers = 1
	}
	row, group := 0, min(s.count, max(1, groupBytes/8/max(1, s.n)))
	for _, size := range s.sizes {
		row += s.n * size
	}
	bytes := 0
	if s.inner != 1 {
		bytes = 2 * group * row
	}
	switch {
	case len(s.keys) == 0:
		bytes += 2 * 4 * group * s.n
	case len(s.keys) == 1 && len(s.sizes) == 1 && s.keys[0].bits() < 32:
		bytes += row
	case len(s.keys) > 1 || len(s.sizes) > 1:
		bytes += 8 * s.n
	}
	if len(s.keys) > 1 || len(s.keys) == 1 && len(s.sizes) > 1 && s.keys[0].bits() > 32 {
		bytes += 4 * s.n
	}
	return int64(workers) * int64(bytes)
}

// scratch is that of a top-k.
func (s *topK) scratch(threads int) int64 {
	workers := min(threads, s.count)
	switch {
	case s.large() && s.shared(threads):
		return int64(8*s.n + 4*s.k)
	case s.large():
		return int64(workers) * int64(8*s.n+4*s.k)
	case s.shared(threads):
		workers = chunksPerThread * threads
	}
	list := max(4*firstCandidates, collected*s.k) + order.Slack
	return int64(workers) * int64(list*(8+4*max(4, s.sizes[0]))+4*s.k)
}
