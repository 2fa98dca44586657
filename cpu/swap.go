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
	err := l.loop.do(r)
	for k, s := range l.swaps {
		from, to := r.places[base+2*k], r.places[base+2*k+1]
		if now := r.bufs[s.To]; err == nil && unsafe.SliceData(now) != unsafe.SliceData(to) {
			r.copy(to, now, cachedGrain)
		}
		r.bufs[s.From], r.bufs[s.To] = from, to
	}
	clear(r.places[base:])
	r.places = r.places[:base]
	return err
}
