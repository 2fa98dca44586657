package emit

import (
	"encoding/binary"
	"fmt"
	"iter"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// emulatedTiers are all targets: the emulator runs each on any machine.
var emulatedTiers = []struct {
	name   string
	target Target
}{{"avx2", Target{}}, {"avx512", Target{AVX512: true}}, {"avx512vpopcnt", Target{AVX512: true, VPOPCNT: true}},
	{"avx512vbmi", Target{AVX512: true, VBMI: true}}}

// emulate runs code on bufs in the emulator, where each buffer lies alone.
func emulate(t testing.TB, n *loop.Nest, target Target, bufs [][]byte, lo, hi int64) {
	t.Helper()
	const argsAt, step = 0x1000, 0x1000000
	m := emu.New()
	m.VEXOnly = !target.AVX512
	args := binary.LittleEndian.AppendUint64(nil, uint64(lo))
	args = binary.LittleEndian.AppendUint64(args, uint64(hi))
	for k, b := range bufs {
		at := uint64(k+1) * step
		m.Map(at, b, n.Buffers[k].Write)
		args = binary.LittleEndian.AppendUint64(args, at)
	}
	m.Map(argsAt, args, false)
	if err := m.Call(assemble(t, n, target), argsAt); err != nil {
		t.Fatalf("%v\n%v", err, n)
	}
}

// TestOperationsEmulated is TestOperations in the emulator.
func TestOperationsEmulated(t *testing.T) {
	const n = 150
	for _, tier := range emulatedTiers {
		t.Run(tier.name, func(t *testing.T) {
			for _, f := range looptest.Forms() {
				checkForm(t, f, tier.target, n, true, emulate)
				checkForm(t, f, tier.target, n, false, emulate)
			}
		})
	}
}

// emulatedCases is how many random nests the emulator runs.
const emulatedCases = 30

// TestRandomEmulated is TestRandom in the emulator, which checks every access.
func TestRandomEmulated(t *testing.T) {
	for seed := range uint64(emulatedCases) {
		c := looptest.Random(seed)
		for _, tier := range emulatedTiers {
			t.Run(fmt.Sprintf("%d/%s", seed, tier.name), func(t *testing.T) {
				got, want := randomData(c, seed)
				portable(t, c.Nest, want, 0, c.Extent)
				emulate(t, c.Nest, tier.target, got, 0, c.Extent)
				compare(t, c, got, want)
			})
		}
	}
}

// TestFarApart reads elements whose distances and offset need more than 32 bits.
func TestFarApart(t *testing.T) {
	const lanes, rows, offset, step, row = 11, 3, 1 << 35, 1 << 33, 1 << 29
	b := loop.NewBuilder("far")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * (offset + lanes*step)})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * lanes * rows, Write: true})
	b.Each(loop.Spec{Extent: rows}, func(i int) {
		b.Each(loop.Spec{Extent: lanes, Lanes: true}, func(j int) {
			from := []loop.Term{{Var: i, Stride: row}, {Var: j, Stride: step}}
			v := b.Load(loop.Access{Buffer: x, Offset: offset, Terms: from, Mem: loop.MemI32}, 0)
			to := []loop.Term{{Var: i, Stride: lanes}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: y, Terms: to, Mem: loop.MemI32}, v, 0)
		})
	})
	n := b.Nest()
	for _, tier := range emulatedTiers {
		m := emu.New()
		const xAt, yAt, argsAt = 0x10000000, 0x2000, 0x1000
		for i := range uint64(rows) {
			for j := range uint64(lanes) {
				element := binary.LittleEndian.AppendUint32(nil, uint32(100*i+j))
				m.Map(xAt+4*(offset+i*row+j*step), element, false)
			}
		}
		got := make([]byte, 4*lanes*rows)
		m.Map(yAt, got, true)
		args := binary.LittleEndian.AppendUint64(make([]byte, 8), rows)
		args = binary.LittleEndian.AppendUint64(args, xAt)
		m.Map(argsAt, binary.LittleEndian.AppendUint64(args, yAt), false)
		if err := m.Call(assemble(t, n, tier.target), argsAt); err != nil {
			t.Fatalf("%s: %v", tier.name, err)
		}
		for k := range lanes * rows {
			if want := uint32(100*(k/lanes) + k%lanes); binary.LittleEndian.Uint32(got[4*k:]) != want {
				t.Errorf("%s: [%d]: expected %d, got %d", tier.name, k, want, binary.LittleEndian.Uint32(got[4*k:]))
			}
		}
	}
}

// decoded are the instructions of code, up to the constants behind them.
func decoded(code []byte) iter.Seq[asm.Inst] {
	return func(yield func(asm.Inst) bool) {
		for len(code) > 0 {
			in, size, err := asm.Decode(code)
			if err != nil || !yield(in) {
				return
			}
			code = code[size:]
		}
	}
}
