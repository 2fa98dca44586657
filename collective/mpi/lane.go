//go:build linux && (amd64 || arm64)

package mpi

import (
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/shape"
)

// lane is a communicator of its own for a group of which each member is in another process. The operations of the group
// go through it one after another, in the order of the program, which is the same in all processes.
type lane struct {
	engine *engine
	index  int // among all lanes of the transport, the same in all processes
	comm   handle
	group  []int  // devices
	self   int    // place of this process in the group
	near   bool   // all members are on one machine
	pipes  *pipes // for small parts, nil if there are none
	// count is how many operations were begun in this run, digest which ones.
	count  atomic.Int64
	digest atomic.Uint64
	// Two rounds are under way at a time at most.
	rounds  [2]round
	parts   []part
	scratch []byte
	came    [][]byte // in scratch
	folds   []folding
	last    lastMeeting
	lost    error // of the operation that failed, after which MPI may have requests of it and no other one is done
}

// folding is an array that MPI is to combine with another one when all parts are there.
type folding struct {
	acc, x []byte
	how    *reduction
}

// lastMeeting is the hash of what the operation before this one was: it mostly is the same one.
type lastMeeting struct {
	op, id string
	hash   uint64
}

// newLane returns the lane of a group with this process at place self.
func newLane(e *engine, index int, comm handle, group []int, self int, near bool) *lane {
	l := &lane{engine: e, index: index, comm: comm, group: group, self: self, near: near}
	for i := range l.rounds {
		l.rounds[i].flight = flight{engine: e, bell: make(chan struct{}, 1)}
	}
	return l
}

// begin starts a run.
func (l *lane) begin(run uint64) {
	l.count.Store(0)
	l.digest.Store(0)
	l.pipes.begin(run)
}

// note adds an operation to the digest by which members find out that they did not execute the same ones. about is
// what they have in common besides.
func (l *lane) note(m *collective.Meeting, about uint64) {
	l.count.Add(1)
	if last := &l.last; last.op != m.Op || last.id != m.ID {
		*last = lastMeeting{m.Op, m.ID, hashStart}
		for _, text := range [2]string{m.Op, m.ID} {
			for i := range len(text) {
				last.hash = mix(last.hash, uint64(text[i]))
			}
		}
	}
	l.digest.Store(mix(mix(l.digest.Load(), about), l.last.hash))
}

// hashStart is where the hash FNV-1a starts.
const hashStart = 0xcbf29ce484222325

// mix is a step of the hash FNV-1a, on words.
func mix(h, v uint64) uint64 { return (h ^ v) * 0x100000001b3 }

// part is bytes that go to a member, or come from it.
type part struct {
	place int
	bytes []byte
	kind  uint8 // of their elements
	in    bool
}

// give has bytes of an array sent to a member, take received from it.
func (l *lane) give(place int, b []byte, t shape.ElementType) { l.add(part{place, b, uint8(t), false}) }
func (l *lane) take(place int, b []byte, t shape.ElementType) { l.add(part{place, b, uint8(t), true}) }

func (l *lane) add(p part) {
	if p.place != l.self && len(p.bytes) > 0 && !l.pipes.add(p) {
		l.parts = append(l.parts, p)
	}
}

// maxTag is the highest number of a message that all libraries take.
const maxTag = 32_767

// mark is what the messages of a part have in common. Those of other operations, sizes or types do not match.
func (l *lane) mark(p *part) uint64 {
	return mix(mix(mix(hashStart, uint64(len(p.bytes))), uint64(p.kind)), uint64(l.count.Load()))
}

// tag is the mark of a message of MPI. The numbers of one operation come again after thousands of others.
func (l *lane) tag(p *part) int {
	h := l.mark(p)
	return int((h ^ h>>29) % maxTag)
}

// address0 returns the address of the first byte.
func address0(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// stageSize is how many bytes of an array are copied into memory of the arena at a time: they stay in the cache.
// They are copied where members are on other machines: a network may have memory of the program registered, and
// learn of its end from nobody.
const stageSize = 256 << 10

// round is what is under way at one time: all of the arrays, or a piece of each.
type round struct {
	flight flight
	memory []byte
	used   int
	copies [][2][]byte // where what has come goes, and where it is
}

// open begins a round with room for so many requests.
func (r *round) open(requests int) {
	r.flight.clear(requests)
	r.used, r.copies = 0, r.copies[:0]
}

// place returns n bytes of the memory of the round, of which there is enough.
func (r *round) place(n int) []byte {
	b := r.memory[r.used : r.used+n]
	r.used += roundUp(n)
	return b
}

// close copies what has come to where it belongs.
func (r *round) close() {
	for _, c := range r.copies {
		copy(c[0], c[1])
	}
}

// exchange sends and receives the parts, and forgets them and what was to be combined unless it fails: then MPI may
// have their addresses.
func (l *lane) exchange(w *waiter) error {
	if l.pipes != nil {
		if err := l.pipes.give(w); err != nil {
			return err
		}
	}
	if len(l.parts) > 0 {
		if err := l.exchangeByMPI(w); err != nil {
			return err
		}
	}
	clear(l.parts)
	clear(l.folds)
	l.parts, l.folds = l.parts[:0], l.folds[:0]
	if l.pipes != nil {
		return l.pipes.take(w)
	}
	return nil
}

// exchangeByMPI sends and receives parts by MPI. Of those that go through memory of the arena a piece each is under way
// while the next ones are copied.
func (l *lane) exchangeByMPI(w *waiter) error {
	last, err := l.exchangeRound(0)
	for n := 0; err == nil; n++ {
		more := !last
		if more {
			if last, err = l.exchangeRound(n + 1); err != nil {
				break
			}
		}
		r := &l.rounds[n%2]
		if err = w.land(&r.flight); err != nil {
			break
		}
		if r.close(); !more {
			break
		}
	}
	return err
}

// exchangeRound begins round n, and reports whether it is the last one.
func (l *lane) exchangeRound(n int) (last bool, err error) {
	r := &l.rounds[n%2]
	requests, size, last := 0, 0, true
	for i := range l.parts {
		p := &l.parts[i]
		if left := len(p.bytes) - n*l.engine.stage; l.near {
			requests += len(p.bytes)/l.engine.chunk + 1
		} else if left > 0 {
			requests, size, last = requests+1, size+roundUp(min(left, l.engine.stage)), last && left <= l.engine.stage
		}
	}
	r.open(requests)
	if _, err := l.engine.arena.enlarge(&r.memory, size); err != nil {
		return false, err
	}
	for i := range l.parts {
		l.exchangePart(r, &l.parts[i], n)
	}
	for _, f := range l.folds {
		r.flight.then(address0(f.x), address0(f.acc), integer(len(f.x)/f.how.width), uintptr(f.how.element),
			uintptr(f.how.operation))
	}
	return last, r.flight.launch()
}

// exchangePart adds round n of a part.
func (l *lane) exchangePart(r *round, p *part, n int) {
	tag := l.tag(p)
	if l.near {
		for b := p.bytes; n == 0 && len(b) > 0; b = b[min(len(b), l.engine.chunk):] {
			l.message(r, p, b[:min(len(b), l.engine.chunk)], tag)
		}
		return
	}
	if n*l.engine.stage >= len(p.bytes) {
		return
	}
	piece := p.bytes[n*l.engine.stage : min(len(p.bytes), (n+1)*l.engine.stage)]
	b := r.place(len(piece))
	if p.in {
		r.copies = append(r.copies, [2][]byte{piece, b})
	} else {
		copy(b, piece)
	}
	l.message(r, p, b, tag)
}

// message adds the request of a message.
func (l *lane) message(r *round, p *part, b []byte, tag int) {
	fn := fnIsend
	if p.in {
		fn = fnIrecv
	}
	r.flight.begin(fn, address0(b), integer(len(b)), uintptr(l.engine.lib.bytes), integer(p.place), integer(tag),
		uintptr(l.comm))
}
