package fuse

import "github.com/goxla/xla/hlo"

// set is of instructions of one computation. The zero set is empty.
type set struct {
	words []uint64 // a bit for each, by id
	count int
}

// add adds i, and reports whether it was not in s.
func (s *set) add(i *hlo.Instruction) bool {
	k, bit := i.ID()/64, uint64(1)<<(i.ID()%64)
	if k >= len(s.words) {
		s.words = append(s.words, make([]uint64, k+1-len(s.words))...)
	}
	if s.words[k]&bit != 0 {
		return false
	}
	s.words[k] |= bit
	s.count++
	return true
}
