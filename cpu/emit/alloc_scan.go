package emit

import (
	"fmt"
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

// general registers that are allocated, in order of preference.
var generalOrder = []int8{int8(asm.RCX), int8(asm.R8), int8(asm.R9), int8(asm.R10), int8(asm.R11), int8(asm.RBX),
	int8(asm.R12), int8(asm.R13), int8(asm.R14), int8(asm.R15)}

// usable has a bit for each register of a class that may be used.
func (c *code) usable(k class) uint32 {
	switch {
	case k == genClass:
		var all uint32
		for _, p := range generalOrder {
			all |= 1 << p
		}
		return all
	case k == maskClass:
		return 0xFE
	case c.target.AVX512:
		return 0xFFFFFFFF
	}
	return 0xFFFF
}

// scan gives places to the registers, which live as live says, and returns those for which there was none.
func (c *code) scan(live *liveScan) (spilled []reg, err error) {
	c.phys = zeroed(&c.memory.phys, len(c.regs))
	for i := range c.phys {
		c.phys[i] = -1
	}
	var s [numClasses]scanner
	places := 2*len(c.list) + 2
	frees := zeroed(&c.memory.frees, places*int(numClasses))
	for k := range s {
		s[k] = scanner{code: c, class: class(k), usable: c.usable(class(k)), frees: frees[k*places:][:places]}
	}
	for _, r := range live.order {
		if err := s[c.regs[r].class].place(&live.all[r]); err != nil {
			return nil, err
		}
	}
	for k := range s {
		spilled = append(spilled, s[k].spilled...)
	}
	return spilled, nil
}

// scanner gives places to the registers of a class, in the order in which they start.
type scanner struct {
	code    *code
	class   class
	usable  uint32 // a bit for each register that there is
	taken   [32]*interval
	prices  [32]float64 // of those that are taken
	busy    uint32      // a bit for each register that is taken
	frees   []uint32    // by place: the registers that are taken up to there
	at      int32       // registers that are free in front of there are not busy
	spilled []reg
}

// expire frees the registers of what ends in front of start.
func (s *scanner) expire(start int32) {
	if s.at >= start {
		return
	}
	for _, free := range s.frees[s.at:start] {
		s.busy &^= free
	}
	s.at = start
}

func (s *scanner) isFree(p int8) bool { return s.busy>>p&1 == 0 }

func (s *scanner) place(v *interval) error {
	s.expire(v.start)
	price := s.code.price(v)
	if p := s.free(v); p >= 0 {
		s.give(v, p, price)
		return nil
	}
	victim := s.victim(v, price)
	if s.code.regs[victim.r].tmp {
		return fmt.Errorf("%w: for one instruction", ErrRegisters)
	}
	s.spilled = append(s.spilled, victim.r)
	if victim != v {
		p := s.code.phys[victim.r]
		s.code.phys[victim.r] = -1
		s.frees[victim.end] &^= 1 << p
		s.give(v, p, price)
	}
	return nil
}

// victim is what costs least in memory: v, or what is in a register.
func (s *scanner) victim(v *interval, price float64) *interval {
	if s.class == genClass {
		for _, p := range generalOrder {
			if s.prices[p] < price {
				v, price = s.taken[p], s.prices[p]
			}
		}
		return v
	}
	for rest := s.usable; rest != 0; rest &= rest - 1 {
		if p := bits.TrailingZeros32(rest); s.prices[p] < price {
			v, price = s.taken[p], s.prices[p]
		}
	}
	return v
}

func (s *scanner) give(v *interval, p int8, price float64) {
	s.taken[p], s.prices[p] = v, price
	s.busy |= 1 << p
	s.frees[v.end] |= 1 << p
	s.code.phys[v.r] = p
}

// free returns a register that nobody has, if it can be one that v would like.
func (s *scanner) free(v *interval) int8 {
	for _, h := range v.hints {
		if h == 0 {
			break
		}
		if p := s.code.phys[h]; p >= 0 && s.isFree(p) {
			return p
		}
	}
	left := s.usable &^ s.busy
	if left == 0 {
		return -1
	}
	if s.class != genClass {
		return int8(bits.TrailingZeros32(left))
	}
	for _, p := range generalOrder {
		if s.isFree(p) {
			return p
		}
	}
	return -1
}
