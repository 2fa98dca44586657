package emit

import (
	"math"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// tiers are the targets that are tested, those of them that this machine has.
func tiers() map[string]Target {
	h := exec.Host()
	list := map[string]Target{}
	if h.AVX2 {
		list["avx2"] = Target{}
	}
	if h.AVX512 {
		list["avx512"] = Target{AVX512: true}
		if h.AVX512VPOPCNTDQ {
			list["avx512vpopcnt"] = Target{AVX512: true, VPOPCNT: true}
		}
		if h.AVX512VBMI {
			list["avx512vbmi"] = Target{AVX512: true, VBMI: true}
		}
	}
	return list
}

// assemble gives the code of n.
func assemble(t testing.TB, n *loop.Nest, target Target) []byte {
	t.Helper()
	if err := n.Verify(); err != nil {
		t.Fatalf("%v\n%v", err, n)
	}
	a := &asm.Assembler{VEXOnly: !target.AVX512}
	m := new(Compiler)
	if _, err := m.Compile(a, n, target); err != nil {
		t.Fatalf("%v\n%v", err, n)
	}
	if err := checkDefined(m); err != nil {
		t.Fatalf("%v\n%v", err, n)
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatalf("%v\n%v", err, n)
	}
	return code
}

// native runs n as machine code on bufs.
func native(t testing.TB, n *loop.Nest, target Target, bufs [][]byte, lo, hi int64) {
	t.Helper()
	c, err := exec.NewCode(assemble(t, n, target))
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	args := NewArgs(len(bufs))
	args.SetRange(lo, hi)
	for k, b := range bufs {
		args.SetBuffer(k, unsafe.Pointer(unsafe.SliceData(b)))
	}
	exec.Call(c.Entry(0), args.Pointer())
}

// portable runs n in the Go executor.
func portable(t testing.TB, n *loop.Nest, bufs [][]byte, lo, hi int64) {
	t.Helper()
	p, err := tile.Compile(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(bufs, lo, hi); err != nil {
		t.Fatal(err)
	}
}

// aligned returns n zero bytes that start at a multiple of 8.
func aligned(n int) []byte {
	words := make([]uint64, n/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))[:n:n]
}

func bytesOf(f []float32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&f[0])), 4*len(f)) }

// TestAxpy: the simplest lane loop, of every length.
func TestAxpy(t *testing.T) {
	for name, target := range tiers() {
		for n := int64(1); n < 150; n++ {
			b := loop.NewBuilder("axpy")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
				at := func(buf int) loop.Access {
					return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemF32}
				}
				b.Store(at(y), b.Op(loop.FMA, loop.F32, b.Load(at(x), 0), b.Float(loop.F32, 2), b.Load(at(y), 0)), 0)
			})
			xs, ys, want := make([]float32, n), make([]float32, n), make([]float32, n)
			for i := range xs {
				xs[i], ys[i] = float32(i), float32(1000*i)
				want[i] = 2*xs[i] + ys[i]
			}
			native(t, b.Nest(), target, [][]byte{bytesOf(xs), bytesOf(ys)}, 0, n)
			for i := range want {
				if math.Float32bits(want[i]) != math.Float32bits(ys[i]) {
					t.Fatalf("%s: n=%d: [%d]: expected %v, got %v", name, n, i, want[i], ys[i])
				}
			}
		}
	}
}
