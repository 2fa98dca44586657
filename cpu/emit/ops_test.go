package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestOperations runs every operation on every kind, in lanes and one by one, and compares with package tile.
func TestOperations(t *testing.T) {
	const n = 1003
	for name, target := range tiers() {
		t.Run(name, func(t *testing.T) {
			for _, f := range looptest.Forms() {
				for _, lanes := range []bool{true, false} {
					checkForm(t, f, target, n, lanes, native)
				}
			}
		})
	}
}

// formData makes operands for f, and space for the result.
func formData(f looptest.Form, n int) (bufs [][]byte) {
	r := rand.New(rand.NewPCG(uint64(f.Op), uint64(f.To)<<8|uint64(f.Of)))
	for k := range f.Operands() {
		m := looptest.MemOf(f.OperandKind(k))
		b := aligned(n * int(m.Bytes()))
		if f.Op == loop.Scale && k == 1 {
			looptest.Exponents(r, m, b)
		} else {
			looptest.Fill(r, m, b)
		}
		bufs = append(bufs, b)
	}
	return append(bufs, aligned(n*int(looptest.MemOf(f.To).Bytes())))
}

// runner runs a nest on a target.
type runner func(t testing.TB, n *loop.Nest, target Target, bufs [][]byte, lo, hi int64)

func checkForm(t *testing.T, f looptest.Form, target Target, n int, lanes bool, run runner) {
	nest := f.Nest(int64(n), lanes)
	got := formData(f, n)
	last := len(got) - 1
	want := append(got[:last:last], aligned(len(got[last])))
	portable(t, nest, want, 0, int64(n))
	run(t, nest, target, got, 0, int64(n))
	m := looptest.MemOf(f.To)
	k := looptest.Diff(m, got[last], want[last])
	if k < 0 {
		return
	}
	var args string
	for j, b := range got[:last] {
		args += " " + element(looptest.MemOf(f.OperandKind(j)), b, k)
	}
	t.Errorf("%v lanes=%t [%d]%s: expected %s, got %s", f, lanes, k, args, element(m, want[last], k),
		element(m, got[last], k))
}

// element is the bits of an element in hexadecimal.
func element(m loop.Mem, b []byte, k int) string {
	n := int(m.Bytes())
	var s string
	for _, x := range b[k*n : k*n+n] {
		s = fmt.Sprintf("%02x", x) + s
	}
	return s
}

// TestTable reads tables of sizes around those of registers.
func TestTable(t *testing.T) {
	const n = 37
	for name, target := range tiers() {
		for _, k := range looptest.Kinds[1:] {
			for _, size := range []int{1, 4, 5, 8, 9, 16, 17, 32, 33, 200} {
				nest := looptest.Lookup(k, size, n)
				width := k.Bits() / 8
				index, got, want := aligned(n*width), aligned(n*width), aligned(n*width)
				looptest.Fill(rand.New(rand.NewPCG(1, 1)), looptest.MemOf(nest.Kind(1)), index)
				portable(t, nest, [][]byte{index, want}, 0, n)
				native(t, nest, target, [][]byte{index, got}, 0, n)
				if i := looptest.Diff(looptest.MemOf(k), got, want); i >= 0 {
					t.Errorf("%s: %v table of %d: [%d]: expected %s, got %s", name, k, size, i,
						element(looptest.MemOf(k), want, i), element(looptest.MemOf(k), got, i))
				}
			}
		}
	}
}
