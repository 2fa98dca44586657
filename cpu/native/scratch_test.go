package native_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/literal"
)

// TestDenseScratch: a first run of a factorization or a solve takes the memory that is said beforehand.
func TestDenseScratch(t *testing.T) {
	for _, test := range []struct {
		text    string
		threads int
		tier    exec.Tier // at most
	}{
		{choleskyText("f32", "400,400", true), 1, exec.AVX512},
		{choleskyText("c128", "200,200", false), 3, exec.AVX512},
		{choleskyText("f64", "2,120,120", true), 1, exec.AVX512},
		{solveText("f64", "300,300", "300,7", true, true, false, "NO_TRANSPOSE"), 1, exec.AVX512},
		{solveText("c64", "150,150", "40,150", false, true, false, "NO_TRANSPOSE"), 1, exec.AVX512},
		{solveText("c64", "300,300", "40,300", false, true, false, "NO_TRANSPOSE"), 1, exec.AVX2},
		{solveText("c128", "2,260,260", "2,260,40", true, true, false, "TRANSPOSE"), 1, exec.AVX2},
		{solveText("f32", "2,200,200", "2,200,40", true, false, false, "NO_TRANSPOSE"), 1, exec.AVX512},
	} {
		i := parse(t, test.text)
		a := native.For(i, false)
		r := rand.New(rand.NewPCG(7, 8))
		args := []literal.Literal{definite(r, i.Operand(0).Shape(), true)}
		for k := range args[0].Len() {
			if n := i.Operand(0).Shape().Dims; k%n[len(n)-1] != k/n[len(n)-1]%n[len(n)-1] {
				args[0].SetFloat(k, 0)
			}
		}
		if len(i.Operands()) > 1 {
			args = append(args, random(r, i.Operand(1).Shape(), numbers))
		}
		said, took := a.Scratch(test.threads), int64(math.MaxInt64)
		for range 10 { // at times memory that was given back is not found again
			took = min(took, allocated(t, a, test.tier, test.threads, args, literal.New(i.Shape())))
		}
		if took > said+said/10+8192 || // sizes are rounded up, and there is a little more for each matrix
			took < said-said/3 && exec.Host().Tier() >= test.tier { // Go code of other processors may need less
			t.Errorf("%s%d threads: said %d bytes, took %d", test.text, test.threads, said, took)
		}
	}
}

// allocated returns the bytes that the first run of an algorithm takes from the heap.
func allocated(t *testing.T, a *native.Algorithm, tier exec.Tier, threads int, args []literal.Literal,
	result literal.Literal) int64 {
	t.Helper()
	f, err := a.Dense(dense.NewSet(min(exec.Host().Tier(), tier)))
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(threads)
	defer pool.Close()
	in, out := bytesOf(args), [][]byte{result.Bytes()}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := f(nil, pool, in, out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
