package tile

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
)

// place computes where the lanes of an access are: the first, and the step from one to the next, and for
// an index that varies its register.
type place struct {
	offset int64
	terms  []loop.Term
	step   int64
	// index is the register of the index value, wide is set if every lane has its own.
	index  int
	kind   loop.Kind
	varies bool
}

func (c *compiler) place(a *loop.Access) place {
	p := place{offset: a.Offset, terms: a.Terms, index: -1}
	for _, t := range a.Terms {
		if t.Var == c.lane {
			p.step = t.Stride
		}
	}
	if a.Index != 0 {
		p.index, p.kind = c.slot[a.Index], c.nest.Kind(a.Index)
		p.varies = c.inLanes[a.Index]
	}
	return p
}

func (p *place) at(f *frame, lane int) int64 {
	if p.kind == loop.I64 {
		return int64(f.i64[p.index][lane])
	}
	return int64(int32(f.i32[p.index][lane]))
}

// start is the address of lane 0, without an index that varies.
func (p *place) start(f *frame) int64 {
	at := p.offset
	for _, t := range p.terms {
		at += t.Stride * f.vars[t.Var]
	}
	if p.index >= 0 && !p.varies {
		at += p.at(f, 0)
	}
	return at
}

// transfer is how memory of type M is seen as lanes of type R.
type transfer[M, R number | uint8 | uint16] struct {
	view  func(v *view) []M
	load  func(M) R
	store func(R) M
}

// loader compiles a load: dst register, place, mask register or -1.
func loader[M, R number | uint8 | uint16](t transfer[M, R], reg func(*frame) [][]R) access {
	return func(buf, dst int, p place, mask int) instr {
		return func(f *frame, n int) {
			from, to := t.view(&f.bufs[buf]), reg(f)[dst][:n]
			at := p.start(f)
			if mask >= 0 || p.varies {
				slowLoad(f, t, from, to, &p, at, mask)
				return
			}
			switch p.step {
			case 0:
				v := t.load(from[at])
				for k := range to {
					to[k] = v
				}
			case 1:
				for k, m := range from[at : at+int64(n)] {
					to[k] = t.load(m)
				}
			default:
				for k := range to {
					to[k] = t.load(from[at+int64(k)*p.step])
				}
			}
		}
	}
}

func slowLoad[M, R number | uint8 | uint16](f *frame, t transfer[M, R], from []M, to []R, p *place,
	at int64, mask int) {
	var zero R
	for k := range to {
		if mask >= 0 && !f.mask[mask][k] {
			to[k] = zero
			continue
		}
		here := at + int64(k)*p.step
		if p.varies {
			here += p.at(f, k)
		}
		to[k] = t.load(from[here])
	}
}

func storer[M, R number | uint8 | uint16](t transfer[M, R], reg func(*frame) [][]R) access {
	return func(buf, src int, p place, mask int) instr {
		return func(f *frame, n int) {
			to, from := t.view(&f.bufs[buf]), reg(f)[src][:n]
			at := p.start(f)
			for k, v := range from {
				if mask >= 0 && !f.mask[mask][k] {
					continue
				}
				here := at + int64(k)*p.step
				if p.varies {
					here += p.at(f, k)
				}
				to[here] = t.store(v)
			}
		}
	}
}

type access func(buf, reg int, p place, mask int) instr

func same[T any](v T) T { return v }

// accesses holds how each memory type is read and written.
var accesses = [...]struct{ load, store access }{
	loop.MemPred: accessOf(transfer[uint8, bool]{func(v *view) []uint8 { return v.u8 },
		func(m uint8) bool { return m != 0 }, func(r bool) uint8 {
			if r {
				return 1
			}
			return 0
		}}),
	loop.MemS8: accessOf(transfer[uint8, uint32]{func(v *view) []uint8 { return v.u8 },
		func(m uint8) uint32 { return uint32(int32(int8(m))) }, func(r uint32) uint8 { return uint8(r) }}),
	loop.MemU8: accessOf(transfer[uint8, uint32]{func(v *view) []uint8 { return v.u8 },
		func(m uint8) uint32 { return uint32(m) }, func(r uint32) uint8 { return uint8(r) }}),
	loop.MemS16: accessOf(transfer[uint16, uint32]{func(v *view) []uint16 { return v.u16 },
		func(m uint16) uint32 { return uint32(int32(int16(m))) }, func(r uint32) uint16 { return uint16(r) }}),
	loop.MemU16: accessOf(transfer[uint16, uint32]{func(v *view) []uint16 { return v.u16 },
		func(m uint16) uint32 { return uint32(m) }, func(r uint32) uint16 { return uint16(r) }}),
	loop.MemI32: accessOf(transfer[uint32, uint32]{func(v *view) []uint32 { return v.u32 }, same[uint32], same[uint32]}),
	loop.MemI64: accessOf(transfer[uint64, uint64]{func(v *view) []uint64 { return v.u64 }, same[uint64], same[uint64]}),
	loop.MemF16: accessOf(transfer[uint16, float32]{func(v *view) []uint16 { return v.u16 },
		func(m uint16) float32 { return literal.F16(m).Float32() },
		func(r float32) uint16 { return uint16(literal.F16From32(r)) }}),
	loop.MemBF16: accessOf(transfer[uint16, float32]{func(v *view) []uint16 { return v.u16 },
		func(m uint16) float32 { return math.Float32frombits(uint32(m) << 16) },
		func(r float32) uint16 { return uint16(literal.BF16From32(r)) }}),
	loop.MemF32: accessOf(transfer[float32, float32]{func(v *view) []float32 { return v.f32 },
		same[float32], same[float32]}),
	loop.MemF64: accessOf(transfer[float64, float64]{func(v *view) []float64 { return v.f64 },
		same[float64], same[float64]}),
}

func accessOf[M number | uint8 | uint16, R number](t transfer[M, R]) struct{ load, store access } {
	return struct{ load, store access }{loader(t, file[R]), storer(t, file[R])}
}

func (c *compiler) load(v loop.Value, i *loop.Inst) instr {
	a := &c.nest.Accesses[i.Access]
	mask := -1
	if i.Args[0] != 0 {
		mask = c.use(i.Args[0])
	}
	p := c.place(a)
	return accesses[a.Mem].load(a.Buffer, c.alloc(v), p, mask)
}

func (c *compiler) store(i *loop.Inst) instr {
	a := &c.nest.Accesses[i.Access]
	mask := -1
	if i.Args[1] != 0 {
		mask = c.use(i.Args[1])
	}
	return accesses[a.Mem].store(a.Buffer, c.use(i.Args[0]), c.place(a), mask)
}
