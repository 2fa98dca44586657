package emit

import (
	"bytes"
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
)

// splat32 returns a register whose 32-bit elements all are v.
//
//go:noinline
func (c *code) splat32(v uint32) reg { return c.splat64(uint64(v)<<32 | uint64(v)) }

// splat64 returns a register whose 64-bit elements all are v.
func (c *code) splat64(v uint64) reg {
	r, ok := c.splats[v]
	if !ok {
		r = c.constant(constant{word: v, size: wordSize(v)})
		c.splats[v] = r
	}
	return r
}

// wordSize is the size of the least equal elements, of 4 bytes at least, of v.
func wordSize(v uint64) uint8 {
	if uint32(v) == uint32(v>>32) {
		return 4
	}
	return 8
}

// vector returns a register with this content, as many bytes as a vector has. It is made at the entry, or
// where registers are short read from memory where it is used.
func (c *code) vector(b []byte) reg {
	k := constant{word: binary.LittleEndian.Uint64(b)}
	if repeats(b, 8) {
		if len(b) == int(c.vl)/8 {
			return c.splat64(k.word)
		}
		k.size = wordSize(k.word)
	}
	if r, ok := c.consts[string(b)]; ok {
		return r
	}
	k.bytes = string(b)
	r := c.constant(k)
	c.consts[k.bytes] = r
	return r
}

// repeats reports whether b is the same n bytes again and again.
func repeats(b []byte, n int) bool { return bytes.Equal(b[n:], b[:len(b)-n]) }

// constant returns a register that holds k.
func (c *code) constant(k constant) reg {
	r := c.newReg(vecClass)
	c.known = append(c.known, k)
	c.regs[r].constant = int32(len(c.known))
	c.atEntry(c.loadConstant(&k, r))
	return r
}

// atEntry adds i, which makes a register that does not change, to the entry.
func (c *code) atEntry(i ins) {
	c.entry = append(c.entry, i)
	c.regs[i.r[0]].remake = int32(len(c.entry))
}

// repeat16 is the vector of these 16 bytes in each 128-bit part.
func (c *code) repeat16(b [16]byte) reg {
	var all [64]byte
	for i := range all {
		all[i] = b[i%16]
	}
	return c.vector(all[:int(c.vl)/8])
}

// lanes32 and lanes64 are the vectors of f(lane).
func (c *code) lanes32(f func(lane int) uint32) reg {
	var b [64]byte
	for i := range 16 {
		binary.LittleEndian.PutUint32(b[4*i:], f(i))
	}
	return c.vector(b[:int(c.vl)/8])
}

func (c *code) lanes64(f func(lane int) uint64) reg {
	var b [64]byte
	for i := range 8 {
		binary.LittleEndian.PutUint64(b[8*i:], f(i))
	}
	return c.vector(b[:int(c.vl)/8])
}

func (k *constant) isZero() bool { return k.size != 0 && k.word == 0 }

// whole is the memory that holds all of k.
func (c *code) whole(k *constant) asm.Mem {
	if k.bytes == "" {
		return c.asm.Splat64(c.vl, k.word)
	}
	return c.asm.Const([]byte(k.bytes))
}

// element is the memory that holds an element of n bytes of k, which is of equal ones.
func (c *code) element(k *constant, n int) asm.Mem {
	if n == 4 {
		return c.asm.Const32(uint32(k.word))
	}
	return c.asm.Const64(k.word)
}

// wholeLoad is i, which makes r, or where r is a constant and broadcasts to 64 bytes take the place of a shuffle a load
// of all of it.
func (c *code) wholeLoad(i *ins, r reg) *ins {
	if k := c.constantOf(r); c.target.Split && k != nil && k.size != 0 && !k.isZero() {
		whole := ins{r: i.r, in: inst(asm.VMOVUPS, c.vl, 2)}
		whole.in.Mem, whole.in.Place = c.whole(k), asm.InLoad
		return &whole
	}
	return i
}

// loadConstant is the instruction that makes k in r.
func (c *code) loadConstant(k *constant, r reg) ins {
	if k.isZero() {
		return ins{kind: zero, r: [4]reg{r}}
	}
	i := ins{r: [4]reg{r}}
	switch k.size {
	case 4:
		i.in = inst(asm.VBROADCASTSS, c.vl, 2)
		i.in.Mem = c.element(k, 4)
	case 8:
		i.in = inst(asm.VBROADCASTSD, c.vl, 2)
		i.in.Mem = c.element(k, 8)
	default:
		i.in = inst(asm.VMOVUPS, c.vl, 2)
		i.in.Mem = c.whole(k)
	}
	i.in.Place = asm.InLoad
	return i
}
