package emit

import (
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
)

// splat32 returns a register whose 32-bit elements all are v.
func (c *code) splat32(v uint32) reg { return c.splat64(uint64(v)<<32 | uint64(v)) }

// splat64 returns a register whose 64-bit elements all are v.
func (c *code) splat64(v uint64) reg {
	if r, ok := c.splats[v]; ok {
		return r
	}
	var b [64]byte
	for i := 0; i < 64; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], v)
	}
	r := c.vector(b[:int(c.vl)/8])
	c.splats[v] = r
	return r
}

// vector returns a register with this content, as many bytes as a vector has. It is made at the entry, or
// where registers are short read from memory where it is used.
func (c *code) vector(b []byte) reg {
	if r, ok := c.consts[string(b)]; ok {
		return r
	}
	key := string(b)
	r := c.newReg(vecClass)
	c.known = append(c.known, constant{bytes: key, size: splatSize(key)})
	c.regs[r].constant = int32(len(c.known))
	c.consts[key] = r
	c.atEntry(c.loadConstant(c.constantOf(r), r))
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

// splatSize returns the size of the elements, 4 or 8, of which b consists, or 0 if it is not of equal ones.
func splatSize(b string) uint8 {
	for _, n := range [2]int{4, 8} {
		same := true
		for i := n; i < len(b) && same; i++ {
			same = b[i] == b[i-n]
		}
		if same {
			return uint8(n)
		}
	}
	return 0
}

func (k *constant) isZero() bool {
	for i := range len(k.bytes) {
		if k.bytes[i] != 0 {
			return false
		}
	}
	return true
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
		i.in.Mem = c.asm.Const([]byte(k.bytes[:4]))
	case 8:
		i.in = inst(asm.VBROADCASTSD, c.vl, 2)
		i.in.Mem = c.asm.Const([]byte(k.bytes[:8]))
	default:
		i.in = inst(asm.VMOVUPS, c.vl, 2)
		i.in.Mem = c.asm.Const([]byte(k.bytes))
	}
	i.in.Place = asm.InLoad
	return i
}
