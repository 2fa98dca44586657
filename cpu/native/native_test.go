package native_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/cpu/tile"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// parse returns the root of a module, whose operands are its parameters.
func parse(t testing.TB, text string) *hlo.Instruction {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m.Entry().Root()
}

// leaves returns the arrays of l.
func leaves(l literal.Literal) (list []literal.Literal) {
	if !l.Shape().IsTuple() {
		return []literal.Literal{l}
	}
	for _, e := range l.Elems() {
		list = append(list, leaves(e)...)
	}
	return list
}

func bytesOf(list []literal.Literal) (out [][]byte) {
	for _, l := range list {
		out = append(out, l.Bytes())
	}
	return out
}

// evaluate runs i in the evaluator.
func evaluate(t testing.TB, i *hlo.Instruction, args []literal.Literal) []literal.Literal {
	t.Helper()
	l, err := interp.New(t.Context(), interp.Options{}).Instruction(i, args)
	if err != nil {
		t.Fatal(err)
	}
	return leaves(l)
}

// orderKey names code that orders elements.
type orderKey struct {
	tier exec.Tier
	set  order.Set
}

// orderCodes is the code made so far.
var orderCodes sync.Map

// orderCode returns the code of a tier for a set.
func orderCode(t testing.TB, tier exec.Tier, set order.Set) *order.Code {
	t.Helper()
	if c, ok := orderCodes.Load(orderKey{tier, set}); ok {
		return c.(*order.Code)
	}
	c, err := order.New(tier, set)
	if err != nil {
		t.Fatal(err)
	}
	orderCodes.Store(orderKey{tier, set}, c)
	return c
}

// functions returns the function of i that is all Go and those that run machine code: dense steps, and what orders
// elements, of each tier of this machine, and loop nests.
func functions(t testing.TB, i *hlo.Instruction) []native.Func {
	t.Helper()
	a := native.For(i, false)
	if a == nil {
		t.Fatalf("%v: no function", i)
	}
	list := []native.Func{a.Bind(nil)}
	if a.Dense != nil {
		for tier := exec.Portable; tier <= min(exec.Host().Tier(), exec.AVX512); tier++ {
			f, err := a.Dense(dense.NewSet(tier))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, func(pool *exec.Pool, in, out [][]byte) error { return f(nil, pool, in, out) })
		}
	}
	kernels := tiles(t, a)
	if a.Order != nil {
		for tier := exec.AVX2; tier <= min(exec.Host().Tier(), exec.AVX512); tier++ {
			f := a.Order(orderCode(t, tier, a.Orders), kernels)
			list = append(list, func(pool *exec.Pool, in, out [][]byte) error { return f(nil, pool, in, out) })
		}
	}
	if len(kernels) > 0 {
		list = append(list, a.Bind(kernels))
		wide := native.For(i, true)
		list = append(list, wide.Bind(tiles(t, wide)))
	}
	return list
}

// tiles are the nests of a for the portable executor.
func tiles(t testing.TB, a *native.Algorithm) (kernels []native.Kernel) {
	t.Helper()
	for _, n := range a.Nests {
		if err := n.Verify(); err != nil {
			t.Fatalf("%v\n%v", err, n)
		}
		k, err := tile.Compile(n)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// computeBy is compute with a function of i.
func computeBy(t testing.TB, i *hlo.Instruction, f native.Func, args []literal.Literal, threads int) []literal.Literal {
	t.Helper()
	pool := exec.NewPool(threads)
	defer pool.Close()
	var kept []literal.Literal
	for _, a := range args {
		kept = append(kept, a.Clone())
	}
	out := leaves(literal.New(i.Shape().WithDefaultLayouts()))
	for _, l := range out {
		for k := range l.Bytes() { // what was there before must not matter
			l.Bytes()[k] = 0x55
		}
	}
	if err := f(pool, bytesOf(args), bytesOf(out)); err != nil {
		t.Fatal(err)
	}
	for k := range args {
		if !literal.Equal(args[k], kept[k]) {
			t.Fatalf("argument %d was changed", k)
		}
	}
	return out
}

// compare checks the result of i for one and three threads.
func compare(t *testing.T, i *hlo.Instruction, args []literal.Literal, tol literal.Tolerance) {
	t.Helper()
	want := evaluate(t, i, args)
	for n, f := range functions(t, i) {
		one, three := computeBy(t, i, f, args, 1), computeBy(t, i, f, args, 3)
		for k := range want {
			if err := literal.Compare(one[k], want[k], tol); err != nil {
				t.Fatalf("function %d: result %d: %v", n, k, err)
			}
			if exact := i.Code() == op.Sort || i.Code() == op.Topk; exact && string(one[k].Bytes()) != string(want[k].Bytes()) {
				t.Fatalf("function %d: result %d: other bits than the evaluator's", n, k)
			}
			if string(one[k].Bytes()) != string(three[k].Bytes()) {
				t.Fatalf("function %d: result %d: three threads give other bits than one", n, k)
			}
		}
	}
}

// variety is what random elements are made of.
type variety int

const (
	anyBits variety = iota
	few             // few values, many of them equal
	special         // few values, zeros of both signs, infinities and NaNs of both signs among them
	numbers         // floats from -1 to 1
)

// random returns an array of random elements.
func random(r *rand.Rand, s shape.Shape, v variety) literal.Literal {
	l := literal.New(s)
	size := s.Type.ByteSize()
	for k := range l.Len() {
		switch {
		case s.Type.IsComplex():
			l.SetComplex(k, complex(2*r.Float64()-1, 2*r.Float64()-1))
		case s.Type == shape.Pred:
			l.Bytes()[k] = uint8(r.IntN(2))
		case v == special && s.Type.IsFloat():
			list := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN()}
			l.SetFloat(k, list[r.IntN(len(list))])
		case v == numbers && s.Type.IsFloat():
			l.SetFloat(k, 2*r.Float64()-1)
		case v == few && s.Type.IsFloat():
			l.SetFloat(k, float64(r.IntN(5))-2)
		case v == few || s.Type.Bits() < 8:
			l.SetInt(k, int64(r.IntN(4)))
		default:
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], r.Uint64())
			copy(l.Bytes()[k*size:(k+1)*size], b[:])
		}
	}
	return l
}

// randomArgs returns random arguments for the operands of i.
func randomArgs(r *rand.Rand, i *hlo.Instruction, v variety) (args []literal.Literal) {
	for _, o := range i.Operands() {
		args = append(args, random(r, o.Shape(), v))
	}
	return args
}

func benchmark(b *testing.B, text string, v variety) {
	i := parse(b, text)
	benchmarkArgs(b, i, randomArgs(rand.New(rand.NewPCG(1, 1)), i, v))
}

func benchmarkArgs(b *testing.B, i *hlo.Instruction, args []literal.Literal) {
	list := functions(b, i)
	f := list[0]
	if native.For(i, false).Dense != nil { // on the highest tier
		f = list[len(list)-1]
	}
	pool := exec.NewPool(0)
	defer pool.Close()
	in, out := bytesOf(args), bytesOf(leaves(literal.New(i.Shape())))
	b.ResetTimer()
	for b.Loop() {
		if err := f(pool, in, out); err != nil {
			b.Fatal(err)
		}
	}
}
