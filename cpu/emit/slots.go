package emit

import (
	"fmt"

	"github.com/goxla/xla/cpu/asm"
)

// slot is spill space for a register, of a whole vector if wide, else 8 bytes; it is in use from start to end.
type slot struct {
	wide       bool
	start, end int32
	used       bool
	offset     int32
}

// placeSlots gives the slots their places. Those that are not in use at the same time share one.
func (c *code) placeSlots() error {
	c.slotSpans()
	bytes := int32(scratchBytes)
	for _, wide := range [2]bool{true, false} {
		bytes = c.placeAlike(wide, bytes)
	}
	if bytes > SpillBytes {
		return fmt.Errorf("%w: spills of %d bytes: the limit is %d", ErrRegisters, bytes, SpillBytes)
	}
	for k := range c.list {
		if i := &c.list[k]; i.slot != 0 && (i.in.Place == asm.InLoad || i.in.Place == asm.InStore) {
			i.in.Mem.Disp = c.slots[i.slot-1].offset
		}
	}
	return nil
}

// slotSpans finds from where to where each slot is in use: to the end of each loop that it is in use in front of.
func (c *code) slotSpans() {
	ends := c.loopEnds()
	var open []span
	for k := range c.list {
		i := &c.list[k]
		at := int32(2 * k)
		switch i.kind {
		case loopStart:
			open, ends = append(open, span{at, ends[0]}), ends[1:]
		case loopEnd:
			open = open[:len(open)-1]
		}
		if i.slot == 0 {
			continue
		}
		s := &c.slots[i.slot-1]
		if !s.used {
			s.used, s.start = true, at
		}
		s.end = max(s.end, at)
		for _, o := range open {
			if s.start < o.start {
				s.end = max(s.end, o.end)
				break
			}
		}
	}
}

// placeAlike places the slots of one size from offset bytes on and returns where they end. Slots were made in no order
// of their spans, so each looks for a place whose slots it does not meet.
func (c *code) placeAlike(wide bool, bytes int32) int32 {
	size := int32(8)
	if wide {
		size = int32(c.vl) / 8
	}
	var places [][]*slot
	for k := range c.slots {
		s := &c.slots[k]
		if s.wide != wide || !s.used {
			continue
		}
		n := 0
		for n < len(places) && meets(places[n], s) {
			n++
		}
		if n == len(places) {
			places = append(places, nil)
		}
		places[n] = append(places[n], s)
		s.offset = bytes + int32(n)*size
	}
	return bytes + int32(len(places))*size
}

func meets(place []*slot, s *slot) bool {
	for _, o := range place {
		if o.start <= s.end && s.start <= o.end {
			return true
		}
	}
	return false
}
