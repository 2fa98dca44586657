package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
)

// visit is the element of an instruction at an index, where a mask is on; 0: everywhere.
type visit struct {
	inst  *hlo.Instruction
	at    place
	guard loop.Value
}

// heads are of lists of what has hashes that end alike: 1 more than the last of each list, 0: none. Few things are
// looked through one by one, and are in no list.
type heads []int32

// of returns the head of the list of hash h.
func (s heads) of(h uint32) *int32 { return &s[h&uint32(len(s)-1)] }

// added has link put the last of n things in front of its list, or all where there are too few lists for them.
func (s *heads) added(n int, link func(k int)) {
	switch {
	case n > fewVisits && n > len(*s):
		*s = make(heads, max(4*fewVisits, 2*len(*s)))
		for k := range n {
			link(k)
		}
	case len(*s) > 0:
		link(n - 1)
	}
}

// visits are those noted so far, in order.
type visits struct {
	list  []noted
	heads heads
}

// noted is a visit; next is 1 more than the one noted before it in the same list.
type noted struct {
	visit
	next int32
}

// fewVisits is how many visits are looked through one by one.
const fewVisits = 8

func (s *visits) head(v *visit) *int32 {
	return s.heads.of(uint32(v.inst.ID())*31 ^ uint32(v.at))
}

// find returns the number of the last visit noted that is v, or v without a mask, and -1 if there is none.
func (s *visits) find(v visit) int {
	if len(s.heads) == 0 {
		for k := len(s.list) - 1; k >= 0; k-- {
			if s.list[k].covers(&v) {
				return k
			}
		}
		return -1
	}
	k := *s.head(&v)
	for k > 0 && !s.list[k-1].covers(&v) {
		k = s.list[k-1].next
	}
	return int(k) - 1
}

func (v *visit) covers(o *visit) bool {
	return v.inst == o.inst && v.at == o.at && (v.guard == 0 || v.guard == o.guard)
}

// note adds v and returns its number.
func (s *visits) note(v visit) int {
	if s.list == nil {
		s.list = make([]noted, 0, fewVisits)
	}
	s.list = append(s.list, noted{visit: v})
	s.heads.added(len(s.list), s.link)
	return len(s.list) - 1
}

// link puts visit k in front of its list.
func (s *visits) link(k int) {
	head := s.head(&s.list[k].visit)
	s.list[k].next, *head = *head, int32(k)+1
}

// first notes v, and reports whether it was not noted before.
func (s *visits) first(v visit) bool {
	if s.find(v) >= 0 {
		return false
	}
	s.note(v)
	return true
}

// cut forgets all but the first n.
func (s *visits) cut(n int) {
	for k := len(s.list) - 1; k >= n && len(s.heads) > 0; k-- {
		*s.head(&s.list[k].visit) = s.list[k].next
	}
	clear(s.list[n:])
	s.list = s.list[:n]
}

// place numbers the indices that occur: equal ones have the same number.
type place int32

// nowhere is the place of an index that is not known.
const nowhere place = -1

// places gives indices their numbers.
type places struct {
	words []int64 // that tell indices from each other, one index behind the other
	list  []numbered
	heads heads
}

// numbered is an index whose words end at end.
type numbered struct {
	hash      uint32
	end, next int32
}

// of returns the number of idx.
func (p *places) of(idx []Expr) place {
	if p.words == nil {
		p.words, p.list = make([]int64, 0, 4*fewVisits), make([]numbered, 0, fewVisits)
	}
	begin := len(p.words)
	for _, e := range idx {
		p.words = append(p.words, e.Const, int64(len(e.Terms)))
		for _, t := range e.Terms {
			p.words = append(p.words, int64(t.Var), t.Stride)
		}
	}
	h := hashOf(p.words[begin:])
	if k := p.find(h, p.words[begin:]); k >= 0 {
		p.words = p.words[:begin]
		return place(k)
	}
	p.list = append(p.list, numbered{hash: h, end: int32(len(p.words))})
	p.heads.added(len(p.list), p.link)
	return place(len(p.list) - 1)
}

// forget takes all numbers back.
func (p *places) forget() {
	p.words, p.list = p.words[:0], p.list[:0]
	clear(p.heads)
}

// find returns the number of an index, -1 if it has none.
func (p *places) find(h uint32, words []int64) int {
	if len(p.heads) == 0 {
		for k := range p.list {
			if p.is(k, h, words) {
				return k
			}
		}
		return -1
	}
	k := *p.heads.of(h)
	for k > 0 && !p.is(int(k)-1, h, words) {
		k = p.list[k-1].next
	}
	return int(k) - 1
}

// is reports whether index k is that of words.
func (p *places) is(k int, h uint32, words []int64) bool {
	begin := int32(0)
	if k > 0 {
		begin = p.list[k-1].end
	}
	return p.list[k].hash == h && slices.Equal(p.words[begin:p.list[k].end], words)
}

// link puts index k in front of its list.
func (p *places) link(k int) {
	head := p.heads.of(p.list[k].hash)
	p.list[k].next, *head = *head, int32(k)+1
}

// hashOf mixes words.
func hashOf(words []int64) uint32 {
	const odd = 0x9E3779B97F4A7C15 // a fraction of 2^64 without a pattern
	h := uint64(len(words))
	for _, w := range words {
		h = (h ^ uint64(w)) * odd
		h ^= h >> 32
	}
	return uint32(h)
}
