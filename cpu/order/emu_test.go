package order

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
)

// Addresses of arrays in the emulator, which refuses accesses outside of them.
const (
	addrArgs = 0x1000
	addrA    = 0x100000 * (1 + iota)
	addrB
	addrC
)

// emulated is an argument block in the emulator.
type emulated struct {
	n                int
	x                [4]uint64
	count, at, limit int
}

// emulate runs a kernel on arrays, of which it may write the last ones, and returns the block afterwards.
func emulate(t *testing.T, wide bool, f form, in emulated, a, b, c []byte, writesA bool) emulated {
	t.Helper()
	as := asm.Assembler{VEXOnly: !wide}
	f.emit(&as, wide)
	code, err := as.Finish()
	if err != nil {
		t.Fatal(err)
	}
	var block []byte
	for _, v := range []uint64{addrA, addrB, addrC, uint64(in.n), in.x[0], in.x[1], in.x[2], in.x[3], uint64(in.count),
		uint64(in.at), uint64(in.limit)} {
		block = binary.LittleEndian.AppendUint64(block, v)
	}
	if len(block) != int(unsafe.Sizeof(args{})) {
		t.Fatalf("argument block: expected %d bytes, got %d", unsafe.Sizeof(args{}), len(block))
	}
	m := emu.New()
	m.VEXOnly = !wide
	m.Map(addrArgs, block, true)
	m.Map(addrA, a, writesA)
	m.Map(addrB, b, true)
	m.Map(addrC, c, true)
	if err := m.Call(code, addrArgs); err != nil {
		t.Fatal(err)
	}
	field := func(at int) int { return int(binary.LittleEndian.Uint64(block[at:])) }
	return emulated{n: field(argN), count: field(argCount), at: field(argAt)}
}

func bytesOf[T any](a []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*int(unsafe.Sizeof(a[0])))
}

func randomWords[T Word](r *rand.Rand, n int, few bool) []T {
	a := make([]T, n)
	for i := range a {
		if a[i] = T(r.Uint64()); few {
			a[i] = T(r.IntN(3)) - 1
		}
	}
	return a
}

// eachForm runs f for both tiers and sizes of lanes.
func eachForm(t *testing.T, four, eight func(t *testing.T, wide bool)) {
	for _, wide := range []bool{false, true} {
		t.Run(fmt.Sprintf("4_%v", wide), func(t *testing.T) { four(t, wide) })
		t.Run(fmt.Sprintf("8_%v", wide), func(t *testing.T) { eight(t, wide) })
	}
}

func networkEmulated[T Word](t *testing.T, wide bool) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Code{wide: wide}
	size := sizeOf[T]()
	for n := 1; n <= c.most(size); n += 1 + r.IntN(1+n/16) {
		const rows = 3
		a := randomWords[T](r, n*rows, n%3 == 0)
		want := slices.Clone(a)
		for k := range rows {
			slices.Sort(want[k*n : (k+1)*n])
		}
		in := emulated{n: n, count: rows, at: n * size}
		emulate(t, wide, form{networkKernel, size, size}, in, bytesOf(a), nil, nil, true)
		if !slices.Equal(a, want) {
			t.Fatalf("%d elements: expected %v, got %v", n, want, a)
		}
	}
}

func TestNetworkEmulated(t *testing.T) { eachForm(t, networkEmulated[int32], networkEmulated[int64]) }

func partitionEmulated[T Word](t *testing.T, wide bool) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Code{wide: wide}
	size := sizeOf[T]()
	for k := range 120 {
		a := randomWords[T](r, c.most(size)+r.IntN(700), k%3 == 0)
		pivot := a[r.IntN(len(a))]
		want := slices.Clone(a)
		slices.Sort(want)
		less, _ := slices.BinarySearch(want, pivot)
		out := emulate(t, wide, form{partitionKernel, size, size}, emulated{n: len(a), x: [4]uint64{uint64(pivot)}},
			bytesOf(a), nil, nil, true)
		if out.count != less*size {
			t.Fatalf("%d elements: expected %d less than %d, got %d bytes", len(a), less, pivot, out.count)
		}
		slices.Sort(a[:less])
		slices.Sort(a[less:])
		if !slices.Equal(a, want) {
			t.Fatalf("%d elements by %d: expected %v, got %v", len(a), pivot, want, a)
		}
	}
}

func TestPartitionEmulated(t *testing.T) {
	eachForm(t, partitionEmulated[int32], partitionEmulated[int64])
}

func imagesEmulated[T Word](t *testing.T, wide bool) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Code{wide: wide}
	size := sizeOf[T]()
	for range 20 {
		turns := 1 + r.IntN(5)
		src := randomWords[T](r, turns*imageVectors*c.lanes(size), true)
		dst := make([]T, len(src))
		negative, flip1, flip2 := T(r.Uint64()), T(r.Uint64()), T(r.Uint64())
		magnitude, infinity, zero := T(7), T(r.IntN(8)), T(r.IntN(5))-1
		var want []T
		found := [2]bool{}
		for _, x := range src {
			found[0], found[1] = found[0] || x&magnitude > infinity, found[1] || x == zero
			x ^= flip1
			want = append(want, x^x>>(8*size-1)&negative^flip2)
		}
		out := emulate(t, wide, form{imageKernel, size, size}, emulated{n: turns,
			x:     [4]uint64{uint64(flip1), uint64(negative), uint64(flip2), uint64(magnitude)},
			count: int(infinity), at: int(zero)}, bytesOf(src), bytesOf(dst), nil, false)
		if !slices.Equal(dst, want) {
			t.Fatalf("expected %v, got %v", want, dst)
		}
		if found != [2]bool{out.count != 0, out.at != 0} {
			t.Fatalf("expected %v found, got %d and %d", found, out.count, out.at)
		}
	}
}

func TestImagesEmulated(t *testing.T) { eachForm(t, imagesEmulated[int32], imagesEmulated[int64]) }

// someMap is a map of elements of some bytes.
func someMap(r *rand.Rand, element int) Map {
	bits := uint(8 * element)
	if element == 1 && r.IntN(2) == 0 {
		bits = 4
	}
	all := ^uint64(0) >> (64 - bits)
	return Map{Bits: bits, Negative: r.Uint64() & all, Flip: r.Uint64() & all}
}

func TestWordsEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, wide := range []bool{false, true} {
		for _, element := range []int{1, 2, 4, 8} {
			c := &Code{wide: wide}
			turns, first := 3, r.IntN(1000)
			n := turns * c.lanes(8)
			src, dst, m := bytesOf(randomWords[int64](r, n, false))[:n*element], make([]int64, n), someMap(r, element)
			w := m.at(64)
			emulate(t, wide, form{wordsKernel, 8, element}, emulated{n: turns, at: first,
				x: [4]uint64{w.Negative, w.Flip, 0xFFFFFFFF << 32, uint64(64 - m.Bits)}}, src, bytesOf(dst), nil, false)
			for i, got := range dst {
				if want := m.Image(elementAt(src, element, i))>>32<<32 | int64(first+i); got != want {
					t.Fatalf("element %d of %d bytes: expected %x, got %x", i, element, want, got)
				}
			}
		}
	}
}

func filterEmulated[T Word](t *testing.T, wide bool) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Code{wide: wide}
	size := sizeOf[T]()
	for element := 1; element <= size; element *= 2 {
		if size == 8 && element < 8 {
			continue
		}
		for range 30 {
			turns, first, limit := 1+r.IntN(6), r.IntN(1000), 1+r.IntN(200)
			unit := filterVectors * c.lanes(size)
			src, m := bytesOf(randomWords[int64](r, turns*unit, false))[:turns*unit*element], someMap(r, element)
			bound := T(r.Uint64()) >> r.IntN(3)
			if r.IntN(3) == 0 {
				bound = T(-1) << (8*size - 2)
			}
			keys, places := make([]T, limit+Slack), make([]T, limit+Slack)
			w := m.at(uint(8 * size))
			out := emulate(t, wide, form{filterKernel, size, element}, emulated{n: turns, at: first, limit: limit,
				x: [4]uint64{w.Negative, w.Flip, uint64(bound), uint64(8*size) - uint64(m.Bits)}}, src, bytesOf(keys),
				bytesOf(places), false)
			var wantKeys, wantPlaces []T
			at := 0
			for ; at < turns && len(wantKeys) < limit; at++ {
				for i := at * unit; i < (at+1)*unit; i++ {
					if key := T(m.Image(elementAt(src, element, i)) >> (64 - 8*size)); key <= bound {
						wantKeys, wantPlaces = append(wantKeys, key), append(wantPlaces, T(first+i))
					}
				}
			}
			if out.n != turns-at || out.count != len(wantKeys) {
				t.Fatalf("expected %d turns left and %d elements, got %d and %d", turns-at, len(wantKeys), out.n, out.count)
			}
			if !slices.Equal(keys[:out.count], wantKeys) || !slices.Equal(places[:out.count], wantPlaces) {
				t.Fatalf("expected %v at %v, got %v at %v", wantKeys, wantPlaces, keys[:out.count], places[:out.count])
			}
		}
	}
}

func TestFilterEmulated(t *testing.T) { eachForm(t, filterEmulated[int32], filterEmulated[int64]) }
