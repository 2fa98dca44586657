package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// layout says how the dimensions of an operand lie in memory.
type layout int

const (
	rowMajor layout = iota
	columnMajor
	spaced // row-major with gaps behind rows, backwards from one matrix to the next
	broken // the free dimension falls in two that do not merge
	numLayouts
)

// operand makes an operand of free x depth elements (A), or depth x free (B), and returns the size of its array.
func operand(t shape.ElementType, l layout, batch, free, depth int, isB bool) (Operand, int) {
	inner, outer := &depth, &free
	if isB {
		inner, outer = &free, &depth
	}
	gap := 0
	if l == spaced {
		gap = 3
	}
	in, out := 1, *inner+gap
	if l == columnMajor {
		in, out = *outer+gap, 1
	}
	size := free*depth + gap*(*outer)
	o := Operand{Type: t, Batch: Axis{{batch, size}}}
	if l == spaced {
		o.Batch, o.Offset = Axis{{batch, -size}}, (batch-1)*size
	}
	set := func(n, stride int) Axis {
		if l == broken && n%2 == 0 && stride == 1 { // the two halves trade places
			o.Offset += n / 2
			return Axis{{2, -n / 2}, {n / 2, 1}}
		}
		return Axis{{n, stride}}
	}
	if isB {
		o.Free, o.Depth = set(free, in), Axis{{depth, out}}
	} else {
		o.Depth, o.Free = Axis{{depth, in}}, set(free, out)
	}
	return o, size * batch
}

// filled is how many elements fill draws: no depth or number of columns divides it, or is divided by it.
const filled = 4099

// fill sets data, elements of type t, to small numbers, whole ones where t is a type of integers. Many come again.
func fill(r *rand.Rand, t shape.ElementType, n int) literal.Literal {
	l := literal.New(shape.Make(t, n))
	for i := range min(n, filled) {
		if t.IsInteger() {
			l.SetInt(i, int64(r.IntN(200)-100))
		} else {
			l.SetFloat(i, r.Float64()*2-1)
		}
	}
	for b, size := l.Bytes(), filled*t.ByteSize(); size < len(b); size *= 2 {
		copy(b[size:], b[:size])
	}
	return l
}

// reference computes s by the definition, in float64, and the sums of the sizes of what is added. The race detector
// does not watch it: nothing else has its arrays, and it is most of a test's time.
//
//go:norace
func reference(s *Spec, a, b literal.Literal) (sums, sizes []float64) {
	ab, bb := offsets(s.A.Batch), offsets(s.B.Batch)
	af, bf, ad, bd := offsets(s.A.Free), offsets(s.B.Free), offsets(s.A.Depth), offsets(s.B.Depth)
	x, y := floats(a), floats(b)
	for n := range ab {
		columns := make([]float64, 0, len(bd)*len(bf)) // by depth
		for _, k := range bd {
			for _, o := range bf {
				columns = append(columns, y[s.B.Offset+bb[n]+k+o])
			}
		}
		for _, i := range af {
			first := len(sums)
			sums, sizes = append(sums, make([]float64, len(bf))...), append(sizes, make([]float64, len(bf))...)
			row, size := sums[first:], sizes[first:]
			for k := range ad {
				v, size := x[s.A.Offset+ab[n]+i+ad[k]], size[:len(row)]
				for j, y := range columns[k*len(row):][:len(row)] {
					row[j] += v * y
					size[j] += math.Abs(v * y)
				}
			}
		}
	}
	return sums, sizes
}

func floats(l literal.Literal) []float64 {
	v := make([]float64, l.Len())
	for i := range v {
		v[i] = l.FloatAt(i)
	}
	return v
}

// epsilon is the error of one operation.
var epsilon = map[shape.ElementType]float64{shape.F32: 0x1p-24, shape.F64: 0x1p-53, shape.BF16: 0x1p-8,
	shape.F16: 0x1p-11}

// check runs s on random data at the end and at the start of guarded memory and compares with the definition. The race
// detector sees the first of these runs.
func check(t *testing.T, pool *exec.Pool, s Spec, tier exec.Tier, sizeA, sizeB int) {
	t.Helper()
	host := exec.Host()
	checkOn(t, pool, s, Config{Tier: tier, Threads: pool.Threads(), VNNI: hasVNNI(tier) && (sizeA+sizeB)%3 < 2,
		BF16:     hasBF16(tier) && (sizeA+sizeB)%3 > 0,
		TileBF16: tier == exec.AMX && host.AMXBF16, TileInt8: tier == exec.AMX && host.AMXInt8}, sizeA, sizeB)
}

// checkOn is check for a machine.
func checkOn(t *testing.T, pool *exec.Pool, s Spec, c Config, sizeA, sizeB int) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(sizeA), uint64(sizeB)))
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	if (p.code != nil) != (c.Tier != exec.Portable) {
		t.Fatalf("tier %v: machine code %v", c.Tier, p.code != nil)
	}
	a, b := fill(r, s.A.Type, sizeA), fill(r, s.B.Type, sizeB)
	var want, sizes []float64
	if !racetest.Enabled {
		want, sizes = reference(&s, a, b)
	}
	for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
		var j Job
		args := Args{A: place(t, len(a.Bytes())), B: place(t, len(b.Bytes())), C: place(t, sizeOfC(&s)*s.C.ByteSize()),
			Scratch: guard.After(t, aligned(p.ScratchBytes()))[:p.ScratchBytes()]}
		copy(args.A, a.Bytes())
		copy(args.B, b.Bytes())
		if p.PackedBytes() > 0 {
			args.Packed = p.Prepack(args.B)
			clear(args.B)
		}
		for i := range args.C {
			args.C[i] = 0xFF
		}
		j.Run(pool, p, args)
		if racetest.Enabled {
			return
		}
		c, err := literal.FromBytes(shape.Make(s.C, len(want)), elements(t, &s, args.C))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, p, &s, c, want, sizes)
	}
}

func compare(t *testing.T, p *Product, s *Spec, c literal.Literal, want, sizes []float64) {
	t.Helper()
	for i, w := range want {
		if s.C.IsInteger() {
			l := literal.New(shape.Make(s.C))
			l.SetBits(0, uint64(int64(w)))
			if got := c.IntAt(i); got != l.IntAt(0) {
				t.Fatalf("%v: element %d: expected %d, got %d", p, i, l.IntAt(0), got)
			}
			continue
		}
		sumEps := epsilon[shape.F32]
		if p.kind == kindF64 {
			sumEps = epsilon[shape.F64]
		}
		limit := sizes[i]*float64(s.K()+2)*sumEps + math.Abs(w)*epsilon[s.C] + 1e-30
		if got := c.FloatAt(i); !(math.Abs(got-w) <= limit) {
			t.Fatalf("%v: element %d: expected %g, got %g", p, i, w, got)
		}
	}
}

func tiers() []exec.Tier {
	all := []exec.Tier{exec.Portable, exec.AVX2, exec.AVX512, exec.AMX}
	host, err := exec.HostTier("")
	if err != nil {
		panic(err)
	}
	for i, t := range all {
		if t > host {
			return all[:i]
		}
	}
	if testing.Short() { // what has no tiles is the same on the last two
		return append(all[:2:2], exec.AMX)
	}
	return all
}

func pools(t testing.TB) *exec.Pool {
	p := exec.NewPool(2)
	t.Cleanup(p.Close)
	return p
}

// types are A, B, C.
var types = [][3]shape.ElementType{
	{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64}, {shape.S32, shape.S32, shape.S32},
	{shape.BF16, shape.BF16, shape.BF16}, {shape.BF16, shape.BF16, shape.F32}, {shape.F16, shape.F16, shape.F16},
	{shape.S8, shape.S8, shape.S32}, {shape.U8, shape.S8, shape.S32}, {shape.S8, shape.S8, shape.S8},
	{shape.F32, shape.BF16, shape.F32}, {shape.F32, shape.F64, shape.F64}, {shape.U16, shape.U16, shape.U16},
	{shape.BF16, shape.S8, shape.F32}, {shape.S16, shape.S8, shape.S32}, {shape.U8, shape.S16, shape.S32},
}

func TestRandom(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for _, ty := range types {
			t.Run(fmt.Sprintf("%v/%v_%v_%v", tier, ty[0], ty[1], ty[2]), func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(ty[0])<<16|uint64(ty[1])))
				for range 40 {
					random(t, r, pool, tier, ty, 70)
				}
			})
		}
	}
}

func random(t *testing.T, r *rand.Rand, pool *exec.Pool, tier exec.Tier, ty [3]shape.ElementType, most int) {
	size := func() int {
		if r.IntN(4) == 0 {
			return 1 + r.IntN(4)
		}
		return 1 + r.IntN(most)
	}
	batch, m, n, k := 1, size(), size(), size()
	if r.IntN(3) == 0 {
		batch = 1 + r.IntN(6)
	}
	s := Spec{C: ty[2], Constant: r.IntN(3) == 0, Stream: r.IntN(2) == 0}
	var na, nb int
	s.A, na = operand(ty[0], layout(r.IntN(int(numLayouts))), batch, m, k, false)
	s.B, nb = operand(ty[1], layout(r.IntN(int(numLayouts))), batch, n, k, true)
	check(t, pool, s, tier, na, nb)
}

// TestLarge has sizes of several blocks along each dimension.
func TestLarge(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for _, d := range [][3]int{
			{213, 67, 1031}, {33, 1000, 129}, {1, 3001, 700}, {3, 2500, 65}, {700, 1, 900}, {130, 515, 65}} {
			for _, l := range []layout{rowMajor, columnMajor} {
				if work := d[0] * d[1] * d[2]; testing.Short() && (work > 1<<23 || work > 1<<22 && tier == exec.Portable) {
					continue
				}
				s := Spec{C: shape.F32}
				var na, nb int
				s.A, na = operand(shape.F32, rowMajor, 1, d[0], d[2], false)
				s.B, nb = operand(shape.F32, l, 1, d[1], d[2], true)
				check(t, pool, s, tier, na, nb)
				s.A, na = operand(shape.F32, columnMajor, 1, d[0], d[2], false)
				check(t, pool, s, tier, na, nb)
			}
		}
	}
}

// TestPackedBetween: panels are packed while others are multiplied, on a machine of so small caches that there are
// several parts of the depth, blocks of rows, and items; B in place is asked for there.
func TestPackedBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	seen := map[string]bool{}
	for _, threads := range racetest.Threads(1, 3) {
		pool := exec.NewPool(threads)
		defer pool.Close()
		for _, tier := range tiers()[1:] {
			c := Config{Tier: tier, Threads: threads, VNNI: hasVNNI(tier), L1: 8 << 10, L2: 64 << 10}
			for i := range 36 {
				ty := [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64},
					{shape.S16, shape.S8, shape.S32}, {shape.F32, shape.BF16, shape.BF16}}[i%4]
				m, n, k := 8+r.IntN(60), 1+r.IntN(400), 2*(20+r.IntN(350))
				batch := 1 + r.IntN(2)
				s := Spec{C: ty[2]}
				var na, nb int
				s.A, na = operand(ty[0], rowMajor, batch, m, k, false)
				s.B, nb = operand(ty[1], layout(r.IntN(3)), batch, n, k, true)
				if p, err := New(s, c); err == nil && p.listed {
					seen[fmt.Sprintf("%s %v %d", routeNames[p.routeB], p.keeps(), p.slots())] = true
				}
				checkOn(t, pool, s, c, na, nb)
			}
		}
	}
	if len(tiers()) > 1 && !(seen["packed by item true 1"] && seen["packed by item false 2"] && seen["in place false 1"]) {
		t.Errorf("expected products that keep panels, that do not, and that read B in place, got %v", seen)
	}
}

func TestNoAllocation(t *testing.T) {
	pool := pools(t)
	s := Spec{C: shape.F32}
	s.A, _ = operand(shape.F32, columnMajor, 1, 200, 300, false)
	s.B, _ = operand(shape.F32, columnMajor, 1, 100, 300, true)
	p, err := New(s, Config{Tier: tiers()[len(tiers())-1], Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	args := Args{A: guard.After(t, 240000), B: guard.After(t, 120000), C: guard.After(t, 80000), Scratch: scratchFor(p)}
	var j Job
	if n := testing.AllocsPerRun(20, func() { j.Run(pool, p, args) }); n != 0 {
		t.Errorf("a run allocates %v times", n)
	}
}

func scratchFor(p *Product) []byte {
	all := make([]byte, p.ScratchBytes()+align)
	skip := int(-uintptr(unsafe.Pointer(&all[0])) & (align - 1))
	return all[skip:][:p.ScratchBytes()]
}
