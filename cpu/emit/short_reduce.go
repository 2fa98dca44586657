package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What a lane loop carries, where lanes are short: the least or largest number, bits and masks are kept in short lanes,
// and brought to usual ones behind the loop. Sums are kept in usual lanes: of 8 bytes, or 2 numbers of 16 bits, each
// time. Numbers with a sign are summed without one, as if all were larger by half of the range; what that is too much
// is known.

// reduces reports whether short lanes can make v, the next value of a carry.
func (s *shorts) reduces(v loop.Value) bool {
	k, ok := s.reduced[v]
	if !ok {
		return false
	}
	c, x := &s.loop.Carries[k], s.added(k)
	i := s.g.nest.Inst(v)
	if c.Scan || i.Op != c.Reduce || !slices.Contains(i.Args[:2], c.Phi) || !s.inLoop[x] || !s.held[x] {
		return false
	}
	if i.Kind == loop.Mask {
		return c.Reduce == loop.And || c.Reduce == loop.Or
	}
	signed, unsigned := s.fits(x)
	switch c.Reduce {
	case loop.Add, loop.And, loop.Or, loop.Xor, loop.Min, loop.Max:
		return signed || unsigned
	case loop.UMin, loop.UMax:
		return unsigned
	}
	return false
}

// added is the value that carry k is combined with.
func (s *shorts) added(k int) loop.Value {
	c := &s.loop.Carries[k]
	i := s.g.nest.Inst(c.Next)
	if i.Args[0] == c.Phi {
		return i.Args[1]
	}
	return i.Args[0]
}

// withSign reports whether what carry k is combined with fits the lanes with its sign.
func (s *shorts) withSign(k int) bool {
	_, unsigned := s.fits(s.added(k))
	return !unsigned
}

// start makes the registers of the carries, which change nothing.
func (s *shorts) start() {
	for u := range s.groups() {
		s.accs[u] = nil
		for k := range s.loop.Carries {
			s.accs[u] = append(s.accs[u], s.g.c.copyOf(s.identity(k)))
		}
	}
}

// identity is what changes nothing in carry k.
func (s *shorts) identity(k int) reg {
	c := &s.loop.Carries[k]
	if s.g.nest.Kind(c.Phi) == loop.Mask {
		return s.maskConst(c.Reduce == loop.And)
	}
	most := int64(1) << (s.width - 1)
	signed := s.withSign(k)
	switch {
	case c.Reduce == loop.Max && signed:
		return s.constant(most)
	case c.Reduce == loop.Min && signed:
		return s.constant(most - 1)
	case c.Reduce == loop.Min, c.Reduce == loop.UMin, c.Reduce == loop.And:
		return s.constant(-1)
	}
	return s.g.c.splat32(0)
}

// reduce combines carry k with its value in the present group.
func (s *shorts) reduce(k int) reg {
	c, l := s.g.c, &s.loop.Carries[k]
	acc, x := s.accs[s.g.copy/s.group()][k], s.value(s.added(k))
	switch {
	case s.g.nest.Kind(l.Phi) == loop.Mask:
		return s.reduceMask(l.Reduce, acc, x)
	case l.Reduce == loop.Add:
		return c.v(asm.VPADDD, c.vl, acc, s.sum(k, x))
	}
	if l.Reduce == loop.Xor && s.off != nil { // others may have a number twice
		x = s.off(x)
	}
	r := c.v(s.reducer(k), c.vl, acc, x)
	if s.mask == 0 {
		return r
	}
	return s.pick(s.mask, r, acc)
}

// reducer is the instruction of carry k, of numbers without a sign where they have none.
func (s *shorts) reducer(k int) asm.Op {
	o := s.loop.Carries[k].Reduce
	switch o {
	case loop.Min, loop.Max:
		most := [2][2]asm.Op{{asm.VPMINUB, asm.VPMINUW}, {asm.VPMAXUB, asm.VPMAXUW}}
		if s.withSign(k) {
			most = [2][2]asm.Op{{asm.VPMINSB, asm.VPMINSW}, {asm.VPMAXSB, asm.VPMAXSW}}
		}
		n := 0
		if o == loop.Max {
			n = 1
		}
		return s.op(most[n][0], most[n][1])
	case loop.UMin:
		return s.op(asm.VPMINUB, asm.VPMINUW)
	case loop.UMax:
		return s.op(asm.VPMAXUB, asm.VPMAXUW)
	}
	return shortOps[o][0]
}

// reduceMask combines masks of short lanes; those that do not count change nothing.
func (s *shorts) reduceMask(o loop.Op, acc, x reg) reg {
	c := s.g.c
	if !c.target.AVX512 {
		return c.v(shortOps[o][0], c.vl, acc, x)
	}
	switch {
	case s.mask == 0:
	case o == loop.Or:
		x = c.v(asm.KANDQ, 0, x, s.mask)
	default:
		x = c.v(asm.KORQ, 0, x, c.v(asm.KNOTQ, 0, s.mask))
	}
	return c.v(shortMasks[o][0], 0, acc, x)
}

// sum adds up neighbours of x, what carry k is combined with, to usual lanes.
func (s *shorts) sum(k int, x reg) reg {
	c := s.g.c
	if s.withSign(k) == (s.width == 8) {
		x = c.v(asm.VPXORD, c.vl, x, s.constant(1<<(s.width-1)))
	}
	if s.off != nil {
		x = s.off(x)
	}
	if s.width == 8 {
		return c.v(asm.VPSADBW, c.vl, x, c.splat32(0))
	}
	return c.v(asm.VPMADDWD, c.vl, x, s.constant(1))
}

// tooMuch is what each of the numbers that carry k sums is larger by in these sums.
func (s *shorts) tooMuch(k int) int64 {
	switch signed := s.withSign(k); {
	case signed && s.width == 8:
		return 1 << 7
	case !signed && s.width == 16:
		return -1 << 15
	}
	return 0
}

// advance gives the carries their next values.
func (s *shorts) advance(from int) {
	var dst, src []reg
	for u := range s.g.lanes.copies / s.group() {
		for k, c := range s.loop.Carries {
			dst, src = append(dst, s.accs[u][k]), append(src, s.regs[u][c.Next])
		}
	}
	s.g.c.assign(dst, src, from)
}

// finish combines the carries, of n iterations, with those of usual lanes.
func (s *shorts) finish(accs []reg, n int64) {
	c := s.g.c
	for k := range s.loop.Carries {
		acc := s.accs[0][k]
		l := &s.loop.Carries[k]
		i := &loop.Inst{Op: l.Reduce, Kind: s.g.nest.Kind(l.Phi)}
		for u := 1; u < s.groups(); u++ {
			acc = s.join(k, acc, s.accs[u][k], c.vl)
		}
		s.g.width = int(c.vl) / 32
		join := s.g.t.table().find(i.Op, i.Kind, i.Kind)
		c.move(accs[k], join(s.g, i, [3]reg{accs[k], s.usual(k, acc, n)}))
		s.g.width = 0
	}
}

// join combines two registers of carry k.
func (s *shorts) join(k int, x, y reg, size asm.Size) reg {
	c, l := s.g.c, &s.loop.Carries[k]
	switch {
	case l.Reduce == loop.Add:
		return c.v(asm.VPADDD, size, x, y)
	case s.g.nest.Kind(l.Phi) == loop.Mask && c.target.AVX512:
		return c.v(shortMasks[l.Reduce][0], 0, x, y)
	}
	return c.v(s.reducer(k), size, x, y)
}

// usual is acc, of carry k, in usual lanes.
func (s *shorts) usual(k int, acc reg, n int64) reg {
	c, l := s.g.c, &s.loop.Carries[k]
	switch {
	case s.g.nest.Kind(l.Phi) == loop.Mask:
		return s.usualMask(l.Reduce, acc)
	case l.Reduce == loop.Add:
		if by := uint32(n * s.tooMuch(k)); by != 0 {
			acc = c.v(asm.VPSUBD, c.vl, acc, c.lanes32(func(lane int) uint32 {
				if lane == 0 {
					return by
				}
				return 0
			}))
		}
		return acc
	}
	for size := c.vl / 2; int(size)/s.width >= int(c.vl)/32; size /= 2 {
		acc = s.join(k, acc, c.upperHalf(acc, int(size)), max(size, asm.VL128))
	}
	widen := s.op(asm.VPMOVZXBD, asm.VPMOVZXWD)
	if s.withSign(k) {
		widen = s.op(asm.VPMOVSXBD, asm.VPMOVSXWD)
	}
	return c.v(widen, c.vl, acc)
}

// usualMask joins neighbours of a mask of short lanes.
func (s *shorts) usualMask(o loop.Op, m reg) reg {
	c := s.g.c
	if c.target.AVX512 {
		for n := 512 / s.width / 2; n >= 16; n /= 2 {
			m = c.v(shortMasks[o][0], 0, m, c.vi(asm.KSHIFTRQ, 0, uint8(n), m))
		}
		return m
	}
	if o == loop.And {
		return c.v(asm.VPCMPEQD, c.vl, m, c.splat32(^uint32(0)))
	}
	off := c.v(asm.VPCMPEQD, c.vl, m, c.splat32(0))
	return c.v(asm.VPXORD, c.vl, off, c.splat32(^uint32(0)))
}
