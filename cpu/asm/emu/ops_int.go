package emu

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

// signed extends x from w bytes.
func signed(x uint64, w int) int64 {
	s := 64 - 8*w
	return int64(x<<s) >> s
}

// clampSigned and clampUnsigned saturate v to w bytes.
func clampSigned(v int64, w int) uint64 {
	limit := int64(1) << (8*w - 1)
	return uint64(max(-limit, min(limit-1, v)))
}

func clampUnsigned(v int64, w int) uint64 { return uint64(max(0, min(int64(ones(w)), v))) }

// widths are the Ops of one operation on bytes, words, doublewords, quadwords; 0 for none.
type widths [4]asm.Op

func (t *ops) widths(op widths, fn func(w int) laneFn) {
	for i, o := range op {
		if o != 0 {
			t.same(o, 1<<i, fn(1<<i))
		}
	}
}

func constant(fn laneFn) func(int) laneFn { return func(int) laneFn { return fn } }

func (t *ops) integers() {
	t.widths(widths{asm.VPADDB, asm.VPADDW, asm.VPADDD, asm.VPADDQ}, constant(func(l *lane) uint64 { return l.a + l.b }))
	t.widths(widths{asm.VPSUBB, asm.VPSUBW, asm.VPSUBD, asm.VPSUBQ}, constant(func(l *lane) uint64 { return l.a - l.b }))
	t.widths(widths{0, asm.VPMULLW, asm.VPMULLD, asm.VPMULLQ}, constant(func(l *lane) uint64 { return l.a * l.b }))
	t.saturating()
	t.multiplies()
	t.minMax()
	t.compareInts()
	t.logic()
	t.countBits()
}

func (t *ops) saturating() {
	t.widths(widths{asm.VPADDSB, asm.VPADDSW}, func(w int) laneFn {
		return func(l *lane) uint64 { return clampSigned(signed(l.a, w)+signed(l.b, w), w) }
	})
	t.widths(widths{asm.VPSUBSB, asm.VPSUBSW}, func(w int) laneFn {
		return func(l *lane) uint64 { return clampSigned(signed(l.a, w)-signed(l.b, w), w) }
	})
	t.widths(widths{asm.VPADDUSB, asm.VPADDUSW}, func(w int) laneFn {
		return func(l *lane) uint64 { return clampUnsigned(int64(l.a+l.b), w) }
	})
	t.widths(widths{asm.VPSUBUSB, asm.VPSUBUSW}, func(w int) laneFn {
		return func(l *lane) uint64 { return clampUnsigned(int64(l.a)-int64(l.b), w) }
	})
	t.widths(widths{asm.VPAVGB, asm.VPAVGW}, constant(func(l *lane) uint64 { return (l.a + l.b + 1) >> 1 }))
	t.widths(widths{asm.VPSIGNB, asm.VPSIGNW, asm.VPSIGND}, func(w int) laneFn {
		return func(l *lane) uint64 {
			switch s := signed(l.b, w); {
			case s < 0:
				return -l.a
			case s == 0:
				return 0
			}
			return l.a
		}
	})
	t.widths(widths{asm.VPABSB, asm.VPABSW, asm.VPABSD, asm.VPABSQ}, func(w int) laneFn {
		return func(l *lane) uint64 {
			if s := signed(l.a, w); s < 0 {
				return uint64(-s)
			}
			return l.a
		}
	})
}

func (t *ops) multiplies() {
	t.same(asm.VPMULHUW, 2, func(l *lane) uint64 { return l.a * l.b >> 16 })
	t.same(asm.VPMULHW, 2, func(l *lane) uint64 { return uint64(signed(l.a, 2) * signed(l.b, 2) >> 16) })
	t.same(asm.VPMULHRSW, 2, func(l *lane) uint64 { return uint64((signed(l.a, 2)*signed(l.b, 2)>>14 + 1) >> 1) })
	t.same(asm.VPMULUDQ, 8, func(l *lane) uint64 { return l.a & ones(4) * (l.b & ones(4)) })
	t.same(asm.VPMULDQ, 8, func(l *lane) uint64 { return uint64(signed(l.a, 4) * signed(l.b, 4)) })
	t.same(asm.VPMADDWD, 4, func(l *lane) uint64 {
		return uint64(signed(l.a, 2)*signed(l.b, 2) + signed(l.a>>16, 2)*signed(l.b>>16, 2))
	})
	t.same(asm.VPMADDUBSW, 2, func(l *lane) uint64 {
		return clampSigned(int64(l.a&255)*signed(l.b, 1)+int64(l.a>>8)*signed(l.b>>8, 1), 2)
	})
	t.same(asm.VPSADBW, 8, func(l *lane) (sum uint64) {
		for i := 0; i < 64; i += 8 {
			x, y := l.a>>i&255, l.b>>i&255
			sum += max(x, y) - min(x, y)
		}
		return sum
	})
	t.dots()
}

// dots are the products of bytes and words that are added to the destination.
func (t *ops) dots() {
	bytesDot := func(l *lane) (sum int64) {
		for i := 0; i < 32; i += 8 {
			sum += int64(l.a>>i&255) * signed(l.b>>i, 1)
		}
		return sum
	}
	wordsDot := func(l *lane) int64 {
		return signed(l.a, 2)*signed(l.b, 2) + signed(l.a>>16, 2)*signed(l.b>>16, 2)
	}
	t.same(asm.VPDPBUSD, 4, func(l *lane) uint64 { return l.d + uint64(bytesDot(l)) })
	t.same(asm.VPDPBUSDS, 4, func(l *lane) uint64 { return clampSigned(signed(l.d, 4)+bytesDot(l), 4) })
	t.same(asm.VPDPWSSD, 4, func(l *lane) uint64 { return l.d + uint64(wordsDot(l)) })
	t.same(asm.VPDPWSSDS, 4, func(l *lane) uint64 { return clampSigned(signed(l.d, 4)+wordsDot(l), 4) })
	t.same(asm.VDPBF16PS, 4, func(l *lane) uint64 {
		d := bf16Step(l.d, l.a>>16, l.b>>16)
		return bf16Step(d, l.a&0xFFFF, l.b&0xFFFF)
	})
}

// bf16Step returns acc + x*y of bfloat16 values, rounded once, with denormals as zeros in and out.
func bf16Step(acc, x, y uint64) uint64 {
	return fusedFlush(x<<16, y<<16, acc)
}

func (t *ops) minMax() {
	for _, k := range []struct {
		op               widths
		larger, unsigned bool
	}{
		{widths{asm.VPMINSB, asm.VPMINSW, asm.VPMINSD, asm.VPMINSQ}, false, false},
		{widths{asm.VPMINUB, asm.VPMINUW, asm.VPMINUD, asm.VPMINUQ}, false, true},
		{widths{asm.VPMAXSB, asm.VPMAXSW, asm.VPMAXSD, asm.VPMAXSQ}, true, false},
		{widths{asm.VPMAXUB, asm.VPMAXUW, asm.VPMAXUD, asm.VPMAXUQ}, true, true},
	} {
		t.widths(k.op, func(w int) laneFn {
			return func(l *lane) uint64 {
				if order(l.a, l.b, w, k.unsigned) > 0 == k.larger {
					return l.a
				}
				return l.b
			}
		})
	}
}

// order compares integers of w bytes.
func order(a, b uint64, w int, unsigned bool) int {
	if !unsigned {
		a, b = uint64(signed(a, w))^1<<63, uint64(signed(b, w))^1<<63
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (t *ops) compareInts() {
	whole := func(w int, b bool) uint64 {
		if b {
			return ones(w)
		}
		return 0
	}
	t.widths(widths{asm.VPCMPEQB, asm.VPCMPEQW, asm.VPCMPEQD, asm.VPCMPEQQ}, func(w int) laneFn {
		return func(l *lane) uint64 { return whole(w, l.a == l.b) }
	})
	t.widths(widths{asm.VPCMPGTB, asm.VPCMPGTW, asm.VPCMPGTD, asm.VPCMPGTQ}, func(w int) laneFn {
		return func(l *lane) uint64 { return whole(w, signed(l.a, w) > signed(l.b, w)) }
	})
	holds := [8]uint8{equal, less, less | equal, 0, less | greater, equal | greater, greater, 7}
	for i, op := range []asm.Op{asm.VPCMPB, asm.VPCMPUB, asm.VPCMPW, asm.VPCMPUW, asm.VPCMPD, asm.VPCMPUD,
		asm.VPCMPQ, asm.VPCMPUQ} {
		w := 1 << (i / 2)
		t.test(op, w, func(l *lane) uint64 {
			outcome := [3]uint8{less, equal, greater}[order(l.a, l.b, w, i&1 == 1)+1]
			return uint64(holds[l.imm&7] & outcome)
		})
	}
	for i := range asm.Op(4) {
		t.test(asm.VPTESTMB+i, 1<<i, func(l *lane) uint64 { return l.a & l.b })
		t.test(asm.VPTESTNMB+i, 1<<i, func(l *lane) uint64 {
			if l.a&l.b == 0 {
				return 1
			}
			return 0
		})
		t.test([]asm.Op{asm.VPMOVB2M, asm.VPMOVW2M, asm.VPMOVD2M, asm.VPMOVQ2M}[i], 1<<i,
			func(l *lane) uint64 { return l.a >> (8<<i - 1) })
	}
}

func (t *ops) logic() {
	for op, fn := range map[asm.Op]laneFn{
		asm.VPANDD:  func(l *lane) uint64 { return l.a & l.b },
		asm.VPANDND: func(l *lane) uint64 { return ^l.a & l.b },
		asm.VPORD:   func(l *lane) uint64 { return l.a | l.b },
		asm.VPXORD:  func(l *lane) uint64 { return l.a ^ l.b },
	} {
		t.same(op, 4, fn)
		t.same(op+1, 8, fn)
	}
	ternary := func(l *lane) (r uint64) {
		for i := range 8 {
			if l.imm>>i&1 == 1 {
				r |= choose(l.d, i&4) & choose(l.a, i&2) & choose(l.b, i&1)
			}
		}
		return r
	}
	t.same(asm.VPTERNLOGD, 4, ternary)
	t.same(asm.VPTERNLOGQ, 8, ternary)
}

// choose returns x, or its complement if bit is 0.
func choose(x uint64, bit int) uint64 {
	if bit == 0 {
		return ^x
	}
	return x
}

func (t *ops) countBits() {
	t.widths(widths{asm.VPOPCNTB, asm.VPOPCNTW, asm.VPOPCNTD, asm.VPOPCNTQ},
		constant(func(l *lane) uint64 { return uint64(bits.OnesCount64(l.a)) }))
	t.widths(widths{2: asm.VPLZCNTD, 3: asm.VPLZCNTQ}, func(w int) laneFn {
		return func(l *lane) uint64 { return uint64(bits.LeadingZeros64(l.a) - (64 - 8*w)) }
	})
	for i, op := range []asm.Op{asm.VPCONFLICTD, asm.VPCONFLICTQ} {
		w := 4 << i
		t[op] = func(m *Machine, in *inst) { m.conflict(in, w) }
	}
}

// conflict gives for each lane the earlier lanes that hold the same value.
func (m *Machine) conflict(in *inst, w int) {
	n := in.lanes(w)
	src := m.source(in, 1, w, n, m.active(in))
	m.eachLane(in, w, w, func(l *lane) (r uint64) {
		for j := range l.i {
			if src.get(w, j) == l.a {
				r |= 1 << j
			}
		}
		return r
	})
}
