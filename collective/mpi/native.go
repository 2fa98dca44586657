//go:build linux && (amd64 || arm64)

package mpi

import (
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/shape"
)

// This file holds what MPI does as a whole in large groups: gathering, exchanging, and reductions whose result does
// not depend on the order, or whose order is given up.

// reduction is what MPI calls an element type and an operation on it.
type reduction struct {
	element   handle
	width     int // in bytes
	operation handle
	kernel    kernel // that does the same; nil if there is none
}

// reductionKey is a reduction as the communicator is asked for it.
type reductionKey struct {
	t    shape.ElementType
	kind collective.ReduceKind
}

// reducible says which element of MPI stands for a type, and for which reductions: up to the kind last.
type reducible struct {
	t           shape.ElementType
	element     element
	width       int
	first, last collective.ReduceKind
}

// ordered are the reductions that are the same bits in any order. Sums and products of narrow integers are not
// among them: Open MPI 5 adds bytes and 16-bit integers with saturation where the CPU can, and types of less than 8
// bits, which are held in bytes, would not wrap around where they must. Minimum and maximum of floats differ in
// what they do with NaN and -0.
func ordered() []reducible {
	const sum, least, last = collective.ReduceSum, collective.ReduceMin, collective.ReduceXor
	return []reducible{
		{shape.S32, int32s, 4, sum, last}, {shape.S64, int64s, 8, sum, last},
		{shape.U32, uint32s, 4, sum, last}, {shape.U64, uint64s, 8, sum, last},
		{shape.S8, int8s, 1, least, last}, {shape.S16, int16s, 2, least, last}, {shape.U8, uint8s, 1, least, last},
		{shape.U16, uint16s, 2, least, last}, {shape.S1, int8s, 1, least, last}, {shape.S2, int8s, 1, least, last},
		{shape.S4, int8s, 1, least, last}, {shape.U1, uint8s, 1, least, last}, {shape.U2, uint8s, 1, least, last},
		{shape.U4, uint8s, 1, least, last}, {shape.Pred, uint8s, 1, least, last},
	}
}

// reordered are those that round differently in another order. The sum of complex numbers is that of their parts.
func reordered() []reducible {
	const sum, product = collective.ReduceSum, collective.ReduceProduct
	return []reducible{{shape.F32, float32s, 4, sum, product}, {shape.F64, float64s, 8, sum, product},
		{shape.C64, float32s, 4, sum, sum}, {shape.C128, float64s, 8, sum, sum}}
}

// nativeReductions returns the reductions that MPI may do.
func nativeReductions(c *constants, reorder bool) map[reductionKey]*reduction {
	rows, list := ordered(), map[reductionKey]*reduction{}
	if reorder {
		rows = append(rows, reordered()...)
	}
	for _, row := range rows {
		for kind := row.first; kind <= row.last; kind++ {
			list[reductionKey{row.t, kind}] = &reduction{c.elements[row.element], row.width, c.reductions[kind],
				kernelOf(row.element, kind)}
		}
	}
	return list
}

// sharedOut is how many times as much MPI combines at a time, because it shares that out.
const sharedOut = 4

// reducePieces has MPI combine the bytes of an array, piece by piece: the next one is begun, and copied where
// memory of the arena is used, before one is waited for.
func (l *lane) reducePieces(w *waiter, recv, send []byte, how *reduction) error {
	l.parts = append(l.parts, part{bytes: recv}, part{bytes: send}) // kept if it fails: MPI has their addresses
	piece := min(sharedOut*l.engine.stage/how.width*how.width, l.engine.chunk/how.width*how.width)
	count := (len(send) + piece - 1) / piece
	for n := range count + 1 {
		if n < count {
			first, end := n*piece, min(len(send), (n+1)*piece)
			if err := l.reducePiece(&l.rounds[n%2], recv[first:end], send[first:end], how); err != nil {
				return err
			}
		}
		if n == 0 {
			continue
		}
		r := &l.rounds[(n-1)%2]
		if err := w.land(&r.flight); err != nil {
			return err
		}
		r.close()
	}
	clear(l.parts)
	l.parts = l.parts[:0]
	return nil
}

// reducePiece begins to combine a piece.
func (l *lane) reducePiece(r *round, recv, send []byte, how *reduction) error {
	r.open(1)
	from, to := address0(send), address0(recv)
	if l.near && from == to {
		from = l.engine.lib.inPlace
	}
	if !l.near {
		memory, err := l.engine.arena.enlarge(&r.memory, 2*roundUp(len(send)))
		if err != nil {
			return err
		}
		a, b := memory[:len(send)], memory[roundUp(len(send)):][:len(send)]
		copy(a, send)
		r.copies = append(r.copies, [2][]byte{recv, b})
		from, to = address0(a), address0(b)
	}
	r.flight.begin(fnIallreduce, from, to, integer(len(send)/how.width), uintptr(how.element), uintptr(how.operation),
		uintptr(l.comm))
	return r.flight.launch()
}

// reduceScatterNative has MPI combine the arrays that are sent to each member.
func (l *lane) reduceScatterNative(w *waiter, recv []byte, send [][]byte, how *reduction) error {
	piece := l.pieceSize() / how.width * how.width
	return l.pieces(w, [][]byte{recv}, send, max(piece, how.width), func(r *round, given, came []byte) {
		r.flight.begin(fnIreduceScatterBlock, address0(given), address0(came), integer(len(came)/how.width),
			uintptr(how.element), uintptr(how.operation), uintptr(l.comm))
	})
}

// gather has MPI give send to all members, and sets recv[k] to what member k sends.
func (l *lane) gather(w *waiter, recv [][]byte, send []byte) error {
	return l.pieces(w, recv, [][]byte{send}, l.pieceSize(), func(r *round, given, came []byte) {
		r.flight.begin(fnIallgather, address0(given), integer(len(given)), uintptr(l.engine.lib.bytes), address0(came),
			integer(len(given)), uintptr(l.engine.lib.bytes), uintptr(l.comm))
	})
}

// trade has MPI give send[k] to member k, and sets recv[k] to what member k gives.
func (l *lane) trade(w *waiter, recv, send [][]byte) error {
	return l.pieces(w, recv, send, l.pieceSize(), func(r *round, given, came []byte) {
		each := integer(len(came) / len(recv))
		r.flight.begin(fnIalltoall, address0(given), each, uintptr(l.engine.lib.bytes), address0(came), each,
			uintptr(l.engine.lib.bytes), uintptr(l.comm))
	})
}

// spread has MPI give the bytes of one member to all.
func (l *lane) spread(w *waiter, root int, recv []byte) error {
	return l.pieces(w, [][]byte{recv}, [][]byte{recv}, l.pieceSize(), func(r *round, given, came []byte) {
		copy(came, given) // it is one buffer, of which the others' contents do not count
		r.flight.begin(fnIbcast, address0(came), integer(len(came)), uintptr(l.engine.lib.bytes), integer(root),
			uintptr(l.comm))
	})
}

// pieceSize returns how many bytes of an array go at a time, of which there are as many as members.
func (l *lane) pieceSize() int { return min(l.engine.stage, max(1, l.engine.chunk/len(l.group))) }

// pieces calls begin for the bytes of arrays piece by piece: given has a piece of each of those sent one behind the
// other, and came room for those to be received.
func (l *lane) pieces(w *waiter, recv, send [][]byte, piece int, begin func(r *round, given, came []byte)) error {
	whole := len(send[0])
	if whole == 0 {
		return nil
	}
	count := (whole + piece - 1) / piece
	for n := range count + 1 {
		if n < count {
			if err := l.piece(&l.rounds[n%2], recv, send, n*piece, min(whole, (n+1)*piece), begin); err != nil {
				return err
			}
		}
		if n == 0 {
			continue
		}
		r := &l.rounds[(n-1)%2]
		if err := w.land(&r.flight); err != nil {
			return err
		}
		r.close()
	}
	return nil
}

// piece begins the bytes [first, end) of arrays.
func (l *lane) piece(r *round, recv, send [][]byte, first, end int, begin func(r *round, given, came []byte)) error {
	n := end - first
	r.open(1)
	if _, err := l.engine.arena.enlarge(&r.memory, roundUp(len(send)*n)+len(recv)*n); err != nil {
		return err
	}
	given, came := r.place(len(send)*n), r.memory[roundUp(len(send)*n):][:len(recv)*n]
	for k, b := range send {
		copy(given[k*n:], b[first:end])
	}
	for k, b := range recv {
		r.copies = append(r.copies, [2][]byte{b[first:end], came[k*n : (k+1)*n]})
	}
	begin(r, given, came)
	return r.flight.launch()
}
