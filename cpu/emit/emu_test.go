package emit

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// emulatedTiers are all targets: the emulator runs each on any machine.
var emulatedTiers = []struct {
	name   string
	target Target
}{{"avx2", Target{}}, {"avx512", Target{AVX512: true}}, {"avx512vpopcnt", Target{AVX512: true, VPOPCNT: true}}}

// emulate runs code on bufs in the emulator, where each buffer lies alone.
func emulate(t testing.TB, n *loop.Nest, target Target, bufs [][]byte, lo, hi int64) {
	t.Helper()
	const argsAt, step = 0x1000, 0x100000
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
