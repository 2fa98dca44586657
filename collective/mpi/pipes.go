//go:build linux && (amd64 || arm64)

package mpi

// pipes are those between this member of a lane and the others, by place. Small parts go through them without a call of
// MPI: that takes longer than the way from core to core.
type pipes struct {
	in, out []pipe
	run     uint32
	parts   []part
	// given and taken count the parts of an operation, by place.
	given, taken []uint8
	// eager is how often one who waits looks for a message before it looks after the rest of the world.
	eager int
}

// spins is how often one looks where each process of the machine has a core: for some microseconds.
const spins = 4000

// pipeMembers is how many members a group with pipes has at most. Each has one to each other one, so their memory grows
// with the square: that of 16 members is 17 MB, that of 512 would be 17 GB, for every group.
const pipeMembers = 16

// piped returns the size of group up to which members on one machine have pipes.
func (o *Options) piped() int { return min(o.Direct, pipeMembers) }

// newPipes returns the pipes of the member at place self in memory that all n members have.
func newPipes(memory []byte, self, n, eager int) *pipes {
	p := &pipes{in: make([]pipe, n), out: make([]pipe, n), given: make([]uint8, n), taken: make([]uint8, n),
		eager: eager}
	for k := range n {
		p.out[k] = pipe{memory: pipeIn(memory, self*n+k), next: 1}
		p.in[k] = pipe{memory: pipeIn(memory, k*n+self), next: 1}
	}
	return p
}

// pipeIn returns the memory of a pipe.
func pipeIn(memory []byte, index int) *[pipeSize]byte {
	return (*[pipeSize]byte)(memory[index*pipeSize:])
}

// begin starts a run.
func (p *pipes) begin(run uint64) {
	if p != nil {
		p.run = uint32(run)
	}
}

// carry reports whether bytes of this size go through pipes, if there are not many of them in an operation.
func (p *pipes) carry(size int) bool { return p != nil && size <= pipeLimit }

// add takes a part, unless it goes by MPI: the other side, which has parts of the same sizes, does the same.
func (p *pipes) add(x part) bool {
	if !p.carry(len(x.bytes)) {
		return false
	}
	count := &p.given[x.place]
	if x.in {
		count = &p.taken[x.place]
	}
	if *count == pipeSlots {
		return false
	}
	*count++
	p.parts = append(p.parts, x)
	return true
}

// give writes the parts that go to others.
func (p *pipes) give(w *waiter) error {
	for i := range p.parts {
		x := &p.parts[i]
		if x.in {
			continue
		}
		mark := w.lane.mark(x)
		for looks := 0; !p.out[x.place].put(x.bytes, p.run, mark); looks++ {
			if err := w.pause(looks); err != nil {
				return err
			}
		}
	}
	return nil
}

// take reads the parts that come, and forgets all.
func (p *pipes) take(w *waiter) error {
	for i := range p.parts {
		x := &p.parts[i]
		if !x.in {
			continue
		}
		mark := w.lane.mark(x)
		for looks := 0; !p.in[x.place].get(x.bytes, p.run, mark); looks++ {
			if err := w.pause(looks); err != nil {
				return err
			}
		}
	}
	clear(p.parts)
	clear(p.given)
	clear(p.taken)
	p.parts = p.parts[:0]
	return nil
}

// pause is what one does who has looked for a message in vain.
func (w *waiter) pause(looks int) error {
	eager := w.lane.pipes.eager
	if looks < eager {
		return nil
	}
	if err := w.look(); err != nil {
		return err
	}
	w.rest(nil, looks-eager)
	return nil
}
