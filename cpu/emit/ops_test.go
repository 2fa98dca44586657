package emit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

var kinds = []loop.Kind{loop.Mask, loop.I32, loop.I64, loop.F32, loop.F64}

// memOf is the memory type that holds a kind exactly.
var memOf = [numKinds]loop.Mem{loop.Mask: loop.MemPred, loop.I32: loop.MemI32, loop.I64: loop.MemI64,
	loop.F32: loop.MemF32, loop.F64: loop.MemF64}

// form is an operation on kinds.
type form struct {
	op      loop.Op
	to, of  loop.Kind
	imm     uint64
	operand int // number of operands
}

func (f form) String() string { return fmt.Sprintf("%v_%v_%v_%d", f.op, f.to, f.of, f.imm) }

// forms lists every operation but those of loops and memory, with each immediate.
func forms() []form {
	var list []form
	for o := loop.Add; o <= loop.RoundBF16; o++ {
		for _, to := range kinds {
			for _, of := range kinds {
				f := form{op: o, to: to, of: of, operand: o.Info().Args}
				if o == loop.Bitcast && (to.Bits() != of.Bits() || to == of) || !f.valid() {
					continue
				}
				imms := 1
				switch o {
				case loop.Round:
					imms = 4
				case loop.Cmp:
					imms = int(loop.Unordered) + 1
				}
				for imm := range imms {
					if o == loop.Cmp && imm == int(loop.Unordered) && of.IsInt() {
						continue
					}
					f.imm = uint64(imm)
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// operandKind is the kind of operand k.
func (f form) operandKind(k int) loop.Kind {
	if f.op == loop.Select && k == 0 {
		return loop.Mask
	}
	return f.of
}

// valid reports whether Verify takes the form; where the operand's kind does not matter it is the result's.
func (f form) valid() bool {
	if f.op != loop.Cmp && (f.op < loop.Bitcast || f.op > loop.FToS) && f.to != f.of {
		return false
	}
	return f.nest(1, false).Verify() == nil
}

// nest computes n elements, in a lane loop or one by one.
func (f form) nest(n int64, lanes bool) *loop.Nest {
	b := loop.NewBuilder(f.String())
	in := make([]int, f.operand)
	for k := range in {
		m := memOf[f.operandKind(k)]
		in[k] = b.Buffer(loop.Buffer{Name: fmt.Sprint("x", k), Bytes: n * m.Bytes()})
	}
	m := memOf[f.to]
	out := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: lanes}, func(v int) {
		terms := []loop.Term{{Var: v, Stride: 1}}
		var x []loop.Value
		for k := range in {
			x = append(x, b.Load(loop.Access{Buffer: in[k], Terms: terms, Mem: memOf[f.operandKind(k)]}, 0))
		}
		y := b.OpImm(f.op, f.to, f.imm, x...)
		b.Store(loop.Access{Buffer: out, Terms: terms, Mem: m}, y, 0)
	})
	return b.Nest()
}

var corners32 = []uint32{0, 1, 2, 3, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00ffffff, 0x01000001,
	0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x4b000001, 0x4f000000, 0xcf000000,
	0x4effffff, 0x3f000000, 0xbf000000, 0x40200000, 0x477fe000, 0x477ff000, 0x33000000, 0x387fc000, 0x3f808000, 0x3f818000}

var corners64 = []uint64{0, 1, 2, 3, 63, 64, 65, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 1, 1<<64 - 2, 1<<53 + 1, 1 << 32, 1<<32 - 1, 1 << 31,
	0x3ff0 << 48, 0xbff0 << 48, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 0x0010 << 48, 1<<52 - 1, 0x43e0 << 48, 0xc3e0 << 48,
	0x43dfffffffffffff, 0x41dfffffffc00000, 0x41e0 << 48, 0xc1e0 << 48, 0xc1e00000001fffff, 0x3fe0 << 48, 0x4004 << 48, 0x36a0 << 48,
	0x7fffffbfffffffff, 0x7fffff4000000001, 0x8000008000000001}

// fill makes n elements of kind k.
func fill(r *rand.Rand, k loop.Kind, n int, float bool) []byte {
	var out []byte
	for range n {
		switch k {
		case loop.Mask:
			out = append(out, byte(r.IntN(2)))
		case loop.I32, loop.F32:
			v := r.Uint32() >> (r.IntN(2) * r.IntN(32))
			switch {
			case r.IntN(3) == 0:
				v = corners32[r.IntN(len(corners32))]
			case k == loop.F32 && r.IntN(2) == 0:
				v = math.Float32bits(float32(r.NormFloat64() * math.Ldexp(1, r.IntN(40)-10)))
			}
			out = binary.LittleEndian.AppendUint32(out, v)
		default:
			v := r.Uint64() >> (r.IntN(2) * r.IntN(64))
			switch {
			case r.IntN(3) == 0:
				v = corners64[r.IntN(len(corners64))]
			case k == loop.F64 && r.IntN(2) == 0:
				v = math.Float64bits(r.NormFloat64() * math.Ldexp(1, r.IntN(80)-10))
			}
			out = binary.LittleEndian.AppendUint64(out, v)
		}
	}
	return out
}

// exponents makes n integral floats.
func exponents(r *rand.Rand, k loop.Kind, n int) []byte {
	var out []byte
	for range n {
		e := float64(r.IntN(600) - 300)
		if k == loop.F64 {
			e = float64(r.IntN(4600) - 2300)
		}
		if r.IntN(8) == 0 {
			e = []float64{0, -126, -127, 127, 128, -1022, -1023, 1023, 1024, 1e6, -1e6, math.NaN()}[r.IntN(12)]
		}
		if k == loop.F32 {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(e)))
		} else {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(e))
		}
	}
	return out
}

// same compares elements of memory type m: NaN equals NaN.
func same(m loop.Mem, got, want []byte) (int, bool) {
	if bytes.Equal(got, want) {
		return 0, true
	}
	n := int(m.Bytes())
	for k := 0; k < len(want); k += n {
		if !bytes.Equal(got[k:k+n], want[k:k+n]) && !(isNaN(m, got[k:]) && isNaN(m, want[k:])) {
			return k / n, false
		}
	}
	return 0, true
}

func isNaN(m loop.Mem, b []byte) bool {
	switch m {
	case loop.MemF32:
		return binary.LittleEndian.Uint32(b)&0x7fffffff > 0x7f800000
	case loop.MemF64:
		return binary.LittleEndian.Uint64(b)&(1<<63-1) > 0x7ff<<52
	case loop.MemF16:
		return binary.LittleEndian.Uint16(b)&0x7fff > 0x7c00
	case loop.MemBF16:
		return binary.LittleEndian.Uint16(b)&0x7fff > 0x7f80
	}
	return false
}

// TestOperations runs every operation on every kind, in lanes and one by one, and compares with package tile.
func TestOperations(t *testing.T) {
	const n = 1003
	for name, target := range tiers() {
		t.Run(name, func(t *testing.T) {
			for _, f := range forms() {
				for _, lanes := range []bool{true, false} {
					f.check(t, target, n, lanes)
				}
			}
		})
	}
}

func (f form) check(t *testing.T, target Target, n int, lanes bool) {
	r := rand.New(rand.NewPCG(uint64(f.op), uint64(f.to)<<8|uint64(f.of)))
	var in [][]byte
	for k := range f.operand {
		if f.op == loop.Scale && k == 1 {
			in = append(in, exponents(r, f.of, n))
			continue
		}
		in = append(in, fill(r, f.operandKind(k), n, false))
	}
	nest := f.nest(int64(n), lanes)
	m := memOf[f.to]
	got, want := make([]byte, n*int(m.Bytes())), make([]byte, n*int(m.Bytes()))
	portable(t, nest, append(in[:len(in):len(in)], want), 0, 1)
	native(t, nest, target, append(in[:len(in):len(in)], got), 0, 1)
	if k, ok := same(m, got, want); !ok {
		size := int(m.Bytes())
		var args string
		for j := range in {
			s := int(memOf[f.operandKind(j)].Bytes())
			args += fmt.Sprintf(" %x", reversed(in[j][k*s:k*s+s]))
		}
		t.Errorf("%v lanes=%t [%d]%s: expected %x, got %x", f, lanes, k, args, reversed(want[k*size:k*size+size]),
			reversed(got[k*size:k*size+size]))
	}
}

func reversed(b []byte) []byte {
	var out []byte
	for k := len(b) - 1; k >= 0; k-- {
		out = append(out, b[k])
	}
	return out
}
