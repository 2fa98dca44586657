package emit

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/goxla/xla/cpu/asm"
)

// general registers that are allocated, in order of preference.
var generalOrder = []int8{int8(asm.RCX), int8(asm.R8), int8(asm.R9), int8(asm.R10), int8(asm.R11), int8(asm.RBX),
	int8(asm.R12), int8(asm.R13), int8(asm.R14), int8(asm.R15)}

// The registers of all classes are bits of one word: from these on.
var classBits = [numClasses]int8{vecClass: 0, maskClass: 32, genClass: 40}

// usable has a bit for each register of a class that may be used.
func (c *code) usable(k class) (all uint64) {
	switch {
	case k == genClass:
		for _, p := range generalOrder {
			all |= 1 << p
		}
	case k == maskClass:
		all = 0xFE
	case c.target.AVX512:
		all = 0xFFFFFFFF
	default:
		all = 0xFFFF
	}
	return all << classBits[k]
}

// scan gives places to the registers, which live as live says, and returns those for which there was none. Before the
// first vector goes to memory it calls spills; if that changes what vectors cost there, all is to be done again.
func (c *code) scan(live *liveScan, spills func() (changed bool)) (spilled []reg, again bool, err error) {
	c.phys = zeroed(c.memory, &c.memory.phys, len(c.regs))
	for i := range c.phys {
		c.phys[i] = -1
	}
	s := scanner{code: c, frees: zeroed(c.memory, &c.memory.frees, len(c.list)+1)}
	for k := range s.usable {
		s.usable[k] = c.usable(class(k))
	}
	for _, r := range live.order {
		if err := s.place(&live.all[r]); err != nil {
			return nil, false, err
		}
		if spills != nil && len(s.spilled[vecClass]) > 0 {
			if spills() {
				return nil, true, nil
			}
			spills = nil
		}
	}
	return slices.Concat(s.spilled[:]...), false, nil
}

// scanner gives places to the registers, in the order in which they start. Registers are bits of all classes.
type scanner struct {
	code    *code
	usable  [numClasses]uint64
	taken   [64]*interval
	prices  [64]float64 // of those that are taken
	busy    uint64      // what is taken
	frees   []uint64    // by instruction: what is taken up to a place of it
	at      int32       // what is taken up to instructions in front of it is not busy
	spilled [numClasses][]reg
}

// expire frees the registers of what ends in front of start.
func (s *scanner) expire(start int32) {
	n := start / 2
	if s.at < n {
		for _, free := range s.frees[s.at:n] {
			s.busy &^= free
		}
		s.at = n
	}
	if start%2 == 0 {
		return
	}
	for rest := s.frees[n]; rest != 0; rest &= rest - 1 {
		if p := bits.TrailingZeros64(rest); s.taken[p].end < start {
			s.busy &^= 1 << p
			s.frees[n] &^= 1 << p
		}
	}
}

func (s *scanner) place(v *interval) error {
	s.expire(v.start)
	price, k := s.code.price(v), s.code.regs[v.r].class
	if p := s.free(v, k); p >= 0 {
		s.give(v, p, k, price)
		return nil
	}
	victim := s.victim(v, k, price)
	if s.code.regs[victim.r].tmp {
		return fmt.Errorf("%w: for one instruction", ErrRegisters)
	}
	s.spilled[k] = append(s.spilled[k], victim.r)
	if victim != v {
		p := s.code.phys[victim.r] + classBits[k]
		s.code.phys[victim.r] = -1
		s.frees[victim.end/2] &^= 1 << p
		s.give(v, p, k, price)
	}
	return nil
}

// victim is what costs least in memory: v, which is of class k, or what is in a register.
func (s *scanner) victim(v *interval, k class, price float64) *interval {
	if k == genClass {
		for _, p := range generalOrder {
			if p += classBits[k]; s.prices[p] < price {
				v, price = s.taken[p], s.prices[p]
			}
		}
		return v
	}
	for rest := s.usable[k]; rest != 0; rest &= rest - 1 {
		if p := bits.TrailingZeros64(rest); s.prices[p] < price {
			v, price = s.taken[p], s.prices[p]
		}
	}
	return v
}

// give gives v, of class k, register p.
func (s *scanner) give(v *interval, p int8, k class, price float64) {
	s.taken[p], s.prices[p] = v, price
	s.busy |= 1 << p
	s.frees[v.end/2] |= 1 << p
	s.code.phys[v.r] = p - classBits[k]
}

// free returns a register of class k that nobody has, if it can be one that v would like; -1: there is none.
func (s *scanner) free(v *interval, k class) int8 {
	left := s.usable[k] &^ s.busy
	if left == 0 {
		return -1
	}
	for _, h := range v.hints {
		if h == 0 {
			break
		}
		if p := s.code.phys[h]; p >= 0 && left>>(p+classBits[k])&1 != 0 {
			return p + classBits[k]
		}
	}
	if k != genClass {
		return int8(bits.TrailingZeros64(left))
	}
	for _, p := range generalOrder {
		if p += classBits[k]; left>>p&1 != 0 {
			return p
		}
	}
	return -1
}
