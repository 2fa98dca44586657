package cpu

import (
	"unsafe"

	"github.com/goxla/xla/cpu/plan"
)

// swapStep lets two buffers change places.
type swapStep struct{ from, to int }

func (s *swapStep) do(r *run) error {
	r.bufs[s.from], r.bufs[s.to] = r.bufs[s.to], r.bufs[s.from]
	return nil
}

// swappingStep is a loop in which buffers change places. After it they are in their own again.
type swappingStep struct {
	loop  step
	swaps []*plan.Swap
}

func (l *swappingStep) do(r *run) error {
	base := len(r.places)
	for _, s := range l.swaps {
		r.places = append(r.places, r.bufs[s.From], r.bufs[s.To])
	}
	defer l.restore(r, base) // after a panic, too: another run may use the places
	if err := l.loop.do(r); err != nil {
		return err
	}
	for k, s := range l.swaps {
		if to, now := r.places[base+2*k+1], r.bufs[s.To]; unsafe.SliceData(now) != unsafe.SliceData(to) {
			r.copy(to, now, cachedGrain)
		}
	}
	return nil
}

// restore gives each buffer its own place, as they are from number base on.
func (l *swappingStep) restore(r *run, base int) {
	for k, s := range l.swaps {
		r.bufs[s.From], r.bufs[s.To] = r.places[base+2*k], r.places[base+2*k+1]
	}
	clear(r.places[base:])
	r.places = r.places[:base]
}
